"""Ink on a page's canvas: Paraph.Pad, and signature_pad in the same Chromium if there is a copy of it.

usage: [SIGNATURE_PAD=folder] canvas.py. The folder is a copy of github.com/szimek/signature_pad with its built dist or
docs. Prints, for one and for two pixels of the screen per CSS pixel: nanoseconds per sample of a signature's data
(fromData), and microseconds per segment of the same signature by pointer events; what such events take that nobody
draws; then, if there is the folder, the first two of signature_pad, and two ratios. All are medians, of interleaved
rounds. The second ratio is without what the events take that nobody draws.

Both get the same samples, canvas, widths of the pen and calls: those that their interfaces share. Options that would
let signature_pad skip samples are off. Drawing is part of all times: the browser records what is drawn and fills paths
when a frame or its pixels are asked for, so that a pixel is read after a signature's data, and once for each 1/60 s of
pointer events. The canvas is drawn by the processor.
"""
import os
import re
import statistics
import sys

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "Tests", "Web", "pages"))
from browser import Browser  # noqa: E402
from server import Server  # noqa: E402

ROUNDS = 21
RECORDING = os.path.join(ROOT, "Tests", "Fixtures", "signature.evemu")
# Those of its releases, and that of its page, which its repository has.
BUILDS = ("dist/signature_pad.umd.js", "dist/signature_pad.umd.min.js", "docs/js/signature_pad.umd.min.js")
# The glass of the recording, 154 × 86 mm, in CSS pixels.
WIDTH, HEIGHT = 582, 325

SET_UP = """
const [strokes, width, height, ratio, theirs] = given;
const now = Date.now();
const frame = 1000 / 60;
const data = strokes.map((stroke) => ({
  points: stroke.map(([time, x, y]) => ({ time: now + time, x, y, pressure: 0 })),
}));
const count = strokes.flat().length;

// Both take the time of a stroke's points from here.
const realDate = Date;
let moment = null;
window.Date = class extends realDate {
  constructor(...values) { if (values.length || moment === null) super(...values); else super(moment); }
  static now() { return moment ?? realDate.now(); }
};

function contestant(create) {
  const canvas = document.createElement("canvas");
  canvas.style.cssText = `position: absolute; left: 0; top: 0; width: ${width}px; height: ${height}px`;
  [canvas.width, canvas.height] = [width * ratio, height * ratio];
  document.body.append(canvas);
  const options = { minWidth: 0.5, maxWidth: 2.5, throttle: 0, minDistance: 0 };
  return { canvas, context: canvas.getContext("2d"), pad: create(canvas, options) };
}

const contestants = [contestant((canvas, options) => new Paraph.Pad(canvas, options))];
if (theirs) {
  contestants.push(contestant((canvas, options) => {
    canvas.getContext("2d").scale(ratio, ratio);
    return new SignaturePad(canvas, options);
  }));
}
/** Takes the events as both do, and changes a pixel: what the browser itself takes. */
function listen(canvas, options) {
  const context = canvas.getContext("2d");
  const draw = (event) => {
    event.preventDefault();
    context.fillRect(0, 0, 1, 1);
  };
  const end = (event) => {
    draw(event);
    for (const [type, listener] of moves) window.removeEventListener(type, listener);
  };
  const moves = [["pointermove", draw], ["pointerup", end], ["pointercancel", end]];
  canvas.addEventListener("pointerdown", (event) => {
    draw(event);
    for (const [type, listener] of moves) window.addEventListener(type, listener, { passive: false });
  });
  return { clear() { context.clearRect(0, 0, canvas.width, canvas.height); }, fromData() {}, toData: () => data };
}
contestants.push(contestant(listen));
if (contestants.some(({ canvas }) => canvas.width !== width * ratio)) throw new Error("the canvases differ in size");

/** Waits until the pixels are there. */
const finish = ({ context }) => context.getImageData(0, 0, 1, 1);

/** Nanoseconds per sample. */
function drawData(contestant) {
  contestant.pad.clear();
  finish(contestant);
  const start = performance.now();
  contestant.pad.fromData(data, { clear: false });
  finish(contestant);
  return (1e6 * (performance.now() - start)) / count;
}

/** Microseconds per segment: an event for each sample, with its time. */
function drawEvents(contestant) {
  contestant.pad.clear();
  finish(contestant);
  const { canvas } = contestant;
  const make = (type, { x, y, time }) => {
    const event = new PointerEvent(type, {
      clientX: x, clientY: y, buttons: type === "pointerup" ? 0 : 1, pointerId: 1, pointerType: "touch", bubbles: true,
      cancelable: true, isPrimary: true,
    });
    Object.defineProperty(event, "timeStamp", { value: time - performance.timeOrigin });
    return [event, time];
  };
  let [spent, segments] = [0, 0];
  for (const { points } of data) {
    const events = points.map((point, index) => make(index ? "pointermove" : "pointerdown", point));
    events.push(make("pointerup", points.at(-1)));
    let shown = points[0].time;
    const start = performance.now();
    for (const [event, time] of events) {
      moment = time;
      canvas.dispatchEvent(event);
      if (time - shown < frame) continue;
      shown = time;
      finish(contestant);
    }
    finish(contestant);
    spent += performance.now() - start;
    segments += points.length - 1;
  }
  moment = null;
  const drawn = contestant.pad.toData().reduce((sum, group) => sum + group.points.length, 0);
  if (drawn < count || drawn > count + data.length) throw new Error(`${drawn} of ${count} samples were drawn`);
  return (1000 * spent) / segments;
}

const results = [];
for (const draw of [drawData, drawEvents]) {
  const rounds = [];
  // The first rounds are compiled as they run.
  for (let round = -3; round < given[5]; round++) {
    const times = contestants.map(draw);
    if (round >= 0) rounds.push(times);
    // Lets the browser do what it does between two frames.
    await new Promise((resolve) => setTimeout(resolve));
  }
  results.push(rounds);
}
return results;
"""


def strokes():
    """Samples (milliseconds, x, y in CSS pixels) of the recorded strokes, without the touch of Done."""
    found, place, place_changed, is_down = [], [0, 0], False, False
    pixels = 96 / 25.4 / 20
    with open(RECORDING) as recording:
        for line in recording:
            if not line.startswith("E:"):
                continue
            _, time, kind, code, value = line.split()
            if (kind, code) == ("0003", "0039"):
                is_down = int(value) >= 0
                if is_down:
                    found.append([])
            elif kind == "0003" and code in ("0035", "0036"):
                place["0035 0036".split().index(code)], place_changed = int(value) * pixels, True
            elif kind == "0000" and is_down and place_changed:
                found[-1].append((float(time) * 1000, *place))
                place_changed = False
    return found[:-1]


def source():
    """The text that defines SignaturePad; None without a folder."""
    folder = os.environ.get("SIGNATURE_PAD")
    if not folder:
        return None
    for path in (os.path.join(folder, build) for build in BUILDS):
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            version = re.search(r"Signature Pad v(\S+)", text)
            print(f"bench: signature_pad {version[1] if version else 'of unknown version'}: {path}", file=sys.stderr)
            return text
    sys.exit(f"bench: {folder} has none of {', '.join(BUILDS)}; not measured")


def measure(browser, server, ratio, theirs):
    browser.command("Emulation.setDeviceMetricsOverride", width=800, height=600, deviceScaleFactor=ratio, mobile=False)
    browser.open(server.address + "/blank")
    if theirs:
        browser.driver.execute_script(theirs)
    rounds = browser.run(SET_UP, strokes(), WIDTH, HEIGHT, ratio, bool(theirs), ROUNDS)
    data, events = ([statistics.median(times) for times in zip(*part)] for part in rounds)
    figures = [data[0], events[0], events[-1]]
    if theirs:
        figures += [data[1], events[1]]
        figures.append(statistics.median(ours / other for ours, other, _ in rounds[0]))
        figures.append(statistics.median((ours - alone) / (other - alone) for ours, other, alone in rounds[1]))
    return figures


theirs, server, browser = source(), Server(), Browser()
try:
    print(*(figure for ratio in (1, 2) for figure in measure(browser, server, ratio, theirs)))
finally:
    browser.close()
    server.shutdown()
