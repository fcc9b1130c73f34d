"""The oldest broker that is supported: Debian 12's RabbitMQ 3.10, which speaks MQTT 3.1.1 only."""
import signal

import proxy
from engines import Broker, Failure, wait
from pads import BROKER, Pads
from receivers import BrokerArrivals

PORT, COUNT, SIGNATURES = 1884, 50, 10


def check(programs, folder, root):
    broker = Broker(root, name="o", offset=100)
    broker.start()
    broker.define()
    version = broker.control(1, "version").strip()
    proxy.start((PORT, [broker.mqtt(node) for node in broker.nodes]))
    pads = Pads(programs, folder, COUNT, PORT, None, template=BROKER + "protocol = 3.1.1\n", name="older")
    pads.start()
    pads.sign(SIGNATURES)
    # In the middle of deliveries, or after them: the next ones come without this node.
    broker.stop(signal.SIGKILL, 3)
    pads.sign(SIGNATURES)
    wait("everything is delivered to two of three nodes", 180, lambda: pads.waiting() == 0)
    pads.stop()
    arrivals = BrokerArrivals()
    arrivals.receive(broker.amqp(2))
    print(f"  RabbitMQ {version}, protocol = 3.1.1", flush=True)
    arrivals.check(pads.published, arrivals.repeats)
    if pads.failed():
        raise Failure(f"{pads.failed()} signatures are in failed/")
    broker.stop(signal.SIGKILL, 1, 2)
