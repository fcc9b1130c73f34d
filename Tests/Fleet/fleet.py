"""Pads against real engines. Run by Tests/Fleet/run, in namespaces of their own."""
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import traceback

import proxy
import rights
from engines import Broker, Failure, Store, listens, wait
from pads import Pads
from receivers import BrokerArrivals, StoreArrivals, pads_with_events

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(os.path.dirname(os.path.dirname(HERE)), ".build")
WORK = f"{BUILD}/fleet/work"
COUNT = int(os.environ.get("PADS") or 300)
SIGNATURES = int(os.environ.get("SIGNATURES") or 40)
MQTT, S3 = 1883, 8333
# Of all signatures, how many may arrive twice where nothing fails.
REPEATS = 0.001
# Of all pads, how many may connect in any second after an outage. A sixtieth does on average: chance exceeds this in one of
# 150 runs, of which each has two engines.
HERD = 0.05
# The settings that config/fleet/README.md names: the size of the largest message, and memory of each connection, in bytes.
SETTINGS = """mqtt.max_packet_size_authenticated = 4194304
mqtt.tcp_listen_options.recbuf = 16384
mqtt.tcp_listen_options.sndbuf = 16384
"""
# How long the engines are off, in seconds.
OUTAGE = 120


def mount(*arguments):
    subprocess.run(["mount", *arguments], check=True)


def prepare():
    """Folders in memory, which end with the namespace, and what a chroot needs."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    subprocess.run(["hostname", "localhost"], check=True)
    os.makedirs(WORK, exist_ok=True)
    mount("-t", "tmpfs", "-o", "size=8G,nr_inodes=4M", "fleet", WORK)


def enter(release):
    """Prepares a release of Debian for chroot, and returns its folder. Below it, `work` is in memory."""
    root, work = f"{BUILD}/fleet/{release}", f"{WORK}/{release}"
    os.makedirs(work)
    os.makedirs(f"{root}/fleet", exist_ok=True)
    mount("--bind", work, f"{root}/fleet")
    mount("-t", "proc", "proc", f"{root}/proc")
    for name in ("null", "zero", "random", "urandom"):
        open(f"{root}/dev/{name}", "a").close()
        mount("--bind", f"/dev/{name}", f"{root}/dev/{name}")
    with open(f"{work}/hosts", "w") as hosts:
        hosts.write("127.0.0.1 localhost\n")
    open(f"{root}/etc/hosts", "a").close()
    mount("--bind", f"{work}/hosts", f"{root}/etc/hosts")
    return root


class Fleet:
    """Engines behind proxies, pads, and the receivers."""

    def __init__(self):
        self.broker = Broker(enter("trixie"), lines=SETTINGS)
        self.store = Store(os.environ["FLEET_WEED"], f"{WORK}/store")
        self.mqtt, self.s3 = proxy.start(
            (MQTT, [self.broker.mqtt(node) for node in Broker.nodes]), (S3, [Store.gateway]))
        self.pads = Pads(f"{BUILD}/release", f"{WORK}/pads", COUNT, MQTT, S3)
        self.arrivals = BrokerArrivals(), StoreArrivals()

    def start(self):
        began = time.monotonic()
        self.store.start()
        self.broker.start()
        self.broker.load()
        rights.check_closed(self.broker)
        self.broker.define()
        rights.check(self.broker)
        self.store.define()
        self.store.check_policy()
        print(f"engines: started in {time.monotonic() - began:.0f} s", flush=True)
        # Whichever test comes first, the pads have worked.
        self.pads.sign()
        began = time.monotonic()
        self.pads.start()
        print(f"pads: {COUNT} started in {time.monotonic() - began:.1f} s", flush=True)
        self.pads.check_running()

    def wait_for_delivery(self, seconds):
        began = time.monotonic()
        while waiting := self.pads.waiting():
            self.pads.check_running()
            if time.monotonic() > began + seconds:
                raise Failure(f"{waiting} of {self.pads.count()} signatures wait after {seconds} s")
            time.sleep(0.5)
        return time.monotonic() - began

    def check(self, most_repeats=None):
        """Reads what has arrived, and compares."""
        broker, store = self.arrivals
        broker.receive(self.broker.amqp(2))
        store.receive(Store.gateway)
        puts = sum(count - 1 for count in self.s3.puts.values())
        shares = broker.check(self.pads.published, broker.repeats), store.check(self.pads.published, puts)
        if self.pads.failed():
            raise Failure(f"{self.pads.failed()} signatures are in failed/")
        if most_repeats is not None and max(shares) > most_repeats:
            raise Failure(f"more than {most_repeats:.1%} repeats")

    def signatures(self):
        """Every pad signs, and everything arrives at both."""
        began = time.monotonic()
        self.pads.sign(SIGNATURES)
        signed = time.monotonic() - began
        self.wait_for_delivery(300)
        taken = time.monotonic() - began
        print(f"  {self.pads.count()} signed in {signed:.0f} s, delivered twice in {taken:.0f} s", flush=True)
        self.check(REPEATS)
        if missing := set(self.pads.names) - pads_with_events(self.broker.amqp(3)):
            raise Failure(f"{len(missing)} pads have no status in the queue of events")

    def faults(self):
        """Nodes end, are parted and restart while the pads sign. The others take everything; nothing is lost."""
        def broker_node():
            self.broker.stop(signal.SIGKILL, 1)
            yield
            self.broker.start(1)
            self.broker.wait_for_members(3)

        def minority():
            self.broker.partition(3)
            wait("the minority pauses", 90, lambda: not listens(self.broker.mqtt(3)))
            yield
            self.broker.unite(3)
            wait("the minority returns", 90, lambda: listens(self.broker.mqtt(3)))
            self.broker.wait_for_members(3)

        def broker_restarts():
            for node in Broker.nodes:
                self.broker.stop(signal.SIGTERM, node)
                self.broker.start(node)
                self.broker.wait_for_members(3)
            yield

        def volume_server():
            self.store.stop(signal.SIGKILL, "volume1")
            yield
            self.store.start("volume1")

        def leading_master():
            leader = self.store.leader()
            self.store.stop(signal.SIGKILL, leader)
            yield
            self.store.start(leader)
            wait("the masters have a leader", 60, self.store.leader)

        for fault in (broker_node, minority, broker_restarts, volume_server, leading_master):
            # In the middle of deliveries.
            steps = fault()
            with Signing(self.pads) as signing:
                wait("deliveries run", 30, lambda: self.pads.waiting() > 0)
                next(steps)
            self.pads.sign()
            seconds = self.wait_for_delivery(240)
            next(steps, None)
            print(f"  {fault.__name__}: {signing.rounds + 1} signatures of each pad, the last delivered after "
                  f"{seconds:.0f} s", flush=True)
        self.check()

    def power_cut(self):
        """All engines are off for two minutes while the pads sign, and come back at once."""
        self.wait_for_delivery(120)
        self.mqtt.close()
        self.s3.close()
        self.broker.stop(signal.SIGKILL)
        self.store.stop(signal.SIGKILL)
        end = time.monotonic() + OUTAGE
        while time.monotonic() < end:
            self.pads.sign()
            time.sleep(max(0, min(20, end - time.monotonic())))
        waiting = self.pads.waiting()
        # Those in front of the engines open when all are up.
        self.store.start()
        self.broker.start()
        self.broker.wait_for_members(3)
        on = time.monotonic()
        self.mqtt.open()
        self.s3.open()
        seconds = self.wait_for_delivery(300)
        print(f"  {waiting} signatures waited, delivered twice in {seconds:.0f} s", flush=True)
        # A pad's connections to the two engines are its own affair; each engine sees its herd.
        herd = 0
        for name, front in (("broker", self.mqtt), ("store", self.s3)):
            most, total = front.most_connects(on)
            print(f"  {name}: {total} connections, at most {most} in a second ({most / COUNT:.1%} of the pads): "
                  f"{' '.join(map(str, front.curve(on, 60)))}", flush=True)
            herd = max(herd, most / COUNT)
        # For the picture in config/fleet: FleetSimulationTests draws it.
        with open(f"{BUILD}/fleet/measured.csv", "w") as file:
            file.write(f"second,connected of {COUNT}\n")
            file.writelines(f"{number},{count}\n" for number, count in enumerate(self.mqtt.curve(on, 90)))
        self.check()
        if seconds > 180:
            raise Failure(f"delivered in {seconds:.0f} s, not 180")
        if herd > HERD:
            raise Failure(f"{herd:.1%} of the pads connected in a second, not {HERD:.0%}")

    def throughput(self):
        """One pad's hand-off beside rclone and mosquitto_pub, with the same items."""
        import throughput
        # Others would compete for the processors.
        self.wait_for_delivery(60)
        self.pads.stop()
        throughput.compare(f"{BUILD}/release", f"{WORK}/one", self.broker.mqtt(1), Store.gateway)
        self.pads.start()

    def web(self):
        """A web server that refuses, resets, stalls and loses its answers gets everything, at the times it asks for."""
        import web
        web.check(f"{BUILD}/release", f"{WORK}/web")

    def alerts(self):
        """Each fault of a receiver fires one alert, and only an oversized item fails."""
        import alerts
        alerts.check(f"{BUILD}/release", f"{WORK}/alerts", self.broker, self.store, self.mqtt, self.s3)

    def names(self):
        """Two pads with one name report it, take turns, and lose nothing."""
        import names
        names.check(f"{BUILD}/release", f"{WORK}/names", self.broker, self.arrivals[0])

    def presence(self):
        """Ten thousand pads connect, and the broker keeps a status of each."""
        import presence
        presence.measure(self.broker, self.pads)

    def older(self):
        """Pads that speak MQTT 3.1.1 deliver to a cluster of RabbitMQ 3.10, of which a node is killed."""
        import older
        older.check(f"{BUILD}/release", f"{WORK}/older", enter("bookworm"))


class Signing:
    """All pads sign, again and again, while something else happens."""

    def __init__(self, pads):
        self.pads, self.rounds, self.ends, self.failure = pads, 0, threading.Event(), None

    def __enter__(self):
        self.thread = threading.Thread(target=self._run)
        self.thread.start()
        return self

    def _run(self):
        try:
            while True:
                self.pads.sign()
                self.rounds += 1
                if self.ends.wait(5):
                    return
        except Exception as failure:
            self.failure = failure

    def __exit__(self, *_):
        self.ends.set()
        self.thread.join()
        if self.failure:
            raise self.failure


TESTS = ["signatures", "faults", "power_cut", "throughput", "web", "alerts", "names", "presence", "older"]


def main():
    prepare()
    names = sys.argv[1:] or TESTS
    fleet = Fleet()
    try:
        fleet.start()
        for name in names:
            began = time.monotonic()
            print(f"{name}: {getattr(fleet, name).__doc__}", flush=True)
            getattr(fleet, name)()
            print(f"{name}: passed in {time.monotonic() - began:.0f} s", flush=True)
        fleet.pads.stop()
    except Exception as error:
        print(f"fleet: {error}", file=sys.stderr)
        if not isinstance(error, Failure):
            traceback.print_exc()
        shutil.rmtree(f"{BUILD}/fleet/failed", ignore_errors=True)
        keep = shutil.ignore_patterns("*.dat", "*.idx", "new", "msg_stores", "quorum", "dev")
        shutil.copytree(WORK, f"{BUILD}/fleet/failed", ignore=keep, ignore_dangling_symlinks=True)
        print(f"fleet: logs are in {BUILD}/fleet/failed", file=sys.stderr)
        # The namespace ends the rest.
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
