"""The other side of the engines: what has arrived, compared with what was published."""
import collections
import hashlib
import http.client
import json
import urllib.parse
import urllib.request
import xml.etree.ElementTree

from amqp import Consumer
from engines import BUCKET, EVENTS, QUEUE, Failure


class Arrivals:
    """What a receiver has, by pad: the manifests, how often each came, and in which order."""

    def __init__(self, name):
        self.name = name
        self.manifests = collections.defaultdict(dict)
        self.pictures = {}
        self.messages = collections.Counter()
        self.late = 0

    def manifest(self, pad, item, body):
        manifest = json.loads(body)
        if manifest["id"] != item:
            raise Failure(f"{self.name}: {pad}: the manifest of {item} has another id")
        known = self.manifests[pad]
        if item not in known and known and manifest["sequence"] < max(entry["sequence"] for entry in known.values()):
            self.late += 1
        known[item] = manifest

    def check(self, published, repeats, rejected=frozenset()):
        """Everything has arrived but what was rejected; ids and sequences say the same; whole pictures; few repeats."""
        total = 0
        for pad, items in published.items():
            arrived = sorted((manifest["sequence"], item) for item, manifest in self.manifests[pad].items())
            wanted = sorted((sequence, item) for item, sequence in items if item not in rejected)
            total += len(wanted)
            if arrived != wanted:
                missing, more = set(wanted) - set(arrived), set(arrived) - set(wanted)
                raise Failure(f"{self.name}: {pad}: {len(missing)} of {len(wanted)} missing, {len(more)} unknown")
            if sorted(sequence for _, sequence in items) != list(range(1, len(items) + 1)):
                raise Failure(f"{self.name}: {pad}: the sequence has gaps")
            for item, manifest in self.manifests[pad].items():
                if not self.whole(item, manifest["files"]["signature.png"]):
                    raise Failure(f"{self.name}: {pad}: the picture of {item} is not what was signed")
        share = repeats / total if total else 0
        print(f"  {self.name:7} {total} arrived, {repeats} repeats ({share:.3%}), {self.late} after a later one", flush=True)
        return share

    def whole(self, item, digest):
        return self.pictures.get(item) == digest


class BrokerArrivals(Arrivals):
    """Takes the messages out of the quorum queue."""

    def __init__(self):
        super().__init__("broker")

    def receive(self, port, patience=10):
        consumer = Consumer(port, QUEUE, "receiver", "receiver", patience)
        try:
            while True:
                key, body = consumer.receive()
                _, pad, _, item, kind = key.split(".")
                self.messages[item, kind] += 1
                if kind == "manifest":
                    self.manifest(pad, item, body)
                else:
                    self.pictures[item] = hashlib.sha256(body).hexdigest()
        except TimeoutError:
            pass
        finally:
            consumer.close()

    @property
    def repeats(self):
        return sum(count - 1 for (_, kind), count in self.messages.items() if kind == "manifest")


def pads_with_events(port, patience=5):
    """The pads whose status is in the queue of events. Takes the messages out of it."""
    consumer, found = Consumer(port, EVENTS, "monitor", "monitor", patience), set()
    try:
        while True:
            key, body = consumer.receive()
            status = json.loads(body)
            if key != f"paraph.{status['device']}.events" or status["status"] != "online":
                raise Failure(f"an event of another pad, or not online: {key} {body[:200]}")
            found.add(status["device"])
    except TimeoutError:
        return found
    finally:
        consumer.close()


class StoreArrivals(Arrivals):
    """Lists the bucket and reads the manifests, as a receiver does that may only read.

    Many pictures are equal: those with the ETag of one that was read, which is a digest of the content, are not read again.
    """

    def __init__(self):
        super().__init__("store")
        self.digests = {}

    def receive(self, port):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

        def get(path):
            connection.request("GET", path)
            reply = connection.getresponse()
            body = reply.read()
            if reply.status != 200:
                raise Failure(f"store: GET {path}: {reply.status} {body[:200]}")
            return body

        space = "{http://s3.amazonaws.com/doc/2006-03-01/}"
        token, keys = "", []
        while True:
            more = f"&continuation-token={urllib.parse.quote(token, safe='')}" if token else ""
            page = xml.etree.ElementTree.fromstring(get(f"/{BUCKET}?list-type=2&max-keys=1000{more}"))
            keys += [(entry.findtext(space + "Key"), entry.findtext(space + "ETag"))
                     for entry in page.iter(space + "Contents")]
            token = page.findtext(space + "NextContinuationToken")
            if not token:
                break
        for key, tag in keys:
            pad, item, file = key.split("/")
            if file == "signature.json":
                if item not in self.manifests[pad]:
                    self.manifest(pad, item, get(f"/{BUCKET}/{key}"))
            elif item not in self.pictures:
                if tag not in self.digests:
                    self.digests[tag] = hashlib.sha256(get(f"/{BUCKET}/{key}")).hexdigest()
                self.pictures[item] = self.digests[tag]
