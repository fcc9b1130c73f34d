"""What a hand writes on a pad, and whether a signature is what it wrote."""
import json

from machine.pad import Pad
from machine.sentences import expect
from machine.signature import Signature


def written(seed, strokes=3):
    return Signature.synthetic(seed, Pad.BOX, strokes)


def check_samples(item, hand, pad):
    """strokes.json holds every report, in millimetres, in the order and with the times of the kernel."""
    recorded = json.loads(item.files["strokes.json"])
    expect(len(recorded["strokes"]) == len(hand.strokes), f"{len(recorded['strokes'])} strokes")
    times = [sample[0] for stroke in recorded["strokes"] for sample in stroke["samples"]]
    expect(times == sorted(set(times)), "the times do not grow")
    for stroke, meant in zip(recorded["strokes"], hand.strokes):
        units = [(round(x * pad.touch.units), round(y * pad.touch.units)) for _, x, y, *_ in stroke["samples"]]
        expect(units == pad.touch.units_of(meant), f"the samples are {units}\ninstead of {pad.touch.units_of(meant)}")
