"""The presence of ten thousand pads: how they connect, and what the broker's memory costs. Clients of the test play them."""
import asyncio
import collections
import random
import time

import mqtt
from engines import Failure, wait

COUNT = 10_000
# Pads that lost a broker connect again at random within as many seconds: Backoff.spread.
SPREAD = 30
# Of each node, how many retained messages are read again: RabbitMQ takes seconds for many subscriptions.
SAMPLE = 20


def names(node, broker):
    """The pads of a node: each has its own."""
    return [f"crowd-{number}".encode() for number in range(COUNT) if number % len(broker.nodes) == node - 1]


class Storm:
    """All pads connect, each after a delay, and publish their status."""

    def __init__(self, broker, status, delay):
        self.broker, self.status, self.delay = broker, status, delay
        self.pads = []

    async def _connect(self, node, name):
        await asyncio.sleep(self.delay())
        loop = asyncio.get_running_loop()
        offline = b'{"status": "offline", "device": "' + name + b'"}'
        status = self.status.replace(b"DEVICE", name)
        _, pad = await loop.create_connection(
            lambda: mqtt.Pad(name, status, offline), "127.0.0.1", self.broker.mqtt(node))
        self.pads.append(pad)

    async def run(self, limit=300):
        self.began = time.monotonic()
        await asyncio.gather(*(self._connect(node, name) for node in self.broker.nodes
                               for name in names(node, self.broker)))
        while not all(pad.done or pad.ended for pad in self.pads):
            if time.monotonic() > self.began + limit:
                break
            await asyncio.sleep(0.1)

    def report(self, name):
        done = [pad for pad in self.pads if pad.done]
        if len(done) < COUNT or any(pad.ended for pad in self.pads):
            raise Failure(f"{name}: {len(done)} of {COUNT} pads connected and published, "
                          f"{sum(pad.ended is not None for pad in self.pads)} have lost their connection")
        times = sorted(pad.done - pad.began for pad in done)
        seconds = collections.Counter(int(pad.accepted - self.began) for pad in done)
        print(f"  {name}: all connected and published after {max(pad.done for pad in done) - self.began:.0f} s, at most "
              f"{max(seconds.values())} in a second; from connect to acknowledgement {times[COUNT // 2] * 1000:.0f} ms "
              f"(median), {times[COUNT * 99 // 100] * 1000:.0f} ms (99 %)", flush=True)

    def end(self):
        """Without a word, as when the power is cut."""
        for pad in self.pads:
            pad.transport.abort()


def has(broker, expected):
    """Whether each node retains the last message of its pads."""
    for node in broker.nodes:
        sample = topics(node, broker, SAMPLE)
        found = mqtt.retained(broker.mqtt(node), b"monitor", sample, 60)
        if len(found) < len(sample) or not all(expected in message for message in found.values()):
            return False
    return True


def topics(node, broker, count):
    return [b"paraph/" + name + b"/status" for name in random.sample(names(node, broker), count)]


def check_node(broker):
    """A node retains neither what another node's pads publish, nor sends anything for a wildcard."""
    for topic in (topics(2, broker, 5), [b"paraph/+/status"]):
        found = mqtt.retained(broker.mqtt(1), b"monitor", topic, 5)
        if found:
            raise Failure(f"a node has {len(found)} retained messages for {topic}, unlike what config/fleet/README.md says")


def status_of(pads, broker):
    """A real pad's status message, with DEVICE for its name."""
    name = pads.names[0].encode()
    topic = b"paraph/" + name + b"/status"
    for node in broker.nodes:
        for message in mqtt.retained(broker.mqtt(node), b"monitor", [topic]).values():
            if b'"online"' in message:
                return message.replace(name, b"DEVICE")
    raise Failure("no node retains the status of a pad")


def measure(broker, pads):
    broker.control(1, "add_user", "monitor", "monitor")
    broker.control(1, "set_permissions", "monitor", ".*", ".*", ".*")
    status = status_of(pads, broker)
    random.seed(1)
    print(f"  a status of {len(status)} bytes", flush=True)
    loop = asyncio.new_event_loop()
    for name, delay in ((f"at random within {SPREAD} s", lambda: random.uniform(0, SPREAD)), ("all at once", lambda: 0)):
        storm = Storm(broker, status, delay)
        before = broker.memory()
        loop.run_until_complete(storm.run())
        storm.report(name)
        connected = broker.memory()
        if not has(broker, b'"online"'):
            raise Failure("a node does not retain the status of its pads")
        storm.end()
        loop.run_until_complete(asyncio.sleep(0))
        began = time.monotonic()
        wait("every last will is retained", 180, lambda: has(broker, b'"offline"'))
        print(f"  the last wills are retained {time.monotonic() - began:.0f} s after all have lost power; resident memory of the "
              f"nodes: {before / 1e6:.0f} MB before, {connected / 1e6:.0f} MB with {COUNT} connections "
              f"({(connected - before) / COUNT / 1000:.0f} kB for each), {broker.memory() / 1e6:.0f} MB after them", flush=True)
    check_node(broker)
