"""Metrics of a real paraph-handoff in both formats, for independent readers. usage: test_metrics.py [unittest's arguments]"""
import json
import os
import signal
import subprocess
import tempfile
import unittest
import urllib.request

from prometheus_client.openmetrics.parser import text_string_to_metric_families as read_openmetrics
from prometheus_client.parser import text_string_to_metric_families as read_text

from web import PROGRAMS, Web, free_port, until

HANDOFF = os.path.join(PROGRAMS, "paraph-handoff")
# Nothing listens there.
CONFIGURATION = """[spool]
path = {folder}/spool
[handoff]
metrics = {folder}/paraph.prom
pad = {folder}/pad
[sink folder]
type = directory
path = {folder}/out
[sink web]
type = http
url = http://127.0.0.1:1/
[sink broker]
type = mqtt
host = 127.0.0.1
port = 1
tls = no
topic = t
[timestamp]
url = http://127.0.0.1:1/
ca = {folder}/ca.pem
"""
OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"


def samples(families):
    return sorted((sample.name, sorted(sample.labels.items()), sample.value) for family in families for sample in family.samples)


class Metrics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        os.mkdir(f"{cls.folder}/out")
        open(f"{cls.folder}/ca.pem", "w").close()
        with open(f"{cls.folder}/handoff.conf", "w") as file:
            file.write(CONFIGURATION.format(folder=cls.folder))
        with open(f"{cls.folder}/log", "w") as log:
            handoff = subprocess.Popen([HANDOFF, "-c", f"{cls.folder}/handoff.conf"], stdout=log, stderr=log,
                                       env={"RUNTIME_DIRECTORY": cls.folder, "PATH": "/usr/bin:/bin"})
        cls.addClassCleanup(cls.end, handoff)
        until(lambda: os.path.exists(f"{cls.folder}/paraph.prom"), "paraph-handoff writes its metrics")
        cls.web = Web(f"{cls.folder}/pad", f"metrics = {cls.folder}/paraph.prom")
        cls.addClassCleanup(cls.web.close)

    @staticmethod
    def end(process):
        process.send_signal(signal.SIGTERM)
        process.wait(30)

    def get(self, accept=None):
        """The type and the text of the metrics."""
        connection = self.web.send("GET", "/metrics", None, {"Accept": accept} if accept else None)
        try:
            response = connection.getresponse()
            self.assertEqual(response.status, 200)
            return response.getheader("Content-Type"), response.read().decode()
        finally:
            connection.close()

    def test_both_formats_have_the_same_samples(self):
        kind, text = self.get()
        self.assertEqual(kind, "text/plain; version=0.0.4; charset=utf-8")
        kind, open_text = self.get("application/openmetrics-text; version=1.0.0")
        self.assertEqual(kind, OPENMETRICS)
        families = list(read_openmetrics(open_text))
        # It is written again, each minute at least; its time differs then.
        stable = "heartbeat_timestamp", "free_"
        plain, other = ([sample for sample in samples(found) if not any(word in sample[0] for word in stable)]
                        for found in (list(read_text(text)), families))
        self.assertEqual(plain, other)
        types = {family.name: family.type for family in families}
        self.assertEqual(types["paraph_handoff_delivered"], "counter")
        self.assertEqual(types["paraph_handoff_timestamps"], "counter")
        self.assertEqual(types["paraph_handoff_waiting"], "gauge")
        self.assertGreater(len(types), 15)

    def test_the_description_names_the_types_of_both_formats(self):
        _, description = self.web.ask("GET", "/v1/openapi.json")
        described = description["paths"]["/metrics"]["get"]["responses"]["200"]["content"]
        self.assertEqual(set(described), {self.get(accept)[0].partition(";")[0] for accept in (None, "application/openmetrics-text")})

    def test_prometheus_scrapes_openmetrics(self):
        port = free_port()
        with open(f"{self.folder}/prometheus.yml", "w") as file:
            # JSON is YAML.
            json.dump({"global": {"scrape_interval": "1s"}, "scrape_configs": [
                {"job_name": "paraph", "static_configs": [{"targets": [f"127.0.0.1:{self.web.port}"]}]}]}, file)
        with open(f"{self.folder}/prometheus.log", "w") as log:
            prometheus = subprocess.Popen(
                ["prometheus", f"--config.file={self.folder}/prometheus.yml",
                 f"--storage.tsdb.path={self.folder}/prometheus", f"--web.listen-address=127.0.0.1:{port}"],
                stdout=log, stderr=log)
        self.addCleanup(self.end, prometheus)

        def ask(path):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/{path}", timeout=10) as reply:
                    return json.load(reply)["data"]
            except OSError:
                return None

        def value(query):
            return [float(found["value"][1]) for found in (ask(f"query?query={query}") or {"result": []})["result"]]
        until(lambda: value("up") == [1], "Prometheus has read the metrics", 60)
        self.assertEqual(value("count(paraph_handoff_delivered_total)"), [3])
        # In the text format, the metadata would have the samples' name.
        kinds = {entry["metric"]: entry["type"] for entry in ask("targets/metadata")}
        self.assertEqual(kinds.get("paraph_handoff_delivered"), "counter", kinds)


if __name__ == "__main__":
    unittest.main()
