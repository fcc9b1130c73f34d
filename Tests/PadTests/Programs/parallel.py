"""Runs tests at the same time, each in a process of its own: they wait more than they work."""
import concurrent.futures
import os
import subprocess
import sys
import unittest

WORKERS = 6


def main(*arguments):
    """As unittest.main(); `arguments` are what the program itself takes before unittest's."""

    class Runner(unittest.TextTestRunner):
        def run(self, suite):
            names = sorted({name(test) for test in tests(suite)})
            return super().run(suite) if len(names) < 2 else run(names, arguments)

    unittest.main(verbosity=2, warnings="ignore", testRunner=Runner)


def tests(suite):
    for one in suite:
        yield from tests(one) if isinstance(one, unittest.TestSuite) else [one]


def name(test):
    """What runs it: the class, where its tests share something."""
    kind = type(test)
    alone = kind.setUpClass.__func__ is unittest.TestCase.setUpClass.__func__
    return kind.__name__ + ("." + test._testMethodName if alone else "")


def run(names, arguments):
    result = unittest.TestResult()

    def one(name):
        command = [sys.executable, os.path.abspath(sys.argv[0]), *arguments, name]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for done in pool.map(one, names):
            print(done.stdout, file=sys.stderr, flush=True)
            result.testsRun += 1
            if done.returncode:
                result.failures.append((None, done.stdout))
    return result
