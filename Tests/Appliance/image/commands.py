"""The tool `paraph` on a booted machine, and a clock that 32 bits cannot hold."""
import json

from machine.board import Board
from machine.hand import check_samples, written
from machine.sentences import expect, test, until


def asks(board, *options):
    """Starts `paraph sign`, whose files are /run/ask.*, and waits until the pad asks."""
    words = " ".join(f"'{option}'" for option in options)
    board.control.start(f"paraph sign --verbose {words} >/run/ask.out 2>/run/ask.err; echo $? >/run/ask.status")
    until(lambda: "invited" in board.control.so_far("/run/ask.err"), "the pad asks")


def answered(board):
    """The exit status of `paraph sign`."""
    return int(until(lambda: board.control.so_far("/run/ask.status"), "paraph sign ends"))


def listed(board, *places):
    return json.loads(board.control.text("paraph spool list --json " + " ".join(places)))


@test("paraph sign writes the signature that the person wrote; paraph spool lists, shows and exports it until it is delivered")
def commands(case):
    board, hand = Board(case), written(301)
    board.control.run("systemctl stop paraph-handoff")
    asks(board, "--title", "Parcel 4711", "--reference", "4711", "-o", "/run/ask.png", "-o", "/run/ask.json")
    board.sign(hand)
    board.done()
    status = answered(board)
    expect(status == 0, f"paraph sign ends with {status}: {board.control.text('cat /run/ask.err')}")
    name = board.control.text("cat /run/ask.out")
    (entry,) = listed(board)
    expect((entry["place"], entry["id"]) == ("new", name), f"paraph spool list has {entry}")
    shown = json.loads(board.control.text(f"paraph spool show --json {name[:8]}"))
    expect(shown["id"] == name, f"paraph spool show has {shown}")
    board.control.run("mkdir /run/stick && paraph spool export --all -o /run/stick")
    copied = board.item("/run/stick", name)
    board.control.run("systemctl start paraph-handoff")
    (item,) = board.delivered(1)
    check_samples(item, hand, board)
    expect(copied.files == item.files, "the exported signature differs from the delivered one")
    expect(item.manifest["reference"] == "4711", f"the manifest has {item.manifest['reference']}")
    expect(board.control.pull("/run/ask.png") == item.files["signature.png"], "paraph sign wrote another picture")
    expect(not listed(board, "new", "failed"), "paraph spool list still has it")
    drawn = board.control.status(f"paraph render /run/stick/{name}/strokes.json -o /run/drawn.svg && test -s /run/drawn.svg")
    expect(drawn[0] == 0, f"paraph render does not draw the exported strokes: {drawn[1].decode()}")
    strokes = json.loads(board.control.pull("/run/ask.json"))
    expect(len(strokes) == len(hand.strokes), f"paraph sign wrote {len(strokes)} strokes")


@test("with the clock in 2040, the daemons start, and a signature is signed, delivered and listed with that time")
def year_2040(case):
    board, hand = Board(case), written(302)
    board.control.run("systemctl stop paraphd paraph-handoff && date -u -s '2040-02-29 12:00:00'")
    begun = board.vm.log.length()
    board.control.run("systemctl start paraphd")
    board.reads(after=begun)
    asks(board, "--reference", "2040", "--timeout", "3600")
    board.sign(hand)
    board.done()
    expect(answered(board) == 0, "paraph sign fails")
    (entry,) = listed(board)
    expect(entry["time"].startswith("2040-02-29T12:"), f"paraph spool list has {entry}")
    board.control.run("systemctl start paraph-handoff")
    (item,) = board.delivered(1)
    check_samples(item, hand, board)
    expect(item.manifest["time"].startswith("2040-02-29T12:"), f"the manifest has {item.manifest['time']}")
    written_in = board.control.text(f"date -u -r /var/lib/paraph/outbox/{item.name}/signature.png +%Y")
    expect(written_in == "2040", f"the delivered file has the year {written_in}")
    status, findings = board.doctor()
    expect(status == 0, f"the doctor ends with {status}: {[found for found in findings if found['verdict'] == 'wrong']}")
