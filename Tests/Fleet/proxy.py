"""A TCP proxy in front of an engine's nodes, which counts what passes it."""
import asyncio
import collections
import re
import threading
import time

PUT = re.compile(rb"PUT (/\S+/signature\.json)(?:\?\S*)? HTTP/1")


class Proxy:
    """Listens on a port and connects to the first of several that accepts, each in turn."""

    def __init__(self, loop, port, backends):
        self.loop, self.port, self.backends = loop, port, backends
        self.turn = 0
        self.server = None
        self.writers = set()
        # Connections by the second, and requests for a manifest's object.
        self.connects = collections.Counter()
        self.puts = collections.Counter()
        self.bytes = 0

    def open(self):
        self._run(self._open())

    def close(self):
        """Refuses connections, and ends those there are, as when the power is cut."""
        self._run(self._close())

    def _run(self, coroutine):
        asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30)

    async def _open(self):
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", self.port, backlog=4096)

    async def _close(self):
        if self.server:
            self.server.close()
            self.server = None
        for writer in list(self.writers):
            writer.transport.abort()

    async def _connect(self):
        self.turn += 1
        for number in range(len(self.backends)):
            try:
                port = self.backends[(self.turn + number) % len(self.backends)]
                return await asyncio.wait_for(asyncio.open_connection("127.0.0.1", port), 5)
            except (OSError, asyncio.TimeoutError):
                continue
        return None

    async def _serve(self, reader, writer):
        self.connects[int(time.monotonic())] += 1
        self.writers.add(writer)
        other = await self._connect()
        if other:
            self.writers.add(other[1])
            await asyncio.gather(self._pump(reader, other[1], True), self._pump(other[0], writer, False))
            self.writers.discard(other[1])
        writer.close()
        self.writers.discard(writer)

    async def _pump(self, reader, writer, counts):
        tail = b""
        try:
            while data := await reader.read(65536):
                if counts:
                    self.bytes += len(data)
                    text = tail + data
                    for found in PUT.finditer(text):
                        # Not again in the next piece.
                        if found.end() > len(tail):
                            self.puts[found[1].decode()] += 1
                    tail = text[-300:]
                writer.write(data)
                await writer.drain()
        except (OSError, RuntimeError):
            pass
        writer.close()

    def most_connects(self, since):
        """The most connections in a second from that time on, and how many there were in all."""
        counts = [count for second, count in list(self.connects.items()) if second >= int(since)]
        return max(counts, default=0), sum(counts)

    def curve(self, since, seconds):
        """The connections of each second, from that time on."""
        return [self.connects[int(since) + number] for number in range(seconds)]


def start(*places):
    """Proxies in a thread, each from a port and its backends' ports."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    proxies = [Proxy(loop, port, backends) for port, backends in places]
    for proxy in proxies:
        proxy.open()
    return proxies
