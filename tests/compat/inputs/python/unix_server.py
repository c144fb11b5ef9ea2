# SPDX-License-Identifier: MIT
"""A server on a unix socket in the working directory, and its client."""

import asyncio


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write((await reader.readline()).upper())
    writer.close()


async def main() -> None:
    server = await asyncio.start_unix_server(answer, "socket")
    async with server:
        reader, writer = await asyncio.open_unix_connection("socket")
        writer.write(b"echoed\n")
        print((await reader.readline()).decode().strip())
        writer.close()


asyncio.run(main())
