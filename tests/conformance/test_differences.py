import unittest
import unittest.mock

import support  # noqa: F401
from support import ROOT
from harness import differences
from harness.differences import DifferenceError, Differences

GOOD = """
- {observation: a.b.key, value: "7", kind: musa, reason: because}
- {observation: a.b.gone, absent: true, kind: choice, reason: because}
- {case: a.c, outcome: crashed, kind: choice, reason: because, arch: [mp_22]}
"""


class Parse(unittest.TestCase):
    def testGood(self):
        first, second, third = differences.parse(GOOD)
        self.assertEqual((first.case, first.key, first.value, first.name), ("a.b", "key", "7", "a.b.key"))
        self.assertIsNone(second.value)
        self.assertEqual((third.name, third.outcome, third.arches), ("a.c", "crashed", ("mp_22",)))

    def testEmpty(self):
        self.assertEqual(differences.parse("# nothing\n"), [])

    def testRefused(self):
        bad = {
            "no reason": '- {observation: a.b.k, value: "7", kind: musa}',
            "blank reason": '- {observation: a.b.k, value: "7", kind: musa, reason: " "}',
            "unknown kind": '- {observation: a.b.k, value: "7", kind: whim, reason: r}',
            "number as value": "- {observation: a.b.k, value: 7, kind: musa, reason: r}",
            "no value": "- {observation: a.b.k, kind: musa, reason: r}",
            "short name": '- {observation: a.b, value: "7", kind: musa, reason: r}',
            "unknown word": '- {observation: a.b.k, value: "7", kind: musa, reason: r, when: now}',
            "case and observation": '- {case: a.b, observation: a.b.k, outcome: crashed, kind: musa, reason: r}',
            "unknown outcome": "- {case: a.b, outcome: passed, kind: musa, reason: r}",
            "unknown feature": '- {observation: a.b.k, value: "7", kind: musa, reason: r, unless: rain}',
            "no list": "observation: a.b.k",
            "no mapping": "- text",
            "no YAML": "- {",
        }
        for name, text in bad.items():
            with self.subTest(name), self.assertRaises(DifferenceError):
                differences.parse(text)


class Select(unittest.TestCase):
    def testByArchitecture(self):
        entries = differences.parse(GOOD)
        self.assertIsNone(Differences(entries, "mp_31").ofCase("a.c"))
        self.assertEqual(Differences(entries, "mp_22").ofCase("a.c").outcome, "crashed")
        self.assertEqual(Differences(entries, "mp_31").keysOf("a.b"), ["key", "gone"])

    def testByMachine(self):
        text = '- {observation: a.b.k, value: "7", kind: choice, reason: r, unless: protection_keys}'
        for has in (False, True):
            with self.subTest(has=has), unittest.mock.patch.dict(
                differences.FEATURES, protection_keys=lambda: has
            ):
                found = Differences(differences.parse(text), "mp_31").ofObservation("a.b", "k")
                self.assertEqual(found is None, has)

    def testTwiceOnOneArchitecture(self):
        entry = '- {observation: a.b.key, value: "8", kind: musa, reason: r, arch: [mp_22]}\n'
        entries = differences.parse(GOOD + entry)
        Differences(entries, "mp_31")
        with self.assertRaises(DifferenceError):
            Differences(entries, "mp_22")


class OurFile(unittest.TestCase):
    def testIsGood(self):
        for arch in ("mp_21", "mp_22", "mp_31"):
            differences.load(ROOT / "conformance" / "differences.yml", arch)
