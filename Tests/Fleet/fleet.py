"""Pads against real engines. Run by Tests/Fleet/run, in namespaces of their own."""
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import traceback

import proxy
from engines import Broker, Failure, Store, wait
from pads import Pads
from receivers import BrokerArrivals, StoreArrivals

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(os.path.dirname(os.path.dirname(HERE)), ".build")
ROOT, WORK = f"{BUILD}/fleet/root", f"{BUILD}/fleet/work"
COUNT = int(os.environ.get("PADS") or 300)
SIGNATURES = int(os.environ.get("SIGNATURES") or 40)
MQTT, S3 = 1883, 8333
# Of all signatures, how many may arrive twice where nothing fails.
REPEATS = 0.001
# Of all pads, how many may connect in a second after an outage.
HERD = 0.05


def mount(*arguments):
    subprocess.run(["mount", *arguments], check=True)


def prepare():
    """Folders in memory, which end with the namespace, and what a chroot needs."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    subprocess.run(["hostname", "localhost"], check=True)
    os.makedirs(WORK, exist_ok=True)
    mount("-t", "tmpfs", "-o", "size=8G,nr_inodes=4M", "fleet", WORK)
    os.makedirs(f"{WORK}/broker/dev")
    os.makedirs(f"{ROOT}/work", exist_ok=True)
    mount("--bind", f"{WORK}/broker", f"{ROOT}/work")
    mount("-t", "proc", "proc", f"{ROOT}/proc")
    for name in ("null", "zero", "random", "urandom"):
        open(f"{ROOT}/dev/{name}", "a").close()
        mount("--bind", f"/dev/{name}", f"{ROOT}/dev/{name}")
    with open(f"{WORK}/broker/hosts", "w") as hosts:
        hosts.write("127.0.0.1 localhost\n")
    mount("--bind", f"{WORK}/broker/hosts", f"{ROOT}/etc/hosts")


class Fleet:
    """Engines behind proxies, pads, and the receivers."""

    def __init__(self):
        self.broker, self.store = Broker(ROOT), Store(os.environ["FLEET_WEED"], f"{WORK}/store")
        self.mqtt, self.s3 = proxy.start(
            (MQTT, [Broker.mqtt(node) for node in Broker.nodes]), (S3, [Store.gateway]))
        self.pads = Pads(f"{BUILD}/release", f"{WORK}/pads", COUNT, MQTT, S3)
        self.arrivals = BrokerArrivals(), StoreArrivals()

    def start(self):
        began = time.monotonic()
        self.store.start()
        self.broker.start()
        self.broker.define()
        wait("the bucket is there", 60, lambda: "signatures" in self.store.shell(
            "s3.bucket.create -name signatures", "s3.bucket.list"))
        print(f"engines: started in {time.monotonic() - began:.0f} s", flush=True)
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
        broker.receive(Broker.amqp(2))
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


TESTS = ["signatures"]


def main():
    prepare()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
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
