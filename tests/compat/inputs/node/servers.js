// SPDX-License-Identifier: MIT
// Servers on every kind of address, by path, and for child processes, with their clients.
'use strict';

const { fork, spawn } = require('child_process');
const fs = require('fs');
const http = require('http');
const net = require('net');
const os = require('os');
const path = require('path');

function listen(server, ...where) {
  return new Promise((resolve, reject) => {
    server.on('error', reject).listen(...where, () => resolve(server.address()));
  });
}

function ask(where) {
  return new Promise((resolve, reject) => {
    let text = '';
    const client = net.connect(where, () => client.end('asked'));
    client.on('data', data => { text += data; });
    client.on('end', () => resolve(text)).on('error', reject);
  });
}

function upper() {
  return net.createServer({ allowHalfOpen: true }, socket => {
    socket.on('data', data => socket.end(data.toString().toUpperCase()));
  });
}

async function addresses() {
  for (const host of ['127.0.0.1', 'localhost', '::1', '::', '0.0.0.0', undefined]) {
    const server = upper();
    const { port, family } = await listen(server, 0, host);
    const to = family === 'IPv6' && host !== 'localhost' ? '::1' : '127.0.0.1';
    const answers = await Promise.all([to, to].map(host => ask({ port, host })));
    console.log(host, family, ...answers, port > 1023);
    server.close();
  }
}

// A socket in the temp directory, as tsx has one, whose client is a child.
async function byPath() {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tsx-'));
  const name = path.join(directory, `${process.pid}.pipe`);
  const server = upper();
  await listen(server, name);
  const code = `require('net').connect(${JSON.stringify(name)}).on('data', data =>
    console.log('child got', data.toString())).end('by a path')`;
  await new Promise(resolve => {
    spawn(process.execPath, ['-e', code], { stdio: 'inherit' }).on('close', resolve);
  });
  server.close();
  console.log('left', fs.readdirSync(directory).length);
}

async function overHttp() {
  const server = http.createServer((request, response) => {
    request.pipe(response.writeHead(200, { 'x-path': request.url }));
  });
  const { port } = await listen(server, 0, '127.0.0.1');
  const body = 'x'.repeat(1e6);
  const options = { method: 'POST', body };
  const answers = await Promise.all([...Array(10).keys()].map(n =>
    fetch(`http://127.0.0.1:${port}/${n}`, options)));
  const texts = await Promise.all(answers.map(answer => answer.text()));
  console.log(answers.map(answer => answer.headers.get('x-path')).join(), texts[9] === body);
  server.closeAllConnections();
  server.close();
}

// A listening socket that is handed to a child.
async function handedOver() {
  const server = net.createServer();
  const { port } = await listen(server, 0, '127.0.0.1');
  const child = fork(__filename, ['child']);
  child.send('server', server);
  await new Promise(resolve => child.once('message', resolve));
  server.close();
  console.log('handed over:', await ask({ port, host: '127.0.0.1' }));
  child.kill();
}

async function nobody() {
  const server = net.createServer();
  const { port } = await listen(server, 0, '127.0.0.1');
  await new Promise(resolve => server.close(resolve));
  await ask({ port, host: '127.0.0.1' }).catch(error => console.log(error.code));
}

async function main() {
  await addresses();
  await byPath();
  await overHttp();
  await handedOver();
  await nobody();
}

if (process.argv[2] === 'child') {
  process.on('message', (message, server) => {
    server.on('connection', socket => socket.on('data', data => socket.end(`child: ${data}`)));
    process.send('ready');
  });
} else {
  main();
}
