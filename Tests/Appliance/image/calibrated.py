"""`paraph calibrate` where udev is: its rule, the property that udev makes of it, and the pad that heeds it."""
import re

from machine.board import TOUCH, Board
from machine.calibrator import TOLD, skewed, start, status, through_glass, touch_targets, under_finger
from machine.hand import written
from machine.sentences import expect, test, until

RULES, PROPERTY = "/etc/udev/rules.d/99-paraph-calibration.rules", "LIBINPUT_CALIBRATION_MATRIX"


@test("paraph calibrate writes a rule that udev takes as it stands, and the pad writes under the finger")
def calibrated(case):
    board, hand = Board(case), written(97, strokes=1)
    board.control.run("systemctl stop paraphd")
    start(board, "calibrate")
    touched = touch_targets(board)
    told = board.control.text(f"cat {TOLD}")
    expect(status(board) == "0" and len(touched) == 7, f"it ended with {status(board)} after {len(touched)} targets: {told}")
    matrix = re.search(rf'{PROPERTY}="(.*)"', told)[1]
    # What it says is to be done next, word by word.
    advice = re.search(r"udevadm control --reload && udevadm trigger --action=change (/dev/input/event\d+)", told)
    node = board.touch.node()
    expect(advice[1] == node, f"it speaks of {advice[1]}, and the touchscreen is {node}")
    board.control.run(advice[0])
    has = lambda: f"{PROPERTY}={matrix}" in board.control.text(f"udevadm info --query=property {node}").splitlines()
    until(has, "udev has given the property to the touchscreen")
    tried = board.control.status(f"udevadm test --action=add $(udevadm info --query=path {node}) 2>&1")[1].decode()
    complaints = [line for line in tried.splitlines() if RULES in line and "Reading rules file" not in line]
    expect(f"{PROPERTY}={matrix}" in tried and not complaints, f"udevadm test: {complaints or tried}")
    expect(f"calibration matrix {matrix}\n" in board.control.text("paraph devices") + "\n", "paraph devices does not show it")
    begun = board.vm.log.length()
    board.control.run("systemctl start paraphd")
    until(lambda: board.is_active("paraphd"), "the pad is back")
    board.reads(after=begun)
    board.sign(through_glass(hand))
    board.touch.tap(*skewed(*board.DONE))
    board.published(after=begun)
    (item,) = board.delivered(1)
    under_finger(item.strokes()[0], hand.strokes[0])
    replugged(board, matrix)


def replugged(board, matrix):
    """Plugged in again, it has the property from the start."""
    board.touch.unplug()
    until(lambda: board.control.status("test -e /dev/input/touchscreen")[0], "its name is gone")
    begun = board.vm.log.length()
    board.touch.plug("uinput")
    board.reads(after=begun)
    found = board.control.text(f"udevadm info --query=property {board.touch.node()}")
    expect(f"{PROPERTY}={matrix}" in found.splitlines(), f"{TOUCH} came without it: {found}")
