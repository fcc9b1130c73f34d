"""Two pads with one name, as after a disk image was copied."""
import time

import proxy
from engines import Failure, wait
from pads import BROKER, Pads

PORT = 1885
# Of both, from the first connection until both have delivered: each eviction pauses for half a minute or longer.
MOST_CONNECTIONS = 8


def check(programs, folder, broker, arrivals):
    front = proxy.start((PORT, [broker.mqtt(node) for node in broker.nodes]))[0]
    pads = Pads(programs, folder, 2, PORT, None, template=BROKER + "client-id = twin\n", name="twin", device="twin")
    began = time.monotonic()
    pads.start()
    wait("both report the other", 240, lambda: all(
        "another client has taken over the client id twin" in pads.log(name) for name in pads.names))
    reported = time.monotonic() - began
    # Each delivers in its turn.
    pads.sign(5)
    wait("both deliver", 300, lambda: pads.waiting() == 0)
    wait("both count it", 30, lambda: pads.metric("paraph_handoff_client_conflicts_total").get("broker", 0) >= 2)
    connections = sum(front.connects.values())
    conflicts = pads.metric("paraph_handoff_client_conflicts_total")["broker"]
    seconds = time.monotonic() - began
    pads.stop()
    print(f"  both report it after {reported:.0f} s; both have delivered after {seconds:.0f} s, with {connections} "
          f"connections and {conflicts:.0f} evictions", flush=True)
    arrivals.receive(broker.amqp(1))
    wanted = {item for items in pads.published.values() for item, _ in items}
    if wanted - set(arrivals.manifests["twin"]):
        raise Failure(f"{len(wanted - set(arrivals.manifests['twin']))} of {len(wanted)} signatures are missing")
    if connections > MOST_CONNECTIONS:
        raise Failure(f"{connections} connections, not {MOST_CONNECTIONS}")
