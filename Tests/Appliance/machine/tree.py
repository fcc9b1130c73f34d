"""The shell scripts of the card, as they are or changed for a test."""
import os

from machine.places import read, source
from machine.sentences import expect

TREE = source("config", "card", "tree", "usr", "lib", "paraph-card")


def card_script(name, replacements=None):
    """The bytes of a script, with texts replaced. Each replaced text must be there exactly once: else a later change of the
    script could leave the test without the replacement."""
    script = read(os.path.join(TREE, name))
    for text, replacement in (replacements or {}).items():
        count = script.count(text)
        expect(count == 1, f"{name} has {text} {count} times instead of once")
        script = script.replace(text, replacement)
    return script
