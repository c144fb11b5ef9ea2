# SPDX-License-Identifier: MIT
"""Servers of every kind on the loopback, and their clients, in threads, tasks and processes."""

import asyncio
import errno
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xmlrpc.client import ServerProxy
from xmlrpc.server import SimpleXMLRPCServer

CLIENT = """
import sys, urllib.request
print(urllib.request.urlopen(sys.argv[1], data=b"from a child").read().decode())
"""


class Handler(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(201)
        self.end_headers()
        self.wfile.write(body.upper())

    def do_GET(self) -> None:
        self.send_error(404)


def http() -> object:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://localhost:{server.server_address[1]}/"
        child = subprocess.check_output([sys.executable, "-c", CLIENT, url], text=True)
        sizes = []
        for size in (1, 1000, 3_000_000):
            with urllib.request.urlopen(url, data=b"x" * size) as answer:
                sizes.append((answer.status, len(answer.read())))
        try:
            urllib.request.urlopen(url)
        except urllib.error.HTTPError as error:
            sizes.append((error.code, 0))
        server.shutdown()
    return child.strip(), sizes


def rpc() -> object:
    with SimpleXMLRPCServer(("localhost", 0), logRequests=False) as server:
        server.register_function(pow)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        answer = ServerProxy(f"http://127.0.0.1:{server.server_address[1]}").pow(2, 10)
        server.shutdown()
    return answer


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write((await reader.readline()).upper())
    await writer.drain()
    writer.close()


async def ask(host: str, port: int) -> str:
    reader, writer = await asyncio.wait_for(asyncio.open_connection(host, port), 10)
    writer.write(b"asked\n")
    line = await reader.readline()
    writer.close()
    return line.decode().strip()


async def tasks() -> object:
    found = []
    for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "::", None):
        server = await asyncio.start_server(answer, host, 0)
        async with server:
            name = server.sockets[0].getsockname()
            lines = await asyncio.gather(*(ask(*name[:2]) for _ in range(20)))
            found.append((host, set(lines)))
    path = os.path.join(tempfile.mkdtemp(), "socket")
    async with await asyncio.start_unix_server(answer, path):
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(b"by a path\n")
        found.append(("path", {(await reader.readline()).decode().strip()}))
        writer.close()
    return found


def raw() -> object:
    """Without bind; without a wait; in one's own file; and where nobody listens."""
    found = []
    with socket.socket() as unbound, socket.socket() as client:
        unbound.listen()
        client.connect(("127.0.0.1", unbound.getsockname()[1]))
        found.append(unbound.accept()[0].getsockname() == client.getpeername())
    with socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True) as both:
        client = socket.socket()
        client.setblocking(False)
        error = client.connect_ex(("127.0.0.1", both.getsockname()[1]))
        connection = both.accept()[0]
        found.append(error in (0, errno.EINPROGRESS))
        found.append(connection.getsockname()[0])
        client.close()
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
        try:
            socket.create_server(("127.0.0.1", port), reuse_port=False)
        except OSError as failure:
            found.append(errno.errorcode[failure.errno or 0])
    with socket.socket() as client:
        found.append(errno.errorcode[client.connect_ex(("127.0.0.1", port))])
    return found


def main() -> None:
    print(http(), rpc())
    print(json.dumps(raw()))
    for host, lines in asyncio.run(tasks()):  # type: ignore[attr-defined]
        print(host, lines)


main()
