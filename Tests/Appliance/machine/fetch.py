"""Prints the paths of packages, fetched and checked. usage: python3 -m machine.fetch RELEASE ARCHITECTURE PACKAGE..."""
import contextlib
import sys

from machine.apt import Apt

release, architecture, *packages = sys.argv[1:]
apt = Apt(release, architecture)
with contextlib.redirect_stdout(sys.stderr):
    apt.update()
    paths = [apt.fetch(apt.describe(package)) for package in packages]
print("\n".join(paths))
