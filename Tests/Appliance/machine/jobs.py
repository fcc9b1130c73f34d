"""All tests, several at a time: each in a process of its own, which a hung one does not outlive."""
import concurrent.futures
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as tree

from machine.places import PATIENCE, source

# How a process that ran one test ends.
STATUS = {"passed": 0, "failed": 1, "skipped": 77}
RESULT = {status: result for result, status in STATUS.items()}

# In seconds. A test takes 5 to 30 where nothing else runs.
LIMIT = 600 * PATIENCE


def run(script, names, spare=0):
    """Runs the tests by `script NAME`, prints what they print as they end, and at the end what was skipped or failed, and
    why; the exit status. A report is in .build/reports/appliance.xml.

    JOBS says how many at a time: by default as many as there are processors, and `spare` more where machines wait for part
    of their time.
    """
    begun, counts, suite = time.monotonic(), {result: 0 for result in STATUS}, tree.Element("testsuite", name="appliance")
    environment = {name: value for name, value in os.environ.items() if name != "KERNEL"}
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS") or (os.cpu_count() or 1) + spare)) as pool:
        running = {pool.submit(one, script, name, environment): name for name in names}
        for ended in concurrent.futures.as_completed(running):
            result, said = ended.result()
            counts[result] += 1
            print(said, end="", flush=True)
            case = tree.SubElement(suite, "testcase", classname=running[ended], name=running[ended])
            if result != "passed":
                tree.SubElement(case, "skipped" if result == "skipped" else "failure").text = reason(said)
    report(suite)
    summary = ", ".join(f"{count} {result}" for result, count in counts.items())
    print(f"{summary} ({time.monotonic() - begun:.0f} s)")
    for result in ("skipped", "failure"):
        for case in suite.iterfind(f"testcase[{result}]"):
            print(f"  {'failed' if result == 'failure' else result}: {case.get('name')}: {case.findtext(result)}")
    return STATUS["failed"] if counts["failed"] else 0


def reason(said):
    """Behind the duration of the line that `sentences.one` prints last."""
    _, _, text = said.rpartition(" s]: ")
    return text.strip()


def report(suite):
    folder = source(".build", "reports")
    os.makedirs(folder, exist_ok=True)
    root = tree.Element("testsuites")
    root.append(suite)
    tree.ElementTree(root).write(os.path.join(folder, "appliance.xml"), encoding="utf-8", xml_declaration=True)


def one(script, name, environment):
    """(result, what it printed) of a test."""
    command = [sys.executable, script, name]
    try:
        ended = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT
        )
    except subprocess.TimeoutExpired:
        return "failed", f"failed: {name} did not end within {LIMIT} s\n"
    return RESULT.get(ended.returncode, "failed"), ended.stdout
