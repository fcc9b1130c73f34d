"""Finds a port that is free, for a server that cannot choose one itself. usage: port.py FOLDER PORTFILE"""
import os
import sys

from common import announce

TESTS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(TESTS, "Appliance"))
from machine.ports import free_port  # noqa: E402

announce(sys.argv[2], free_port())
