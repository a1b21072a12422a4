import unittest

import support  # noqa: F401
from harness import compare, differences
from harness.expectations import Expectation


def listed(text=""):
    return differences.Differences(differences.parse(text), "mp_31")


def compared(recorded, seen, text="", unstable=()):
    expectation = Expectation("a.b", {}, "exit 0", recorded, unstable)
    results = compare.compareObservations(expectation, listed(text), seen)
    return {result.key: result.status for result in results}


class Compare(unittest.TestCase):
    def testMatchAndMismatch(self):
        got = compared({"x": "1", "y": "2"}, {"x": "1", "y": "3"})
        self.assertEqual(got, {"x": compare.MATCH, "y": compare.MISMATCH})

    def testMissingAndNotRecorded(self):
        got = compared({"x": "1"}, {"y": "1"})
        self.assertEqual(got, {"x": compare.MISSING, "y": compare.NOT_RECORDED})

    def testUnstableIsNotCompared(self):
        self.assertEqual(compared({}, {"x": "1"}, unstable=("x",)), {"x": compare.UNSTABLE})
        self.assertEqual(compared({}, {}, unstable=("x",)), {"x": compare.UNSTABLE})

    def testEmptyValueIsAValue(self):
        self.assertEqual(compared({"x": ""}, {"x": ""}), {"x": compare.MATCH})
        self.assertEqual(compared({"x": ""}, {}), {"x": compare.MISSING})


class Listed(unittest.TestCase):
    VALUE = '- {observation: a.b.x, value: "9", kind: musa, reason: r}'
    ABSENT = "- {observation: a.b.x, absent: true, kind: musa, reason: r}"

    def testDiffersAsListed(self):
        self.assertEqual(compared({"x": "1"}, {"x": "9"}, self.VALUE), {"x": compare.DIFFERENT_AS_LISTED})
        self.assertEqual(compared({"x": "1"}, {}, self.ABSENT), {"x": compare.DIFFERENT_AS_LISTED})

    def testRecordedWithAnotherVersion(self):
        text = self.VALUE.replace("musa", "version")
        self.assertEqual(compared({"x": "1"}, {"x": "9"}, text), {"x": compare.OTHER_VERSION})
        self.assertEqual(compared({"x": "1"}, {"x": "5"}, text), {"x": compare.MISMATCH})
        self.assertEqual(compared({"x": "1"}, {"x": "1"}, text), {"x": compare.STALE})

    def testDiffersOtherwise(self):
        self.assertEqual(compared({"x": "1"}, {"x": "5"}, self.VALUE), {"x": compare.MISMATCH})
        self.assertEqual(compared({"x": "1"}, {"x": "5"}, self.ABSENT), {"x": compare.MISMATCH})
        self.assertEqual(compared({"x": "1"}, {}, self.VALUE), {"x": compare.MISMATCH})

    def testNoLongerDiffers(self):
        self.assertEqual(compared({"x": "1"}, {"x": "1"}, self.VALUE), {"x": compare.STALE})
        self.assertEqual(compared({"x": "1"}, {"x": "1"}, self.ABSENT), {"x": compare.STALE})

    def testListsWhatWasRecorded(self):
        self.assertEqual(compared({"x": "9"}, {"x": "9"}, self.VALUE), {"x": compare.STALE})

    def testListsWhatNobodyKnows(self):
        self.assertEqual(compared({}, {}, self.VALUE), {"x": compare.STALE})

    def testSeenHereOnly(self):
        self.assertEqual(compared({}, {"x": "9"}, self.VALUE), {"x": compare.DIFFERENT_AS_LISTED})
