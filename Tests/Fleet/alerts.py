"""What an operator is told: each fault of a receiver fires one alert of config/fleet/alerts.yml in a real Prometheus."""
import http.server
import json
import os
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
ca-file = {certificate}
"""
# A message of RabbitMQ 4.0 is at most 16 MiB.
OVERSIZE = 17 << 20


class Metrics(http.server.BaseHTTPRequestHandler):
    """Serves PAD/PAD-1/pad.prom of the test's folder as /PAD."""

    folder = ""

    def do_GET(self):
        try:
            with open(f"{self.folder}{self.path}{self.path}-1/pad.prom", "rb") as file:
                text = file.read()
        except OSError:
            return self.send_error(404)
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """Clients that do not trust the certificate end the connection."""


def serve(port, handler, context=None):
    server = Server(("127.0.0.1", port), handler)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def start_prometheus(folder, jobs):
    scrape = [{"job_name": job, "metrics_path": "/" + job, "static_configs": [{"targets": [f"127.0.0.1:{METRICS}"]}]}
              for job in jobs]
    with open(f"{folder}/prometheus.yml", "w") as file:
        # JSON is YAML.
        json.dump({"global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
                   "rule_files": [os.path.abspath(RULES)], "scrape_configs": scrape}, file)
    Process(f"{folder}/prometheus.log", "prometheus", f"--config.file={folder}/prometheus.yml",
            f"--storage.tsdb.path={folder}/prometheus", f"--web.listen-address=127.0.0.1:{PORT}")
    wait("Prometheus accepts clients", 60, lambda: listens(PORT))


def firing():
    """The names of the alerts that fire, by job."""
    found = {}
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/api/v1/alerts", timeout=10) as reply:
        for alert in json.load(reply)["data"]["alerts"]:
            if alert["state"] == "firing":
                found.setdefault(alert["labels"].get("job"), set()).add(alert["labels"]["alertname"])
    return found


def expired(folder):
    """A server's certificate that has expired, and its key."""
    names = f"{folder}/expired.pem", f"{folder}/expired.key"
    for command in (["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=expired", "-addext",
                     "subjectAltName=IP:127.0.0.1", "-out", f"{folder}/valid.pem", "-keyout", names[1]],
                    ["x509", "-in", f"{folder}/valid.pem", "-signkey", names[1], "-days", "-1", "-out", names[0]]):
        subprocess.run(["openssl", *command], check=True, stderr=subprocess.DEVNULL)
    # The pads read it.
    os.chmod(names[0], 0o644)
    return names


# What is wrong, and the alert for it.
EXPECTED = {"quota": "ParaphSinkFull", "bucket": "ParaphSinkFull", "certificate": "ParaphSinkCertificate",
            "revoked": "ParaphSinkCredentials", "topic": "ParaphSinkDenied", "oversized": "ParaphFailedSignatures"}


def check(programs, folder, broker, store, mqtt, s3):
    os.makedirs(folder)
    os.chmod(folder, 0o755)
    certificate, key = expired(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    serve(TLS, Metrics, context)
    Metrics.folder = folder
    serve(METRICS, Metrics)
    sinks = dict.fromkeys(EXPECTED, BROKER)
    sinks["bucket"] = STORE.replace("bucket = signatures", "bucket = full")
    sinks["certificate"] = WEB.replace("{certificate}", certificate)
    sinks["revoked"] = BROKER.replace("username = pads", "username = revoked")
    sinks["topic"] = BROKER.replace("paraph/{{device}}/signatures", "other/{{device}}/signatures")
    pads = {name: Pads(programs, f"{folder}/{name}", 1, s3.port if "s3" in text else mqtt.port, None, template=text,
                       name=name)
            for name, text in sinks.items()}
    broker.control(1, "add_user", "revoked", "pads")
    broker.control(1, "set_permissions", "revoked", "^$", "^amq\\.topic$", "^$")
    print("  store:", *store.shell("s3.bucket.create -name full").split("\n")[-3:-1])
    start_prometheus(folder, pads)
    for pad in pads.values():
        pad.start()
    # Everything works first, but what never does.
    for name in ("quota", "bucket", "revoked", "oversized"):
        pads[name].sign(2, size=700_000)
    for name in ("quota", "bucket", "revoked", "oversized"):
        wait(f"{name}: delivered", 60, lambda: pads[name].waiting() == 0)
    time.sleep(3)
    if firing():
        raise Failure(f"alerts fire before anything is wrong: {firing()}")
    pads["oversized"].sign(1, size=OVERSIZE)
    pads["oversized"].sign(1)
    pads["topic"].sign(1)
    pads["certificate"].sign(1)
    wait("the oversized item fails", 120, lambda: pads["oversized"].waiting() == 0)
    broker.control(1, "delete_user", "revoked")
    broker.control(1, "set_policy", "full", "^signatures$", '{"max-length": 1}', "--apply-to", "queues")
    print("  store:", *store.shell("s3.bucket.quota -name full -op set -sizeMB 1", "s3.bucket.quota.enforce -apply")
          .split("\n")[-4:-1])
    # Existing connections end.
    mqtt.close()
    mqtt.open()
    for name in ("quota", "bucket", "revoked"):
        pads[name].sign(5)
    missing = dict(EXPECTED)
    try:
        def all_fire():
            for name, alert in list(missing.items()):
                if alert in firing().get(name, ()):
                    del missing[name]
            return not missing
        wait("every alert fires", 120, all_fire)
    except Failure:
        logs = "\n".join(f"{name}: {firing().get(name)} {pads[name].log(name + '-1')[-600:]}" for name in missing)
        raise Failure(f"no alert for {', '.join(missing)}:\n{logs}") from None
    finally:
        for name, alerts in sorted(firing().items()):
            print(f"  {name}: {', '.join(sorted(alerts))}; in failed/: {pads[name].failed()}", flush=True)
    for name, pad in pads.items():
        if firing()[name] != {EXPECTED[name]}:
            raise Failure(f"{name}: {firing()[name]} fire")
        if pad.failed() != (name == "oversized"):
            raise Failure(f"{name}: {pad.failed()} signatures in failed/")
    broker.control(1, "clear_policy", "full")
    for pad in pads.values():
        for process in pad.processes.values():
            process.end(signal.SIGTERM)
