"""The engines: three nodes of RabbitMQ, and SeaweedFS with three masters and three volume servers."""
import hashlib
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request

# What config/fleet recommends is what is tested.
CONFIGURATION = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../config/fleet")
DEFINITIONS = f"{CONFIGURATION}/rabbitmq.json"
POLICY = f"{CONFIGURATION}/s3-policy.json"
BUCKET = "signatures"
QUEUE = "signatures"
EVENTS = "events"
USERS = ("pads", "receiver", "monitor")


class Failure(Exception):
    """What the test was to show is not so, or an engine did not start."""


def wait(what, seconds, condition):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.25)
    raise Failure(f"not within {seconds} s: {what}")


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


class Process:
    """A program with its log, in a process group of its own."""

    def __init__(self, log, *command, **options):
        with open(log, "ab") as output:
            self.running = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True, **options)

    def end(self, signal):
        """Sends a signal to all its processes, and waits for the first."""
        try:
            os.killpg(self.running.pid, signal)
        except ProcessLookupError:
            pass
        self.running.wait(60)


class Broker:
    """A cluster. Nodes are numbered from 1; `root` has the programs, `work` below it is the test's folder."""

    nodes = (1, 2, 3)
    plugins = "[rabbitmq_mqtt]."

    def __init__(self, root, name="r", offset=0, lines=""):
        """`name`: the beginning of its nodes' names; `offset`: of their ports, beside another cluster; `lines`: settings."""
        self.root, self.name, self.offset, self.processes = root, name, offset, {}
        self._write("plugins", self.plugins)
        shutil.copy(DEFINITIONS, f"{root}/fleet/definitions.json")
        for node in self.nodes:
            os.mkdir(f"{root}/fleet/{node}")
            peers = "".join(f"cluster_formation.classic_config.nodes.{peer} = {name}{peer}@localhost\n" for peer in self.nodes)
            self._write(f"{node}/rabbitmq.conf", f"""listeners.tcp.default = 127.0.0.1:{self.amqp(node)}
mqtt.listeners.tcp.default = 127.0.0.1:{self.mqtt(node)}
mqtt.allow_anonymous = false
cluster_formation.peer_discovery_backend = classic_config
{peers}cluster_partition_handling = pause_minority
log.console.level = warning
{lines}""")

    def amqp(self, node):
        return 5670 + self.offset + node

    def mqtt(self, node):
        return 1890 + self.offset + node

    def _write(self, name, text):
        with open(f"{self.root}/fleet/{name}", "w") as file:
            file.write(text)

    def _environment(self, node):
        return {
            "HOME": "/fleet", "PATH": "/usr/sbin:/usr/bin", "LANG": "C.UTF-8", "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": f"{self.name}{node}@localhost", "RABBITMQ_NODE_PORT": str(self.amqp(node)),
            "RABBITMQ_DIST_PORT": str(25670 + self.offset + node), "RABBITMQ_CONFIG_FILE": f"/fleet/{node}/rabbitmq.conf",
            "RABBITMQ_MNESIA_BASE": f"/fleet/{node}", "RABBITMQ_LOG_BASE": f"/fleet/{node}",
            "RABBITMQ_ENABLED_PLUGINS_FILE": "/fleet/plugins", "RABBITMQ_ERLANG_COOKIE": "fleet",
            # Three nodes share this machine's processors.
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none",
        }

    def start(self, *nodes):
        for node in nodes or self.nodes:
            self.processes[node] = Process(
                f"{self.root}/fleet/{node}/console.log", "chroot", self.root, "/usr/lib/rabbitmq/bin/rabbitmq-server",
                env=self._environment(node))
        for node in nodes or self.nodes:
            wait(f"node {node} of the broker accepts clients", 120, lambda: listens(self.mqtt(node)))

    def define(self):
        """Users with passwords, queues and bindings."""
        self.load()
        for user in USERS:
            self.control(1, "change_password", user, user)
        self.wait_for_members(3)

    def load(self):
        """The definitions, when all nodes are there: a queue gets the members that the cluster has then."""
        self.control(1, "await_online_nodes", "3", "--timeout", "60")
        self.control(1, "import_definitions", "/fleet/definitions.json")

    def partition(self, node):
        """Parts a node from the others: neither side accepts the other's cookie."""
        for other in self.nodes:
            if other != node:
                self._set_cookie(node, other, "parted")
                self._set_cookie(other, node, "parted")

    def unite(self, node):
        for other in self.nodes:
            if other != node:
                self._set_cookie(node, other, "fleet")
                self._set_cookie(other, node, "fleet")

    def _set_cookie(self, node, other, cookie):
        name = f"'{self.name}{other}@localhost'"
        self.control(node, "eval", f"erlang:set_cookie({name}, {cookie}), erlang:disconnect_node({name}).")

    def stop(self, signal, *nodes):
        for node in nodes or self.nodes:
            self.processes.pop(node).end(signal)

    def control(self, node, *arguments):
        """What rabbitmqctl prints, whether or not it succeeds: a node may just be starting."""
        return subprocess.run(
            ["chroot", self.root, "/usr/lib/rabbitmq/bin/rabbitmqctl", "--quiet", *arguments], env=self._environment(node),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120).stdout

    def memory(self):
        """The resident memory of all nodes, in bytes."""
        total = 0
        for process in self.processes.values():
            for entry in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{entry}/status") as file:
                        status = dict(line.split(":", 1) for line in file)
                    if os.getpgid(int(entry)) == process.running.pid and status["Name"].strip() == "beam.smp":
                        total += int(status["VmRSS"].split()[0]) * 1024
                except (OSError, KeyError):
                    continue
        return total

    def wait_for_members(self, count, node=1):
        """Until the queue has as many members online."""
        last = ""

        def has():
            nonlocal last
            last = self.control(node, "list_queues", "--no-table-headers", "online")
            return all(line.count("@localhost") == count for line in last.split("\n") if line) and "rror" not in last
        try:
            wait(f"the queue has {count} members", 120, has)
        except Failure as failure:
            raise Failure(f"{failure}: {last}") from failure


STORE_ACCESS = {"identities": [
    {"name": "rclone", "credentials": [{"accessKey": "rclone", "secretKey": "rclone-secret"}], "actions": ["Admin"]},
    {"name": "anonymous", "actions": [f"Read:{BUCKET}", f"List:{BUCKET}"]},
]}


class Store:
    """SeaweedFS: masters, volume servers, and a filer with the S3 gateway."""

    masters = {f"master{number}": 9330 + number for number in (1, 2, 3)}
    volumes = {f"volume{number}": 8080 + number for number in (1, 2, 3)}
    filer, gateway = 8888, 8334

    def __init__(self, program, folder):
        self.program, self.folder, self.processes = program, folder, {}
        for name in [*self.masters, *self.volumes, "filer"]:
            os.makedirs(f"{folder}/{name}")
        with open(f"{folder}/s3.json", "w") as file:
            json.dump(STORE_ACCESS, file)
        self.peers = ",".join(f"127.0.0.1:{port}" for port in self.masters.values())

    def _command(self, name):
        common = ["-ip=127.0.0.1", "-ip.bind=127.0.0.1"]
        place = f"{self.folder}/{name}"
        if name in self.masters:
            return ["master", *common, f"-port={self.masters[name]}", f"-mdir={place}", f"-peers={self.peers}",
                    "-defaultReplication=001", "-volumeSizeLimitMB=256", "-electionTimeout=2s"]
        if name in self.volumes:
            return ["volume", *common, f"-port={self.volumes[name]}", f"-dir={place}", f"-master={self.peers}",
                    "-max=50", "-minFreeSpace=100MiB"]
        return ["filer", *common, f"-port={self.filer}", f"-defaultStoreDir={place}", f"-master={self.peers}",
                "-defaultReplicaPlacement=001", "-s3", f"-s3.port={self.gateway}", f"-s3.config={self.folder}/s3.json",
                "-s3.port.iceberg=0"]

    @property
    def names(self):
        return [*self.masters, *self.volumes, "filer"]

    def start(self, *names):
        for name in names or self.names:
            self.processes[name] = Process(
                f"{self.folder}/{name}.log", self.program, "-logtostderr=true", *self._command(name), cwd=self.folder,
                env=dict(os.environ, GOMAXPROCS="1", HOME=self.folder))
        if not names or "filer" in names:
            wait("the store's gateway accepts clients", 120, lambda: listens(self.gateway))
            wait("the masters have a leader", 60, self.leader)

    def stop(self, signal, *names):
        for name in names or list(self.processes):
            self.processes.pop(name).end(signal)

    def define(self):
        """The pads' user, with no rights but those of the policy for the bucket."""
        self._expect("s3.user.create -name pad -access_key pad -secret_key pad-secret", '"access_key":"pad"')
        self.create(BUCKET)

    def create(self, bucket):
        """A bucket, and the policy for it, attached to the pads' user."""
        with open(POLICY) as file:
            text = file.read()
        if text.count(":::signatures/") != 1:
            raise Failure(f"{POLICY} is not for the bucket signatures alone")
        with open(f"{self.folder}/policy.json", "w") as file:
            file.write(text.replace(":::signatures/", f":::{bucket}/"))
        self._expect(f"s3.bucket.create -name {bucket}", f"created bucket {bucket}")
        self._expect(f"s3.policy -put -name={bucket} -file={self.folder}/policy.json", "")
        self._expect(f"s3.policy.attach -policy {bucket} -user pad", f'"policy":"{bucket}"')

    def _expect(self, line, text):
        """Runs a line of the shell until it prints a text: volumes may just be starting."""
        last = ""

        def prints():
            nonlocal last
            last = self.shell(line)
            return text in last and "error" not in last
        try:
            wait(line.split()[0], 60, prints)
        except Failure as failure:
            raise Failure(f"{failure}: {last}") from failure

    def request(self, method, path, body=b""):
        """The status of a request with the pads' key, and the answer's body."""
        command = ["curl", "--silent", "--show-error", "--max-time", "30", "--request", method, "--user", "pad:pad-secret",
                   "--aws-sigv4", "aws:amz:us-east-1:s3", "--write-out", "\n%{http_code}",
                   "--header", f"x-amz-content-sha256: {hashlib.sha256(body).hexdigest()}"]
        if body:
            command += ["--data-binary", "@-"]
        done = subprocess.run([*command, f"http://127.0.0.1:{self.gateway}/{path}"], input=body, capture_output=True)
        text, _, status = done.stdout.rpartition(b"\n")
        return int(status or 0), text or done.stderr

    def check_policy(self):
        """What the policy allows to the pads, and what not."""
        wait("the pads' user may write", 30, lambda: self.request("PUT", f"{BUCKET}/policy/1", b"content")[0] == 200)
        expected = {("PUT", f"{BUCKET}/policy/1"): 200, ("PUT", "other/policy/1"): 403, ("GET", f"{BUCKET}/policy/1"): 403,
                    ("GET", f"{BUCKET}/"): 403, ("DELETE", f"{BUCKET}/policy/1"): 403, ("DELETE", f"{BUCKET}/"): 403}
        for (method, path), status in expected.items():
            found, text = self.request(method, path, b"again" if method == "PUT" else b"")
            if found != status:
                raise Failure(f"the pads' {method} of {path} is answered {found}, not {status}: {text}")
        if self.shell(f"fs.cat /buckets/{BUCKET}/policy/1").strip() != "again":
            raise Failure("the object is not what the pads wrote last")
        self.shell(f"fs.rm -rf /buckets/{BUCKET}/policy")

    def leader(self):
        """The leading master's name, or none."""
        for name in self.masters:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.masters[name]}/cluster/status", timeout=2) as reply:
                    if json.load(reply).get("IsLeader"):
                        return name
            except (OSError, ValueError):
                continue
        return None

    def shell(self, *lines):
        result = subprocess.run(
            [self.program, "shell", f"-master={self.peers}", f"-filer=127.0.0.1:{self.filer}"],
            input="\n".join(lines) + "\nexit\n", env=dict(os.environ, HOME=self.folder), cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        return result.stdout
