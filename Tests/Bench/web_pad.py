"""A signing paraphd and its paraph-web, for the benches: a hand that writes loops at 240 reports a second.

The environment names the folder of the programs (PARAPH_PROGRAMS).
"""
import math
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "Tests", "Web", "service"))

from web import PARAPHD, Live, Pad, Web, until  # noqa: E402
from pad import DEVICE  # noqa: E402  web.py knows where it is.

RATE = 240


def write_recording(path, lead, seconds):
    """Writes strokes of four fifths of a second from `lead` seconds on; returns their number of samples."""
    with open(DEVICE) as device:
        lines = [line for line in device if not line.startswith("E:")]
    samples, stroke = 0, None
    for report in range(round(RATE * seconds) + 1):
        at = report / RATE
        whole, phase = int(at), at % 1
        events = []
        if phase > 0.8 or report == round(RATE * seconds):
            if stroke is not None:
                events = ["0003 0039 -1", "0001 014a 0"]
            stroke = None
        else:
            x, y = 15 + 30 * (whole % 4) + 25 * phase + 7 * math.cos(16 * phase), 42 + 11 * math.sin(16 * phase)
            place = [f"0003 0035 {round(x * 20)}", f"0003 0036 {round(y * 20)}"]
            events = place if stroke is not None else [f"0003 0039 {report}", *place, "0001 014a 1"]
            stroke, samples = stroke if stroke is not None else report, samples + 1
        if events:
            lines.extend(f"E: {lead + at:.6f} {event}\n" for event in (*events, "0000 0000 0"))
    with open(path, "w") as recording:
        recording.writelines(lines)
    return samples


def start_pad(recording, display=""):
    """A pad of the default model with the scheduling of its service, where we may give it."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(10))
    except PermissionError:
        pass
    try:
        return Pad(
            PARAPHD, invite="always", control="mode = 0666\nwatch-strokes = yes", pixels="1024x571", display=display,
            recording=recording, ink="")
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


__all__ = [
    "PARAPHD", "ROOT", "Live", "Pad", "Web", "percentile", "start_pad", "until", "write_recording",
]
