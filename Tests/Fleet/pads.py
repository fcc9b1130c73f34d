"""The pads: a paraph-handoff process with a spool of its own for each, and signatures published as paraphd does."""
import collections
import concurrent.futures
import os
import signal
import subprocess

from engines import Failure, Process

CONFIGURATION = """[spool]
path = {folder}/spool
[handoff]
device-name = {name}
metrics = {folder}/pad.prom
pad = none
"""
# Each pad has a user of its own, as on a machine of its own: the kernel limits a user's inotify instances, to 128.
FIRST_USER = 20000
BROKER = """[sink broker]
type = mqtt
host = 127.0.0.1
port = {port}
tls = no
username = pads
password-file = {folder}/broker
topic = paraph/{{device}}/signatures
status-topic = paraph/{{device}}/status
events-topic = paraph/{{device}}/events
"""
STORE = """[sink store]
type = s3
endpoint = http://127.0.0.1:{port}
path-style = yes
bucket = signatures
access-key = pad
secret-key-file = {folder}/store
prefix = {{device}}/
"""


class Pads:
    """Pads with a sink for each port, the first of the template. `device`: one name for all; else each has its own.

    `published` has each pad's signatures that were acknowledged: (id, sequence).
    """

    def __init__(self, programs, folder, count, broker, store, template=BROKER, name="pad", device=None):
        self.programs, self.folder = programs, folder
        self.names = [f"{name}-{number}" for number in range(1, count + 1)]
        self.published = collections.defaultdict(list)
        self.processes = {}
        self.users = {name: FIRST_USER + number for number, name in enumerate(self.names)}
        for name in self.names:
            folder, user = self.path(name), self.users[name]
            os.makedirs(f"{folder}/run")
            text = CONFIGURATION.format(folder=folder, name=device or name)
            for sink, port in ((template, broker), (STORE, store)):
                if port:
                    text += sink.format(port=port, folder=folder, name=name)
            for file, content in (("handoff.conf", text), ("broker", "pads"), ("store", "pad-secret")):
                with open(os.open(f"{folder}/{file}", os.O_WRONLY | os.O_CREAT, 0o600), "w") as output:
                    output.write(content)
                os.chown(f"{folder}/{file}", user, user)
            for place in (folder, f"{folder}/run"):
                os.chown(place, user, user)

    def path(self, name):
        return f"{self.folder}/{name}"

    def start(self, names=None):
        for name in names or self.names:
            folder = self.path(name)
            self.processes[name] = Process(
                f"{folder}/log", f"{self.programs}/paraph-handoff", "-c", f"{folder}/handoff.conf",
                env={"RUNTIME_DIRECTORY": f"{folder}/run", "PATH": "/usr/bin:/bin"}, user=self.users[name],
                group=self.users[name], extra_groups=[])

    def stop(self):
        for process in self.processes.values():
            process.running.send_signal(signal.SIGTERM)
        for name, process in self.processes.items():
            if process.running.wait(60) != 0:
                raise Failure(f"{name}: paraph-handoff ended with {process.running.returncode}: {self.log(name)}")
        self.processes = {}

    def check_running(self):
        for name, process in self.processes.items():
            if process.running.poll() is not None:
                raise Failure(f"{name}: paraph-handoff ended with {process.running.returncode}: {self.log(name)}")

    def log(self, name):
        with open(f"{self.path(name)}/log") as file:
            return file.read()[-2000:]

    def sign(self, count=1, names=None, size=0):
        """Each pad publishes as many signatures."""
        def publish(name):
            result = subprocess.run(
                [f"{self.programs}/spool-driver", f"{self.path(name)}/spool", str(count), str(size)],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, user=self.users[name], group=self.users[name],
                extra_groups=[])
            self.published[name] += [(i, int(s)) for i, s in (line.split() for line in result.stdout.splitlines())]
            if result.returncode:
                raise Failure(f"{name}: spool-driver: {result.stderr}")
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(publish, names or self.names))

    def waiting(self, names=None):
        """How many signatures have not been delivered everywhere."""
        return sum(len(os.listdir(f"{self.path(name)}/spool/new")) for name in names or self.names)

    def failed(self):
        """How many signatures have failed. Beside each is its reason."""
        return sum(not entry.endswith(".reason") for name in self.names
                   for entry in os.listdir(f"{self.path(name)}/spool/failed"))

    def count(self):
        return sum(map(len, self.published.values()))

    def metric(self, name):
        """The sum of a metric, by sink."""
        sums = collections.Counter()
        for pad in self.names:
            try:
                with open(f"{self.path(pad)}/pad.prom") as file:
                    for line in file:
                        if line.startswith(name + "{"):
                            sums[line.split('sink="')[1].split('"')[0]] += float(line.split()[-1])
            except FileNotFoundError:
                continue
        return dict(sums)
