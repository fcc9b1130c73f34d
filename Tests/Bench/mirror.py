"""From a sample's stamp to its ink on the canvas of a mirror in Chromium.

usage: mirror.py SECONDS. Prints the 50th and 99th percentile and the longest time in milliseconds, the 99th percentile
to the start of the browser's next frame, and the number of samples.

The clock of all of them is CLOCK_MONOTONIC. A recording stands in for the touchscreen: paraphd gives each report the
moment at which it is due, as the kernel would stamp it. That moment is read from the timer for the first report. In the
page, paraph-web's own with its mirror, the moment is that at which the event's ink has been put into the canvas.
"""
import glob
import os
import re
import sys
import tempfile
import time

from web_pad import ROOT, Web, percentile, start_pad, until, write_recording

sys.path.insert(0, os.path.join(ROOT, "Tests", "Web", "pages"))
from browser import Browser  # noqa: E402

# Before the first report, in seconds, for the page to open. A recording that starts later starts at once.
LEAD = 9
# The thread wakes this long before a report, in seconds: RecordingLoop.lead.
EARLY = 0.00025


def first_report(pid):
    """When the first report is due, by the timer of the recording: the only one that far away."""
    found = {}
    for path in glob.glob(f"/proc/{pid}/fdinfo/*"):
        for _ in range(20):
            before = time.monotonic_ns()
            with open(path) as file:
                text = file.read()
            after = time.monotonic_ns()
            left = re.search(r"it_value: \((\d+), (\d+)\)", text)
            if not left or not LEAD / 3 < int(left[1]) < LEAD:
                break
            # The kernel computes what is left between the two.
            due = (before + after) / 2e9 + int(left[1]) + int(left[2]) / 1e9 + EARLY
            found[path] = min(found.get(path, (1, 0)), ((after - before) / 2e9, due))
    assert len(found) == 1, f"the pad has {len(found)} timers for the first report"
    (error, due), = found.values()
    assert error < 0.001, f"the moment of the first report is known to {error} s only"
    return due


def page_origin(browser):
    """Where performance.now() is 0."""
    browser.command("Performance.enable")
    values = {row["name"]: row["value"] for row in browser.command("Performance.getMetrics")["metrics"]}
    before = time.monotonic()
    now = browser.driver.execute_script("return performance.now()") / 1000
    assert before - 0.001 < values["NavigationStart"] + now < time.monotonic() + 0.001, "the page has another clock"
    return values["NavigationStart"]


def measure(folder, browser, seconds):
    samples = write_recording(os.path.join(folder, "hand.evemu"), LEAD, seconds)
    pad = start_pad(os.path.join(folder, "hand.evemu"))
    web = None
    try:
        first = until(lambda: "playing the recording" in pad.text(pad.log) and first_report(pad.pid), "the recording is played")
        web = Web(pad.socket, "mirror = yes")
        browser.open(web.address + "/")
        browser.run(
            """
            window.drawn = [];
            let waiting = [];
            document.querySelector("paraph-mirror").addEventListener("ink", ({ detail }) => {
              const now = performance.now();
              for (const [stroke, x, y, t] of detail.samples) if (x !== undefined) waiting.push([t, now]);
              if (window.frame) return;
              window.frame = requestAnimationFrame(() => {
                const start = performance.now();
                window.frame = 0;
                window.drawn.push(...waiting.map((row) => [...row, start]));
                waiting = [];
              });
            });
            """)
        origin = page_origin(browser)
        assert time.monotonic() < first, "the page was not open before the first report"
        # Asks the page for nothing meanwhile.
        time.sleep(max(0, first + seconds + 1 - time.monotonic()))
        rows = browser.run("return drawn;")
        assert len(rows) == samples, f"the mirror has drawn {len(rows)} of {samples} samples"
        assert not browser.complaints(), "the page complains"
        return [(origin + drawn / 1000 - first - t, origin + frame / 1000 - first - t) for t, drawn, frame in rows]
    finally:
        if web:
            web.close()
        pad.close()


with tempfile.TemporaryDirectory() as folder:
    browser = Browser()
    try:
        times = measure(folder, browser, float(sys.argv[1]))
    finally:
        browser.close()
canvas, frame = ([1000 * row[index] for row in times] for index in (0, 1))
assert min(canvas) > 0, "ink was there before its sample"
print(percentile(canvas, 0.5), percentile(canvas, 0.99), max(canvas), percentile(frame, 0.99), len(times))
