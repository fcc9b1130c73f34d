"""A broker that accepts clients, and ends the connection at a message while the file FOLDER/refuse exists, as RabbitMQ 4.0
does where its access list denies the topic; with a text in it, only where the topic contains that. Else it acknowledges the
message. It writes the topic of each message as a line of FOLDER/topics, and what each client says of itself into
FOLDER/clients. While FOLDER/reject exists, it rejects the credentials (MQTT 5, 0x86).

usage: refuse.py FOLDER PORTFILE
"""
import os
import socket
import sys

from common import announce

folder, portfile = sys.argv[1:3]


def packet(file):
    """The type and the content of the next packet (MQTT 5, section 2.1)."""
    kind = file.read(1)
    size, shift = 0, 0
    while kind:
        byte = file.read(1)[0]
        size |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
    return kind and kind[0] >> 4, file.read(size)


def serve(client):
    file = client.makefile("rb")
    while True:
        kind, content = packet(file)
        if not kind:
            return
        if kind == 1:
            with open(folder + "/clients", "ab") as clients:
                clients.write(content)
            if os.path.exists(folder + "/reject"):
                client.sendall(b"\x20\x03\0\x86\0")
                return
            client.sendall(b"\x20\x03\0\0\0" if content[6] == 5 else b"\x20\x02\0\0")
        elif kind == 3:
            topic = int.from_bytes(content[:2], "big")
            name = content[2:2 + topic]
            with open(folder + "/topics", "ab") as topics:
                topics.write(name + b"\n")
            try:
                with open(folder + "/refuse", "rb") as denied:
                    if denied.read() in name:
                        return
            except FileNotFoundError:
                pass
            client.sendall(b"\x40\x02" + content[2 + topic:4 + topic])


with socket.socket() as server:
    server.bind(("127.0.0.1", 0))
    server.listen()
    announce(portfile, server.getsockname()[1])
    while True:
        with server.accept()[0] as client:
            serve(client)
