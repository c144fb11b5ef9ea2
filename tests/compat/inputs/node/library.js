// SPDX-License-Identifier: MIT
// Workers, watching, streams, compression, keys and facts about the machine.
'use strict';

const crypto = require('crypto');
const fs = require('fs');
const os = require('os');
const { Worker } = require('worker_threads');
const zlib = require('zlib');

function work() {
  const code = `const { parentPort, workerData } = require('worker_threads');
    Atomics.add(new Int32Array(workerData), 0, 1);
    parentPort.postMessage('done');`;
  const shared = new SharedArrayBuffer(4);
  const workers = [1, 2, 3, 4].map(() => new Promise((resolve, reject) => {
    new Worker(code, { eval: true, workerData: shared }).on('message', resolve).on('error', reject);
  }));
  return Promise.all(workers).then(() => console.log('workers', new Int32Array(shared)[0]));
}

function watch() {
  return new Promise(resolve => {
    const watcher = fs.watch('.', (event, name) => {
      if (name === 'created') {
        watcher.close();
        console.log('watched', event, name);
        resolve();
      }
    });
    setTimeout(() => fs.writeFileSync('created', 'x'), 50);
  });
}

async function main() {
  await work();
  await watch();
  const text = 'again and '.repeat(1000);
  const packed = await new Promise(resolve => zlib.gzip(text, (error, data) => resolve(data)));
  console.log('packed', packed.length < 200, zlib.gunzipSync(packed).toString() === text);
  const keys = crypto.generateKeyPairSync('ed25519');
  const signature = crypto.sign(null, Buffer.from(text), keys.privateKey);
  console.log('signed', crypto.verify(null, Buffer.from(text), keys.publicKey, signature));
  const temp = await fs.promises.mkdtemp(`${os.tmpdir()}/node-`);
  await fs.promises.rm(temp, { recursive: true });
  os.setPriority(5);
  console.log(os.cpus().length > 0, 'lo' in os.networkInterfaces(), os.userInfo().uid >= 0);
}

main();
