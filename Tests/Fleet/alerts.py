"""Alerts to an operator: each fault of a receiver fires one alert of config/fleet/alerts.yml, in a real Prometheus.

There, times of minutes are seconds. promtool checks the metrics that it saw against the rules as they are.
"""
import http.server
import json
import os
import re
import signal
import ssl
import subprocess
import threading
import time
import urllib.request

from engines import Failure, Process, listens, wait
from pads import BROKER, STORE, Pads

HERE = os.path.dirname(os.path.abspath(__file__))
RULES = os.path.join(HERE, "../../config/fleet/alerts.yml")
PORT, METRICS, TLS = 9090, 9700, 9701
WEB = """[sink web]
type = http
url = https://127.0.0.1:9701/
ca-file = {authority}
"""
# Beyond the broker's limit, in bytes.
OVERSIZE = 5 << 20
# The cause, and the alert for it. SeaweedFS answers 500 InternalError for a bucket beyond its quota, as for any fault of its own:
# a pad cannot know more. Other stores have a code for it, which FailureKindTests has.
EXPECTED = {"quota": "ParaphSinkFull", "bucket": "ParaphSinkDown", "certificate": "ParaphSinkCertificate",
            "revoked": "ParaphSinkCredentials", "idle": "ParaphSinkCredentials", "topic": "ParaphSinkDenied",
            "status": "ParaphStatusRejected", "oversized": "ParaphFailedSignatures"}
# Of those above, which work first.
WORKING = ("quota", "bucket", "certificate", "revoked", "idle", "status", "oversized")
# Which sign nothing after the faults.
IDLE = ("idle", "status")
# Whose fault is there from the first connection on, and whose connection comes back within half a minute, longer than some of
# the shortened alerts wait.
FAULTY = ("status",)


class Metrics(http.server.BaseHTTPRequestHandler):
    """Serves PAD/PAD-1/pad.prom of the test's folder as /PAD."""

    folder = ""

    def do_GET(self):
        try:
            text = metrics(self.folder, self.path[1:]).encode()
        except OSError:
            return self.send_error(404)
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self):
        """Accepts a signature."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """Clients that do not trust the certificate end the connection."""


def metrics(folder, pad):
    with open(f"{folder}/{pad}/{pad}-1/pad.prom") as file:
        return file.read()


def serve(port, context=None):
    server = Server(("127.0.0.1", port), Metrics)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def start_prometheus(folder, jobs):
    with open(RULES) as file:
        rules, count = re.subn(r"for: (\d+)m\n", r"for: \1s\n", file.read())
    if not count or count != rules.count(" for: "):
        raise Failure("a rule has another duration than minutes")
    with open(f"{folder}/rules.yml", "w") as file:
        file.write(rules)
    scrape = [{"job_name": job, "metrics_path": "/" + job, "static_configs": [
        {"targets": [f"127.0.0.1:{METRICS}"], "labels": {"instance": job}}]} for job in jobs]
    with open(f"{folder}/prometheus.yml", "w") as file:
        # JSON is YAML.
        json.dump({"global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
                   "rule_files": [f"{folder}/rules.yml"], "scrape_configs": scrape}, file)
    Process(f"{folder}/prometheus.log", "prometheus", f"--config.file={folder}/prometheus.yml",
            f"--storage.tsdb.path={folder}/prometheus", f"--web.listen-address=127.0.0.1:{PORT}")
    wait("Prometheus accepts clients", 60, lambda: listens(PORT))


def firing():
    """The names of the alerts that fire, by instance."""
    found = {}
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/api/v1/alerts", timeout=10) as reply:
        for alert in json.load(reply)["data"]["alerts"]:
            if alert["state"] == "firing":
                found.setdefault(alert["labels"].get("instance"), set()).add(alert["labels"]["alertname"])
    return found


def certify(folder):
    """An authority, and a server's certificates of it: a valid one, and one that has expired."""
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, stderr=subprocess.DEVNULL, cwd=folder)
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Fleet", "-out", "ca.pem",
            "-keyout", "ca.key")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-out", "server.csr", "-keyout", "server.key")
    with open(f"{folder}/names", "w") as file:
        file.write("subjectAltName=IP:127.0.0.1\n")
    for name, days in (("valid", "1"), ("expired", "-1")):
        openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile",
                "names", "-days", days, "-out", f"{name}.pem")
    # The pads read it.
    os.chmod(f"{folder}/ca.pem", 0o644)


def series(text):
    """The samples of a file of metrics: values by name and labels."""
    samples = {}
    for line in text.splitlines():
        if line and line[0] != "#":
            key, value = line.rsplit(" ", 1)
            samples[key] = float(value)
    return samples


def check_rules(folder, before, after):
    """promtool on the metrics before and after the faults, the latter for 100 minutes: one alert for each fault."""
    inputs = []
    for pad in EXPECTED:
        inputs.append((f'up{{job="paraph",instance="{pad}"}}', "1x110"))
        old, new = series(before.get(pad, "")), series(after[pad])
        for key, value in new.items():
            name, _, labels = key.partition("{")
            # A missing sample is "_".
            first = f"{old[key]:.0f}x9" if key in old else "0x9" if name.endswith("_total") else "_x9"
            values = f"{first} {value:.0f}x100"
            if "heartbeat" in name:
                values = "0+60x110"
            elif name == "paraph_spool_oldest_age_seconds" and value > 0:
                # What waits gets older.
                values = f"0x9 {value:.0f}+60x100"
            elif name.endswith("_timestamp_seconds"):
                # In a test, time begins in 1970.
                continue
            inputs.append((f'{name}{{job="paraph",instance="{pad}"' + ("," + labels if labels else "}"), values))
    wanted = [{"labels": f'{{alertname="{alert}",instance="{pad}"}}', "value": 1} for pad, alert in EXPECTED.items()]
    expression = 'count by (alertname, instance) (ALERTS{alertstate="firing"})'
    tests = [{"expr": expression, "eval_time": "8m", "exp_samples": []}]
    tests += [{"expr": expression, "eval_time": when, "exp_samples": wanted} for when in ("30m", "60m", "100m")]
    with open(f"{folder}/rules-test.yml", "w") as file:
        json.dump({"rule_files": [os.path.abspath(RULES)], "evaluation_interval": "1m", "tests": [
            {"interval": "1m", "input_series": [{"series": name, "values": values} for name, values in inputs],
             "promql_expr_test": tests}]}, file)
    result = subprocess.run(["promtool", "test", "rules", f"{folder}/rules-test.yml"], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, timeout=60)
    if result.returncode:
        raise Failure(f"promtool: {result.stdout}")


def check(programs, folder, broker, store, mqtt, s3):
    os.makedirs(folder)
    os.chmod(folder, 0o755)
    certify(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/valid.pem", f"{folder}/server.key")
    # A client that resumes a session does not ask for the certificate.
    context.num_tickets = 0
    serve(TLS, context)
    Metrics.folder = folder
    serve(METRICS)
    sinks = dict.fromkeys(EXPECTED, BROKER)
    sinks["bucket"] = STORE.replace("bucket = signatures", "bucket = full")
    sinks["certificate"] = WEB.replace("{authority}", f"{folder}/ca.pem")
    sinks["revoked"] = BROKER.replace("username = pads", "username = revoked")
    sinks["idle"] = BROKER.replace("username = pads", "username = idle")
    sinks["status"] = BROKER.replace("paraph/{{device}}/status", "other/{{device}}/status")
    sinks["topic"] = BROKER.replace("paraph/{{device}}/signatures", "other/{{device}}/signatures")
    pads = {name: Pads(programs, f"{folder}/{name}", 1, s3.port if "s3" in text else mqtt.port, None, template=text,
                       name=name)
            for name, text in sinks.items()}
    for user in ("revoked", "idle"):
        broker.control(1, "add_user", user, "pads")
        broker.control(1, "set_permissions", user, "^$", "^amq\\.topic$", "^$")
    store.create("full")
    start_prometheus(folder, pads)
    for pad in pads.values():
        pad.start()
    # Everything works first, but for what never does.
    for name in WORKING:
        pads[name].sign(2, size=700_000)
    for name in WORKING:
        wait(f"{name}: delivered", 60, lambda: pads[name].waiting() == 0)
    # Metrics are written every 10 s at most.
    wait("metrics count the deliveries", 30, lambda: all(
        any(key.startswith("paraph_handoff_delivered_total{") and value == 2
            for key, value in series(metrics(folder, name)).items()) for name in WORKING))
    early = {name: alerts for name, alerts in firing().items() if name not in FAULTY}
    if early:
        raise Failure(f"alerts fire before anything is wrong: {early}")
    before = {name: metrics(folder, name) for name in pads if name not in FAULTY}
    pads["oversized"].sign(1, size=OVERSIZE)
    pads["oversized"].sign(1)
    wait("the oversized item fails", 120, lambda: pads["oversized"].waiting() == 0)
    context.load_cert_chain(f"{folder}/expired.pem", f"{folder}/server.key")
    for user in ("revoked", "idle"):
        broker.control(1, "delete_user", user)
    broker.control(1, "set_policy", "full", "^signatures$", '{"max-length": 1}', "--apply-to", "queues")
    store.shell("s3.bucket.quota -name full -op set -sizeMB 1", "s3.bucket.quota.enforce -apply")
    for name in pads:
        if name != "oversized" and name not in IDLE:
            pads[name].sign(5)
    try:
        wait("every alert fires", 150, lambda: all(alert in firing().get(name, ()) for name, alert in EXPECTED.items()))
        # Longer than any rule's duration, in seconds.
        time.sleep(20)
        wait("its connection is back", 150, lambda: all(firing().get(name) == {EXPECTED[name]} for name in FAULTY))
    finally:
        fired = firing()
        for name, pad in pads.items():
            print(f"  {name}: {', '.join(sorted(fired.get(name, ['no alert'])))}; {pad.waiting()} in new/, {pad.failed()} in "
                  "failed/", flush=True)
            if fired.get(name) != {EXPECTED[name]}:
                print(pad.log(name + "-1")[-900:], flush=True)
    for name, pad in pads.items():
        if fired.get(name) != {EXPECTED[name]}:
            raise Failure(f"{name}: {fired.get(name)} instead of {EXPECTED[name]}")
        if pad.failed() != (name == "oversized"):
            raise Failure(f"{name}: {pad.failed()} signatures in failed/")
    check_rules(folder, before, {name: metrics(folder, name) for name in pads})
    broker.control(1, "clear_policy", "full")
    for pad in pads.values():
        for process in pad.processes.values():
            process.end(signal.SIGTERM)
