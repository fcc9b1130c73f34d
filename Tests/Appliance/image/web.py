"""paraph-web where systemd starts it."""
import base64
import hashlib
import json
import re

from machine.board import CONFIGURATION, Board
from machine.hand import written
from machine.places import read, source
from machine.sentences import expect, test, until

ADDRESS = "127.0.0.1:8420"
# bash is the only program in the machine that speaks to a port.
ASK = """exec 3<>/dev/tcp/{host}/{port}
printf '%s %s HTTP/1.1\\r\\nHost: {address}\\r\\nConnection: close\\r\\nContent-Type: application/json\\r\\n' "$1" "$2" >&3
printf 'Content-Length: %d\\r\\n\\r\\n%s' "${{#3}}" "$3" >&3
cat <&3
"""


def asks(method, path, body=""):
    """A command that prints the response."""
    return f"bash /run/ask.sh {method} {path} '{body}'"


def parted(response):
    """The status and the JSON of a response."""
    head, _, body = response.partition("\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


@test("systemd starts paraph-web for the first client, closed as it says, and it ends when nobody uses it")
def web(case):
    board = Board(case)
    host, _, port = ADDRESS.partition(":")
    board.control.push("/run/ask.sh", ASK.format(host=host, port=port, address=ADDRESS))
    # Else the pad invites without a request.
    board.control.push("/etc/paraph/paraphd.conf", CONFIGURATION + "[pad]\ninvite = request\n")
    begun = board.vm.log.length()
    board.control.run("systemctl restart paraphd && systemctl enable --now paraph-web.socket")
    board.reads(after=begun)
    expect(not board.is_active("paraph-web"), "it runs before the first client")
    status, info = parted(board.control.text(asks("GET", "/v1/info")))
    expect((status, info["state"]) == (200, "idle"), f"it answers with {status} and {info}")
    user = board.control.text("stat -c %U /proc/$(pidof paraph-web)")
    expect(user == "paraph-web", f"it runs as {user}")

    body = json.dumps({"reference": "4711", "formats": ["png"]})
    board.control.start(f"{asks('POST', '/v1/sign', body)} >/run/reply; touch /run/replied")
    until(lambda: parted(board.control.text(asks("GET", "/v1/info")))[1]["state"] == "invited", "the pad asks")
    board.cleaned()
    board.send(written(321))
    until(lambda: board.control.status("test -e /run/replied")[0] == 0, "the request is answered")
    status, reply = parted(board.control.text("cat /run/reply"))
    expect((status, reply["state"]) == (200, "saved"), f"the request ended with {status} and {reply['state']}")
    (item,) = board.delivered(1)
    expect(item.manifest["reference"] == "4711", f"the manifest is {item.manifest}")
    png = base64.b64decode(reply["signature"]["png"])
    expect(hashlib.sha256(png).hexdigest() == item.manifest["files"]["signature.png"], "the reply has another picture")

    row = re.search(r"Its exposure is ([0-9.]+) by `systemd-analyze security`", read(source("config", "security.md")).decode())
    lines = board.control.text("systemd-analyze security --no-pager paraph-web.service").splitlines()
    exposure = float(lines[-1].split(":")[1].split()[0])
    print(f"  paraph-web.service: {exposure}")
    expect(exposure <= 1.5 and exposure == float(row[1]), f"security.md says {row[1]} of paraph-web, which has {exposure}")

    until(lambda: not board.is_active("paraph-web"), "it ends when it is unused", 150)
    failed = board.control.text("systemctl list-units --failed --plain --no-legend")
    expect("paraph-web" not in failed, f"units have failed: {failed}")
    expect(parted(board.control.text(asks("GET", "/v1/info")))[0] == 200, "it does not answer again")
