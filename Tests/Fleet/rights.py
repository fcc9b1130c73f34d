"""What the users of config/fleet/rabbitmq.json may do, and that nobody gets in before they have passwords."""
import socket

import mqtt
from amqp import Channel, Consumer
from engines import EVENTS, QUEUE, USERS, Failure


def answer(port, user, *, password=None, topic=None):
    """The reason code of a connection, or of a subscription to a topic (MQTT 5); nothing: the broker ended the connection."""
    awaited = 9 if topic else 2
    with socket.create_connection(("127.0.0.1", port), 20) as client:
        client.settimeout(20)
        client.sendall(mqtt.connect(b"rights-" + user, user, password=password))
        rest, code = b"", None
        while code is None:
            try:
                data = client.recv(65536)
            except ConnectionResetError:
                return None
            if not data:
                return None
            packets, rest = mqtt.split(rest + data)
            for kind, content in packets:
                if kind >> 4 == awaited:
                    # Of CONNACK it follows the flags, and is the last of SUBACK.
                    code = content[1] if awaited == 2 else content[-1]
                elif kind >> 4 == 2:
                    if content[1]:
                        raise Failure(f"{user} cannot connect: {content[1]:#x}")
                    client.sendall(mqtt.packet(0x82, b"\0\1\0" + mqtt.text(topic) + b"\0"))
        return code


def is_allowed(work):
    try:
        work().end()
        return True
    except ConnectionError:
        return False


def declare(port, user):
    channel = Channel(port, user, user, 20)
    channel.declare(f"{user}-own")
    return channel


def may_receive(broker, user, queue):
    return is_allowed(lambda: Consumer(broker.amqp(1), queue, user, user, 20))


def check_closed(broker):
    """Without passwords, nobody gets in."""
    for user in USERS:
        for password in ("", user):
            if answer(broker.mqtt(1), user.encode(), password=password.encode()) == 0:
                raise Failure(f"{user} gets in before it has a password (MQTT)")
            if is_allowed(lambda: Channel(broker.amqp(1), user, password, 20)):
                raise Failure(f"{user} gets in before it has a password (AMQP)")


def check(broker):
    """Pads publish, and neither subscribe, receive nor declare; receivers read queues of their own, and no other.

    An operator shows that each would be noticed.
    """
    broker.control(1, "add_user", "operator", "operator")
    broker.control(1, "set_permissions", "operator", ".*", ".*", ".*")
    for user, may in (("operator", True), ("pads", False)):
        if answer(broker.mqtt(1), user.encode()) != 0:
            raise Failure(f"{user} cannot connect")
        code = answer(broker.mqtt(1), user.encode(), topic=b"paraph/#")
        found = {
            "subscribe": code is not None and code < 0x80,
            "declare": is_allowed(lambda: declare(broker.amqp(1), user)),
            "receive": may_receive(broker, user, QUEUE),
        }
        for action, allowed in found.items():
            if allowed != may:
                raise Failure(f"{user} may {'not ' * may}{action}")
    for user, own in (("receiver", QUEUE), ("monitor", EVENTS)):
        if is_allowed(lambda: declare(broker.amqp(1), user)):
            raise Failure(f"{user} may declare")
        for queue in (QUEUE, EVENTS):
            if may_receive(broker, user, queue) != (queue == own):
                raise Failure(f"{user} may {'not ' * (queue == own)}receive from {queue}")
    broker.control(1, "delete_queue", "operator-own")
    broker.control(1, "delete_user", "operator")
