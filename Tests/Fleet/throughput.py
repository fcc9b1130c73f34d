"""One pad's hand-off, beside programs that do no more than upload."""
import os
import shutil
import statistics
import subprocess
import time

from engines import Failure
from pads import Pads

COUNT, SIZE = 300, 20000


def timed(*command, **options):
    began = time.monotonic()
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, **options)
    if result.returncode:
        raise Failure(f"{command[0]}: {result.stdout[-1000:]}")
    return time.monotonic() - began


def handoff(programs, folder, broker, store):
    """How long a pad with a backlog takes. What it had is in FOLDER/items."""
    # A name of its own, so that nobody takes its items for another pad's.
    pads = Pads(programs, folder, 1, broker, store, name="single")
    name = pads.names[0]
    pads.sign(COUNT, size=SIZE)
    shutil.copytree(f"{pads.path(name)}/spool/new", f"{folder}/items")
    return timed(f"{programs}/paraph-handoff", "-c", f"{pads.path(name)}/handoff.conf", "--once",
                 user=pads.users[name], group=pads.users[name], extra_groups=[])


def rclone(folder, port, *options):
    return timed(
        "rclone", "copy", *options, folder, ":s3:signatures/rclone", "--s3-provider=Other", "--s3-access-key-id=rclone",
        "--s3-secret-access-key=rclone-secret", f"--s3-endpoint=http://127.0.0.1:{port}", "--s3-force-path-style",
        "--s3-no-check-bucket", "--config=", env={"HOME": folder, "PATH": os.environ["PATH"]})


LOOP = """for item in "$0"/*; do
  for file in png json; do
    mosquitto_pub -h 127.0.0.1 -p "$1" -V 5 -q 1 -u pads -P pads -t "paraph/loop/signatures/${item##*/}/$file" \\
      -f "$item/signature.$file" || exit
  done
done"""


def compare(programs, folder, broker, store):
    """Measures each five times, in turn. What is as fast is slower in each turn once in 32 runs. A pad delivers one item
    at a time, and is compared with one file at a time. The ports are the engines', because a proxy costs more than they
    do."""
    rows = []
    for turn in range(5):
        place = f"{folder}/{turn}"
        sent = handoff(programs, f"{place}/store", None, store), handoff(programs, f"{place}/broker", broker, None)
        rows.append((sent[0], rclone(f"{place}/store/items", store, "--transfers=1"), sent[1],
                     timed("sh", "-c", LOOP, f"{place}/broker/items", str(broker)),
                     rclone(f"{place}/store/items", store, "--ignore-times")))
    medians = (COUNT / statistics.median(column) for column in zip(*rows))
    ours_store, theirs_store, ours_broker, theirs_broker, parallel = medians
    print(f"  store:  paraph-handoff {ours_store:.0f} items/s, rclone copy {theirs_store:.0f} one file at a time, "
          f"{parallel:.0f} four at a time", flush=True)
    print(f"  broker: paraph-handoff {ours_broker:.0f} items/s, mosquitto_pub in a loop {theirs_broker:.0f}", flush=True)
    for place in (0, 2):
        if all(row[place] > row[place + 1] for row in rows):
            raise Failure(f"the hand-off is slower in each turn: {[row[place:place + 2] for row in rows]} s")
