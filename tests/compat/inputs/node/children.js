// SPDX-License-Identifier: MIT
// Child processes in every way that Node has, and a server where one may listen.
'use strict';

const { execFileSync, execSync, fork, spawn } = require('child_process');

if (process.send) {
  process.on('message', number => {
    process.send(number * 2);
    process.disconnect();
  });
  return;
}

console.log(execSync('echo by a shell').toString().trim());
console.log(execFileSync('tr', ['a-z', 'A-Z'], { input: 'by a pipe' }).toString());

const cat = spawn('cat', [], { stdio: ['pipe', 'pipe', 'inherit'] });
cat.stdout.on('data', data => console.log(data.toString()));
cat.on('close', code => {
  console.log('cat', code);
  const child = fork(__filename);
  child.on('message', answer => console.log('forked', answer));
  child.on('exit', code => console.log('exit', code));
  child.send(21);
});
cat.stdin.end('by a stream');
