import json

from support import ROOT, FolderTest
from harness import expectations

MACHINE = {"gpu": "GPU <1>", "date": "2026-01-02"}


def recording(**cases):
    return json.dumps({"format": expectations.RECORDING_FORMAT, "machine": MACHINE, "cases": cases})


RECORDED = {"status": "recorded", "exit": "exit 0", "observations": {"x": "ü"}, "unstable": {"y": ["1", "2"]}}


class Import(FolderTest):
    def testRoundTrip(self):
        path = self.write("in.json", recording(**{"a.b": RECORDED, "a.c": {"status": "needs 4 GPUs"}}))
        imported, refused = expectations.importRecording(path, self.folder / "out")
        self.assertEqual((imported, refused), (["a.b"], {"a.c": "needs 4 GPUs"}))
        got = expectations.load(self.folder / "out", "a.b")
        self.assertEqual((got.machine, got.exit, got.observations, got.unstable), (MACHINE, "exit 0", {"x": "ü"}, ("y",)))
        self.assertIsNone(expectations.load(self.folder / "out", "a.c"))

    def testNotImportedLeavesTheOldOne(self):
        out = self.folder / "out"
        expectations.importRecording(self.write("one.json", recording(**{"a.b": RECORDED})), out)
        expectations.importRecording(self.write("two.json", recording(**{"a.b": {"status": "timed-out"}})), out)
        self.assertEqual(expectations.load(out, "a.b").observations, {"x": "ü"})

    def testRefused(self):
        for text in ("", "[]", '{"cases": {}}', '{"format": 99, "machine": {}, "cases": {}}'):
            with self.subTest(text), self.assertRaises(expectations.ExpectationError):
                expectations.importRecording(self.write("in.json", text), self.folder / "out")
        with self.assertRaises(expectations.ExpectationError):
            expectations.importRecording(self.folder / "nothing.json", self.folder / "out")

    def testBrokenExpectation(self):
        self.write("out/a/b.json", "{}")
        with self.assertRaises(expectations.ExpectationError):
            expectations.load(self.folder / "out", "a.b")


class OurExpectations(FolderTest):
    def testBelongToCases(self):
        root = ROOT / "conformance"
        for path in sorted((root / "expectations").glob("*/*.json")):
            name = f"{path.parent.name}.{path.stem}"
            sources = [root / "cases" / path.parent.name / f"{path.stem}.{kind}" for kind in ("cu", "py")]
            self.assertTrue(any(source.exists() for source in sources), name)
            self.assertEqual(expectations.load(root / "expectations", name).case, name)
