"""Two pads with one name, as after a disk image was copied."""
import time

import proxy
from engines import Failure, wait
from pads import BROKER, Pads

PORT = 1885
# Of both, from the first connection until both have delivered: each eviction pauses for half a minute or longer.
MOST_CONNECTIONS = 8
LINE = "another client has taken over the client id paraph-double; connecting again as paraph-double-"


def check(programs, folder, broker, arrivals):
    front = proxy.start((PORT, [broker.mqtt(node) for node in broker.nodes]))[0]
    take_turns(programs, f"{folder}/turns", broker, arrivals, front)
    use_both_ids(programs, f"{folder}/both", broker, arrivals, front)


def use_both_ids(programs, folder, broker, arrivals, front):
    """By the default client id, one pad evicts the other, which goes on as another client, until the broker restarts."""
    pads = Pads(programs, folder, 2, PORT, None, name="double", device="double")
    began, before = time.monotonic(), sum(front.connects.values())
    # RabbitMQ ends both of two clients that come at the same moment, and these have one machine's id.
    for name in pads.names:
        pads.sign(1, [name])
        pads.start([name])
        wait(f"{name} delivers", 60, lambda: pads.waiting([name]) == 0)
    wait("the first reports the other", 60, lambda: LINE in pads.log(pads.names[0]))
    pads.sign(5)
    wait("both deliver", 60, lambda: pads.waiting() == 0)
    wait("one counts it", 70, lambda: pads.metric("paraph_handoff_client_conflicts_total").get("broker", 0) >= 1)
    seconds, connections = time.monotonic() - began, sum(front.connects.values()) - before
    conflicts = pads.metric("paraph_handoff_client_conflicts_total")["broker"]
    pads.stop()
    print(f"  by the default client id, both have delivered and one has counted it after {seconds:.0f} s, with "
          f"{connections} connections and {conflicts:.0f} eviction", flush=True)
    expect_all(pads, arrivals, broker, "double")
    if (connections, conflicts) != (3, 1):
        raise Failure(f"{connections} connections and {conflicts:.0f} evictions, not 3 and 1")


def expect_all(pads, arrivals, broker, device):
    arrivals.receive(broker.amqp(1))
    wanted = {item for items in pads.published.values() for item, _ in items}
    if missing := wanted - set(arrivals.manifests[device]):
        raise Failure(f"{len(missing)} of {len(wanted)} signatures are missing")


def take_turns(programs, folder, broker, arrivals, front):
    """By a client id of their own, they evict each other after longer and longer pauses."""
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
    expect_all(pads, arrivals, broker, "twin")
    if connections > MOST_CONNECTIONS:
        raise Failure(f"{connections} connections, not {MOST_CONNECTIONS}")
