import os
import time
from pathlib import Path

from support import FolderTest
from harness.process import runProgram


class RunProgram(FolderTest):
    def run_(self, text, timeout=20, **options):
        return runProgram([self.writeProgram("program", text)], timeout, **options)

    def testExit(self):
        outcome = self.run_("echo out; echo err >&2")
        self.assertTrue(outcome.succeeded)
        self.assertEqual((outcome.describe(), outcome.stdout, outcome.stderr), ("exit 0", "out\n", "err\n"))

    def testFailure(self):
        outcome = self.run_("exit 7")
        self.assertFalse(outcome.succeeded)
        self.assertEqual(outcome.describe(), "exit 7")

    def testSignal(self):
        outcome = self.run_("echo before; kill -SEGV $$")
        self.assertEqual((outcome.status, outcome.describe()), ("signalled", "signal SIGSEGV"))
        self.assertEqual(outcome.stdout, "before\n")

    def testTimeoutEndsChildrenAndKeepsOutput(self):
        start = time.monotonic()
        outcome = self.run_("echo before; sleep 100 & echo $! > child; wait", 0.5, directory=self.folder)
        self.assertLess(time.monotonic() - start, 20)
        self.assertEqual((outcome.status, outcome.stdout), ("timed-out", "before\n"))
        child = int((self.folder / "child").read_text())
        for _ in range(100):
            try:
                state = Path(f"/proc/{child}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
            except FileNotFoundError:
                return
            if state == "Z":
                return
            time.sleep(0.05)
        self.fail("the child lives on")

    def testMissingProgram(self):
        outcome = runProgram([self.folder / "nothing"], 5)
        self.assertEqual((outcome.status, outcome.succeeded), ("not-started", False))

    def testEnvironmentIsAdded(self):
        outcome = self.run_('echo "$ADDED $PATH"', environment={"ADDED": "yes"})
        self.assertEqual(outcome.stdout.strip(), f"yes {os.environ['PATH']}")

    def testOutputThatIsNoText(self):
        self.assertIn("\ufffd", self.run_(r"printf '\377\376'").stdout)
