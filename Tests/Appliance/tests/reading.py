"""Documents on the glass, on a real kernel: read by swipes and buttons, signed, and delivered with what was shown."""
import hashlib
import json
import shutil
import signal
import subprocess

from machine import png
from machine.hand import written
from machine.pad import RUNTIME, Pad
from machine.picture import Picture
from machine.sentences import Skipped, expect, test, until

from tests.requests import ASKED_ONLY, Asking, started

POPPLER = ("pdfinfo", "pdftoppm")
# In the width of the panel: taller than the area above the buttons, or not.
TALL, SHORT = (400, 400), (400, 180)
PAGES = [TALL, SHORT, SHORT, SHORT, TALL]
# Below the page, of which this many rows are on the glass: back, "2 of 7", forward, Sign. With Cancel before them, the
# others are narrower.
ROWS = 374
BACK, FORWARD, SIGN = (18, 77), (83, 77), (129, 77)
CANCEL = (14, 77)
# Beside the line to sign on, where Cancel is otherwise.
DOCUMENT = (18, 77)
NAME = "Contract 7.pdf"


def pdf(sizes):
    """A PDF with a page of each size in points; page n has n bars, and below them a wedge."""
    kids = " ".join(f"{3 + 2 * index} 0 R" for index in range(len(sizes)))
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {len(sizes)} >>"]
    for index, (width, height) in enumerate(sizes):
        bars = "".join(f"{20 + 30 * bar} {height - 60} 20 50 re f\n" for bar in range(index + 1))
        drawing = bars + f"10 10 m {width - 10} 10 l 10 {height - 70} l f\n"
        size = f"/MediaBox [0 0 {width} {height}]"
        objects.append(f"<< /Type /Page /Parent 2 0 R {size} /Contents {4 + 2 * index} 0 R >>")
        objects.append(f"<< /Length {len(drawing)} >>\nstream\n{drawing}endstream")
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\n"
    return out + f"{head}startxref\n{len(out)}\n%%EOF\n".encode()


def rendered(case, document):
    """The pages as pdftoppm renders them here."""
    path = case.path("pdf")
    with open(path, "wb") as file:
        file.write(document)
    command = ["pdftoppm", "-png", "-cropbox", "-scale-to-x", str(Pad.PIXELS[0]), "-scale-to-y", "-1", "-singlefile"]
    pages = range(1, len(PAGES) + 1)
    return [subprocess.run([*command, "-f", str(n), "-l", str(n), path], check=True, capture_output=True).stdout for n in pages]


def reader(case):
    """A pad at rest in a machine with poppler."""
    places = [shutil.which(name) for name in POPPLER]
    if None in places:
        raise Skipped("needs poppler-utils")
    pad = Pad(case, signature=ASKED_ONLY, programs=places)
    pad.start()
    return pad


class Reading(Asking):
    """`paraph sign --document` in the guest."""

    def reaches(self, state):
        super().reaches("reading page 1" if state == "invited" else state)

    def page(self):
        """The last page that was reported."""
        pages = [line.rpartition(" ")[2] for line in self.states() if " reading page " in line]
        return int(pages[-1])

    def turns(self, page):
        until(lambda: self.page() == page, f"page {page} is read")
        return self.pad.settled()


def swipe(pad, start, end):
    """A finger that moves in 20 steps and rests before it leaves, so that it is no flick."""
    steps = [[start[axis] + (end[axis] - start[axis]) * step / 20 for axis in (0, 1)] for step in range(1, 21)]
    moves = [line for x, y in steps for line in (f"move 0 {x:.2f} {y:.2f}", "frame", "wait 10")]
    pad.touch.do(f"down 0 {start[0]} {start[1]}", "frame", *moves, "wait 100", "up 0", "frame")


def onward(pad):
    swipe(pad, (120, 40), (40, 42))


def top(screen):
    return screen.part(0, 0, Pad.PIXELS[0], ROWS)


@test("a PDF of five pages is read by swipes and buttons, signed and delivered; the manifest agrees with pdftoppm")
def read_and_sign(case):
    pad = reader(case)
    pad.start_handoff()
    document = pdf(PAGES)
    pages = rendered(case, document)
    pad.control.push("/run/contract.pdf", document)
    options = ("--document", "/run/contract.pdf", "--document-name", NAME, "--json", "-o", "/run/ask.png")
    asking = Reading(pad, "--reference", "7", *options)
    first = pad.settled()
    case.same(top(first), Picture.from_png(pages[0]).part(0, 0, 800, ROWS), "page 1 is not what pdftoppm renders")
    onward(pad)
    asking.turns(2)
    pad.touch.tap(*FORWARD)
    third = asking.turns(3)
    pad.touch.tap(*BACK)
    asking.turns(2)
    swipe(pad, (40, 40), (120, 42))
    case.same(asking.turns(1), first, "page 1 looks otherwise when it is back")
    pad.touch.tap(*FORWARD)
    asking.turns(2)
    onward(pad)
    case.same(asking.turns(3), third, "page 3 looks otherwise when it is back")
    onward(pad)
    asking.turns(4)
    pad.touch.tap(*SIGN)
    pad.touch.tap(*FORWARD)
    asking.turns(5)
    # The end of the last page is below the glass.
    pad.touch.tap(*SIGN)
    swipe(pad, (70, 60), (72, 50))
    pad.touch.tap(*SIGN)
    pad.settled()
    expect(not any(line.endswith("invited") for line in asking.states()), "the person signs before the last page was shown")
    for _ in range(3):
        swipe(pad, (70, 60), (72, 15))
    last = Picture.from_png(pages[-1])
    end = top(pad.settled())
    # The area ends within a row.
    if end != last.part(0, last.height - ROWS - 1, 800, ROWS):
        case.same(end, last.part(0, last.height - ROWS, 800, ROWS), "the end of the last page is not at the end of its area")
    pad.touch.tap(*SIGN)
    Asking.reaches(asking, "invited")
    inked = pad.sign(written(401, strokes=2))
    pad.touch.tap(*DOCUMENT)
    until(lambda: "reading page 5" in asking.states()[-1], "the document is back where it was")
    pad.settled()
    pad.touch.tap(*SIGN)
    case.soon(pad.vm, inked, "the ink is not kept")
    pad.done()
    expect(asking.ended() == 0, f"paraph sign said {asking.states()}")
    (item,) = pad.delivered(1)
    shown = item.manifest["document"]
    expect(shown["name"] == NAME, f"the manifest names {shown['name']}")
    expect(shown["digest"] == hashlib.sha256(document).hexdigest(), "the document's digest is another one")
    digests = [hashlib.sha256(page).hexdigest() for page in pages]
    expect([page["digest"] for page in shown["pages"]] == digests, "the pages' digests are others than pdftoppm's")
    times = [page["seconds"] for page in shown["pages"]]
    expect(len(times) == len(PAGES) and min(times) > 0, f"the pages were on the glass for {times} s")
    reply = json.loads(pad.control.text("cat /run/ask.out"))
    expect(reply["id"] == item.name and reply["document"]["pages"] == shown["pages"], f"the reply is {reply}")
    expect(pad.control.pull("/run/ask.png") == item.files["signature.png"], "the picture of the reply is another one")
    print(f"  the pages were on the glass for {' '.join(f'{time:.1f}' for time in times)} s")
    pad.cleaned()


@test("a request is cancelled while its document is read, by the person and by a program that ends; nothing is published")
def read_and_cancel(case):
    pad = reader(case)
    pad.control.push("/run/contract.pdf", pdf(PAGES))
    asking = Reading(pad, "--document", "/run/contract.pdf", "--cancellable")
    onward(pad)
    asking.turns(2)
    pad.touch.tap(*CANCEL)
    expect(asking.ended() == 1, f"paraph sign said {asking.states()}")
    pad.cleaned()
    asking = Reading(pad, "--document", "/run/contract.pdf")
    # A shell starts what is in the background without SIGINT.
    pad.control.run("kill -TERM $(pidof paraph)")
    expect(asking.ended() == 128 + signal.SIGTERM, f"paraph sign said {asking.states()}")
    pad.cleaned()
    until(lambda: not pad.names(f"{RUNTIME}/documents"), "the pages are discarded")
    expect(not pad.names("/var/lib/paraph/spool/new"), "something was published")


@test("a text is typeset on pages whose texts, one after the other, are the whole text")
def read_text(case):
    pad, _ = started(case)
    pad.start_handoff()
    text = "".join(f"{number}. Die Miete beträgt {number * 7} €, fällig am 1. des Monats.\n" for number in range(1, 60))
    pad.control.push("/run/terms.txt", ("\ufeff" + text.replace("\n", "\r\n")).encode())
    asking = Reading(pad, "--document", "/run/terms.txt", "--early", "--language", "de")
    onward(pad)
    asking.turns(2)
    # Early: before the last page.
    pad.touch.tap(*SIGN)
    Asking.reaches(asking, "invited")
    pad.sign(written(402, strokes=1))
    pad.done()
    expect(asking.ended() == 0, f"paraph sign said {asking.states()}")
    (item,) = pad.delivered(1)
    rest, pages = text, item.manifest["document"]["pages"]
    for page in pages:
        digest = hashlib.sha256()
        for end, letter in enumerate(rest, 1):
            digest.update(letter.encode())
            if digest.hexdigest() == page["digest"]:
                break
        expect(digest.hexdigest() == page["digest"], f"no part of the text has the digest {page['digest']}")
        rest = rest[end:]
    expect(not rest, f"{len(rest)} characters are on no page")
    seen = [page["seconds"] > 0 for page in pages]
    expect(len(pages) > 2 and seen == [True, True] + [False] * (len(pages) - 2), f"the pages are {pages}")


@test("a pad at rest shows the pictures of its folder in turn, and none during a request")
def slides(case):
    colours = [(200, 30, 30), (30, 30, 200)]
    files = [(f"/etc/paraph/slides/{number}.png", png.encode(800, 480, 3, bytes(colour) * (800 * 480))) for number, colour in enumerate(colours)]
    pad = Pad(case, signature=ASKED_ONLY + "slides = /etc/paraph/slides\nslide-time = 5s\n", files=files)
    begun = pad.launch("paraphd", priority=-20)
    pad.vm.log.wait(f"{pad.name}", after=begun)
    corner = lambda: pad.vm.screen().pixel(400, 200)
    for colour in [*colours, colours[0]]:
        until(lambda: corner() == colour, f"the picture {colour} is shown", 30)
    asking = Asking(pad, "--cancellable", "--timeout", "60")
    asked = pad.settled()
    expect(asked.pixel(400, 200) not in colours, "a picture is shown during a request")
    # Longer than the time of a picture.
    pad.control.run("sleep 7")
    expect(pad.settled().pixel(400, 200) not in colours, "a picture is shown during a request")
    pad.control.run(f"paraph cancel --socket {RUNTIME}/org.paraph.Pad")
    expect(asking.ended() == 1, "the request was not cancelled")
    until(lambda: corner() in colours, "the pictures are back", 30)
