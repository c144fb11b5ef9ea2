// SPDX-License-Identifier: MIT
// What two other readers say of scripts: mvdan/sh (sh-syntax of npm) and tree-sitter-bash.
//
// usage: node peers.mjs NODE_MODULES <scripts
//
// Each script is ended by a NUL, and answered with a line: "ok" or "error MESSAGE" of mvdan/sh, a
// tab, "ok" or "error" of tree-sitter.
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const modules = path.resolve(process.argv[2]);
const require = createRequire(path.join(modules, "none.js"));
const mvdan = await import(pathToFileURL(path.join(modules, "sh-syntax/lib/index.js")));
const treeSitter = require("web-tree-sitter");
await treeSitter.Parser.init();
const wasm = path.join(modules, "tree-sitter-bash/tree-sitter-bash.wasm");
const parser = new treeSitter.Parser();
parser.setLanguage(await treeSitter.Language.load(wasm));

const texts = fs.readFileSync(0).toString("utf8").split("\0");
texts.pop();
for (const text of texts) {
  let first = "ok";
  try {
    await mvdan.parse(text, { variant: 0 });
  } catch (error) {
    first = "error " + String(error.message ?? error).split("\n")[0];
  }
  const tree = parser.parse(text);
  console.log(first + "\t" + (tree.rootNode.hasError ? "error" : "ok"));
  tree.delete();
}
