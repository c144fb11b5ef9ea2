# SPDX-License-Identifier: MIT
"""asyncio: a subprocess with pipes, a signal (self-pipe), a thread, a stream over a socket pair."""

import asyncio
import os
import signal
import socket


async def subprocess() -> str:
    process = await asyncio.create_subprocess_exec(
        "tr", "a-z", "A-Z", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate(b"piped")
    return out.decode()


async def signalled() -> str:
    loop = asyncio.get_running_loop()
    arrived = asyncio.Event()
    loop.add_signal_handler(signal.SIGUSR1, arrived.set)
    os.kill(os.getpid(), signal.SIGUSR1)
    await asyncio.wait_for(arrived.wait(), 5)
    return "signalled"


async def in_thread() -> str:
    return await asyncio.to_thread(lambda: "from a thread")


async def streamed() -> str:
    one, other = socket.socketpair()
    reader, _ = await asyncio.open_connection(sock=one)
    other.sendall(b"streamed\n")
    other.close()
    return (await reader.readline()).decode().strip()


async def main() -> None:
    print(*await asyncio.gather(subprocess(), signalled(), in_thread(), streamed()), sep="\n")


asyncio.run(main())
