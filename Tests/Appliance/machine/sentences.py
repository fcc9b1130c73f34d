"""A test is a function under a sentence that says what must hold."""
import sys
import time
import traceback

from machine.evidence import Evidence
from machine.places import PATIENCE

TESTS = []
# Those that run by their names alone: `make soak` gives them.
NAMED = []


class Broken(Exception):
    """An expectation that did not hold."""


class Skipped(Exception):
    """Why a test could not run here."""


def test(sentence, among=TESTS):
    """Registers a function under a sentence. It is called with a Case."""

    def register(function):
        if function.__name__ in (name for name, _, _ in TESTS + NAMED):
            raise ValueError(f"two tests are named {function.__name__}")
        among.append((function.__name__, sentence, function))
        return function

    return register


def expect(holds, sentence):
    if not holds:
        raise Broken(sentence)


def until(condition, sentence, timeout=60):
    """The condition's first true value, asked for at most timeout seconds, or on a board PATIENCE times as long."""
    timeout *= PATIENCE
    begun = time.monotonic()
    while True:
        if value := condition():
            return value
        waited = time.monotonic() - begun
        if waited > timeout:
            raise Broken(f"not within {timeout} s: {sentence}")
        # The longer it waits, the less often it asks: the machine needs the processor.
        time.sleep(min(max(waited / 20, 0.02), 0.25))


def chosen(name):
    """(name, sentence, function) of a test."""
    for test in TESTS + NAMED:
        if test[0] == name:
            return test
    sys.exit(f"appliance: there is no test {name}; there are: {' '.join(name for name, _, _ in TESTS + NAMED)}")


def one(name, sentence, function, make_case):
    """Runs one test and prints its line: passed, failed or skipped."""
    begun, evidence = time.monotonic(), Evidence(name)
    case = make_case(evidence)
    try:
        function(case)
        result, reason = "passed", ""
    except Skipped as skipped:
        result, reason = "skipped", f": {skipped}"
    except Exception as error:  # whatever it is, the next test runs
        reason = str(error) if isinstance(error, Broken) else traceback.format_exc().rstrip()
        case.testify()
        evidence.text("reason", reason + "\n")
        result, reason = "failed", f": {reason}\n  left behind: {evidence.folder}"
    finally:
        case.end()
    print(f"{result}: {sentence} [{name}, {time.monotonic() - begun:.1f} s]{reason}", flush=True)
    return result
