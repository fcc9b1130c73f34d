"""Instructions per row, held against `baseline.json`: by architecture, the tools it was recorded with, and the rows.

A change of the baseline is a commit of its own, which states the reason.
"""
import json
import os
import xml.etree.ElementTree as tree

BENCH = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(BENCH))
PATH = os.path.join(BENCH, "baseline.json")
ALLOWED = 1.05


def recorded(architecture):
    """The baseline of an architecture: {"tools": {name: version}, "rows": {name: instructions}}; empty without one."""
    if not os.path.exists(PATH):
        return {"tools": {}, "rows": {}}
    with open(PATH) as file:
        return json.load(file).get(architecture, {"tools": {}, "rows": {}})


def record(architecture, tools, rows):
    """Makes the rows the baseline of an architecture."""
    whole = {}
    if os.path.exists(PATH):
        with open(PATH) as file:
            whole = json.load(file)
    whole[architecture] = {"tools": tools, "rows": rows}
    with open(PATH, "w") as file:
        file.write(json.dumps(dict(sorted(whole.items())), indent=2, ensure_ascii=False) + "\n")


def difference(architecture, tools):
    """Why this machine's figures cannot be compared; None if they can. Other compilers and libraries count otherwise."""
    baseline = recorded(architecture)["tools"]
    if not baseline:
        return f"there is no baseline of {architecture}"
    differing = [name for name in sorted({*baseline, *tools}) if baseline.get(name) != tools.get(name)]
    if not differing:
        return None
    return "; ".join(
        f"the baseline has {name} {baseline.get(name, 'none')}, this machine {tools.get(name, 'none')}" for name in differing
    )


def faults(architecture, rows):
    """A line for each row that is more than 5 % worse than its baseline, that it lacks, or that was not measured."""
    baseline = recorded(architecture)["rows"]
    for name in [*baseline, *(name for name in rows if name not in baseline)]:
        was, value = baseline.get(name), rows.get(name)
        if value is None:
            yield f"{name}: not measured"
        elif was is None:
            yield f"{name}: {value:,} instructions, and the baseline lacks it"
        elif value > was * ALLOWED:
            yield f"{name}: {value:,} instructions, {100 * (value / was - 1):.1f} % more than the baseline's {was:,}"


def compare(architecture, tools, rows):
    """Prints what is worse than the baseline; the exit status."""
    reason = difference(architecture, tools)
    if reason:
        return skip(architecture, reason)
    report(architecture, [tree.Element("testcase", classname=architecture, name=name) for name in rows])
    found = list(faults(architecture, rows))
    for line in found:
        print(f"instructions: {line}")
    if not found:
        print(f"instructions: {len(rows)} rows of {architecture} are within 5 % of the baseline")
    return 1 if found else 0


def skip(architecture, reason):
    """Says why nothing is compared; the exit status."""
    print(f"instructions: {architecture} skipped ({reason})")
    case = tree.Element("testcase", classname=architecture, name="instructions")
    tree.SubElement(case, "skipped").text = reason
    report(architecture, [case])
    return 0


def report(architecture, cases):
    """For `.ci/skipped`."""
    folder = os.path.join(ROOT, ".build", "reports")
    os.makedirs(folder, exist_ok=True)
    suite = tree.Element("testsuite", name="instructions")
    suite.extend(cases)
    path = os.path.join(folder, f"instructions-{architecture}.xml")
    tree.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)
