"""The shell scripts of the card, as they are or with other pauses."""
import os

from machine.places import read, source
from machine.sentences import expect

FOLDER = source("config", "card", "tree", "usr", "lib", "paraph-card")


def card_script(name, replacements=None):
    """The bytes of a script, in which texts replace others. Each of those must be there once: in a script that has changed,
    a replacement could be without effect."""
    script = read(os.path.join(FOLDER, name))
    for text, replacement in (replacements or {}).items():
        count = script.count(text)
        expect(count == 1, f"{name} has {text} {count} times instead of once")
        script = script.replace(text, replacement)
    return script
