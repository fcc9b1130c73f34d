"""What a failed test leaves behind: .build/appliance/failed/TEST/."""
import os
import shutil

from machine.places import build, write


class Evidence:
    """A folder that comes into being with the first thing kept in it; the last run's is removed."""

    def __init__(self, test):
        self.folder = build("failed", test)
        self.remove()

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def keep(self, name, data):
        os.makedirs(self.folder, exist_ok=True)
        write(os.path.join(self.folder, name), data)

    def text(self, name, text):
        self.keep(name, text.encode())

    def picture(self, name, picture):
        self.keep(name + ".png", picture.png())
