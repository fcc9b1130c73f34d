"""Runs the tests of this folder, and writes .build/reports/unit-pages.xml."""
import argparse
import os
import sys
import time
import unittest
import xml.etree.ElementTree as ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
REPORT = os.path.join(HERE, "..", "..", "..", ".build", "reports", "unit-pages.xml")


class Result(unittest.TextTestResult):
    """Also keeps what a JUnit report needs."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.cases = ElementTree.Element("testsuite", name="pages")

    def startTest(self, test):
        super().startTest(test)
        self.begun = time.monotonic()
        _, _, suite = type(test).__module__.rpartition("test_")
        self.case = ElementTree.SubElement(
            self.cases, "testcase", classname=f"{suite}.{type(test).__name__}", name=test._testMethodName.replace("_", " "))

    def stopTest(self, test):
        super().stopTest(test)
        self.case.set("time", f"{time.monotonic() - self.begun:.3f}")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        ElementTree.SubElement(self.case, "skipped").text = reason

    def addFailure(self, test, error):
        super().addFailure(test, error)
        ElementTree.SubElement(self.case, "failure").text = str(error[1])

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error:
            kind = "failure" if issubclass(error[0], test.failureException) else "error"
            ElementTree.SubElement(self.case, kind).text = f"{subtest}: {error[1]}"

    def addError(self, test, error):
        super().addError(test, error)
        ElementTree.SubElement(getattr(self, "case", self.cases), "error").text = str(error[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-k", dest="patterns", action="append")
    parser.add_argument("-v", dest="verbosity", action="store_const", const=2, default=1)
    options = parser.parse_args()
    loader = unittest.TestLoader()
    if options.patterns:
        loader.testNamePatterns = [f"*{pattern}*" for pattern in options.patterns]
    begun = time.monotonic()
    tests = loader.discover(HERE)
    result = unittest.TextTestRunner(resultclass=Result, verbosity=options.verbosity, stream=sys.stdout).run(tests)
    os.makedirs(os.path.dirname(REPORT), exist_ok=True)
    ElementTree.ElementTree(result.cases).write(REPORT)
    if not result.testsRun:
        sys.exit("pages: no test has this name")
    print(f"pages: {result.testsRun} tests {'passed' if result.wasSuccessful() else 'FAILED'} ({time.monotonic() - begun:.0f} s)")
    sys.exit(0 if result.wasSuccessful() else 1)


main()
