# SPDX-License-Identifier: MIT
"""A server on the loopback, and its client."""

import socketserver
import threading
import urllib.request
from http.server import SimpleHTTPRequestHandler


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


with socketserver.TCPServer(("127.0.0.1", 0), Quiet) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/tcp_server.py"
    print(len(urllib.request.urlopen(url).read()) > 500)
    server.shutdown()
