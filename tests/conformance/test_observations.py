import unittest

import support  # noqa: F401
from harness import observations


class Parse(unittest.TestCase):
    def testLines(self):
        text = "hello\nobserve a.b.first=1\nobserve a.b.with.dots=x=y z\nobserve a.b.empty=\n"
        self.assertEqual(observations.parse("a.b", text), {"first": "1", "with.dots": "x=y z", "empty": ""})

    def testOtherTextIsIgnored(self):
        self.assertEqual(observations.parse("a.b", "observed a.b.c=1\n  observe a.b.c=1\n"), {})

    def testTwice(self):
        with self.assertRaises(observations.ObservationError):
            observations.parse("a.b", "observe a.b.c=1\nobserve a.b.c=1\n")

    def testOtherCase(self):
        with self.assertRaises(observations.ObservationError):
            observations.parse("a.b", "observe a.x.c=1\n")

    def testBrokenLine(self):
        with self.assertRaises(observations.ObservationError):
            observations.parse("a.b", "observe a.b.c\n")
