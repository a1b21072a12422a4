import json
import sys

from support import FolderTest
from harness import differences
from harness.cases import Case
from harness.runner import Runner
from harness.sdk import BuiltBefore, BuiltOnce, Sdk, SdkError, Untouched

# Fake tools: musaport copies, mcc turns the copied shell text into a program.
MUSAPORT = 'grep -q UNPORTABLE "$2" && { echo cannot >&2; exit 1; }; mkdir -p "$(dirname "$4")"; cp "$2" "$4"'
MCC = """for a; do case $a in *.mu) in=$a;; esac; done
grep -q UNBUILDABLE "$in" && { echo "error: <no>" >&2; exit 1; }
given="$*"
while [ "$1" != -o ]; do shift; done; cp "$in" "$2"; chmod +x "$2"; echo "$given" > "$2.options" """


def on31(case):
    return ["mp_31"]


class RunCase(FolderTest):
    def setUp(self):
        super().setUp()
        self.writeProgram("sdk/bin/musaport", MUSAPORT)
        self.writeProgram("sdk/bin/mcc", MCC)
        self.write("framework/observe.h", "// header\n")
        self.sdk = Sdk(self.folder / "sdk", self.folder / "work", on31)
        self.sdk.prepare(self.folder / "framework")

    def expect(self, observations, unstable=(), end="exit 0"):
        content = {"case": "a.b", "recorded": {"gpu": "G"}, "exit": end}
        content |= {"observations": observations, "unstable": list(unstable)}
        self.write("expectations/a/b.json", json.dumps(content))

    def result(self, text, devices=1, listed="", links=(), **options):
        source = self.writeProgram("cases/a/b.cu", text)
        runner = Runner(
            self.sdk,
            self.folder / "expectations",
            differences.Differences(differences.parse(listed), "mp_31"),
            lambda case: {"DEVICES": str(case.devices)},
            timeout=options.pop("timeout", 20),
            maxDevices=4,
            **options,
        )
        return runner.runCase(Case("a.b", source, devices, links))

    def testPassed(self):
        self.expect({"devices": "2"})
        result = self.result("echo observe a.b.devices=$DEVICES", devices=2, links=("nccl",))
        self.assertEqual((result.status, result.good), ("passed", True))
        self.assertIn("-lmusart -lmccl", (self.folder / "work/programs/a.b.options").read_text())

    def testCasesAreBuiltForWhatTheyRunOn(self):
        self.expect({"x": "1"})
        self.sdk = Sdk(self.folder / "sdk", self.folder / "work", lambda case: ["mp_31", "mp_22"] if case.name == "a.b" else [])
        self.sdk.prepare(self.folder / "framework")
        self.assertEqual(self.result("echo observe a.b.x=1").status, "passed")
        self.assertIn("--offload-arch=mp_31 --offload-arch=mp_22 ", (self.folder / "work/programs/a.b.options").read_text())

    def testFunctionsAreThoseOfTheLibrariesThatAreLinked(self):
        self.expect({"x": "1"})
        trace = ("echo observe a.b.x=1; [ $MUSASHIM_TRACE = 1 ] && printf "
                 "'[musa] muInit(0) -> OK\\n[mublas] mublasCreate(0) -> OK\\n[mublas] mublasCreate(0) -> OK\\n' >&2")
        self.assertEqual(self.result(trace, links=("cublas",), traced=True).functions, {"mublasCreate"})

    def testProgramsServeSeveralRuns(self):
        self.expect({"x": "1"})
        self.sdk = BuiltOnce(self.sdk)
        self.assertEqual(self.result("echo observe a.b.x=1").status, "passed")
        self.write("sdk/bin/mcc", "exit 1")
        self.assertEqual(self.result("echo observe a.b.x=1").status, "passed")

    def testUntouchedCasesAreNotPorted(self):
        self.expect({"x": "1"})
        self.write("sdk/bin/musaport", "exit 1")
        self.writeProgram("sdk/cuda/bin/nvcc", MCC.replace("*.mu)", "*.cu)"))
        self.sdk = Untouched(self.folder / "sdk", self.folder / "work", on31)
        self.sdk.prepare(self.folder / "framework")
        self.assertEqual(self.result("echo observe a.b.x=1", links=("cudnn", "driver")).status, "passed")
        self.assertIn("-lcudnn -lcuda", (self.folder / "work/programs/a.b.options").read_text())
        self.assertEqual(self.result("UNBUILDABLE").status, "build-failed")
        (self.folder / "sdk/cuda/bin/nvcc").unlink()
        with self.assertRaises(SdkError):
            Untouched(self.folder / "sdk", self.folder / "work", on31)

    def testWhatIsBuiltRunsByALauncher(self):
        self.expect({"x": "1"})
        self.sdk = BuiltBefore(self.sdk)
        self.assertEqual(self.result("echo observe a.b.x=1").status, "build-failed")
        self.writeProgram("work/programs/a.b", "echo observe a.b.x=$X")
        result = self.result("", launcher=["env", "X=1"])
        self.assertEqual(result.status, "passed", result)

    def inPython(self, python):
        self.expect({"x": "1"})
        self.sdk = Sdk(self.folder / "sdk", self.folder / "work", on31, python)
        runner = Runner(self.sdk, self.folder / "expectations", differences.Differences([], "mp_31"),
                        lambda case: {}, timeout=20, maxDevices=4)
        source = self.write("cases/a/b.py", 'print("observe a.b.x=1")\n')
        return runner.runCase(Case("a.b", source, 1, ()))

    def testPythonIsPortedAndNotCompiled(self):
        self.write("sdk/bin/mcc", "exit 1")
        self.assertEqual(self.inPython(sys.executable).status, "passed")
        self.assertTrue((self.folder / "work/cases/a/b.py").exists())

    def testPythonWithoutAnInterpreterIsSkipped(self):
        result = self.inPython(None)
        self.assertEqual((result.status, result.detail), ("skipped", "needs --python"))

    def testFailed(self):
        self.expect({"x": "1"})
        result = self.result("echo observe a.b.x=2")
        self.assertEqual((result.status, result.detail), ("failed", "1 of 1 observations"))

    def testCrashKeepsWhatWasSeen(self):
        self.expect({"x": "1"})
        result = self.result("echo observe a.b.x=1; echo why >&2; kill -ABRT $$")
        self.assertEqual((result.status, result.detail), ("crashed", "signal SIGABRT instead of exit 0"))
        self.assertEqual((len(result.observations), result.log), (1, "why\n"))

    def testFailingSetup(self):
        self.expect({"x": "1"})
        self.assertEqual(self.result("echo observe a.b.x=1; exit 3").status, "crashed")

    def testTimeout(self):
        self.expect({"x": "1"})
        result = self.result("echo observe a.b.x=1; sleep 100", timeout=0.5)
        self.assertEqual((result.status, result.good), ("timed-out", False))
        self.assertEqual(len(result.observations), 1)

    def testToolsThatRefuse(self):
        self.expect({"x": "1"})
        self.assertEqual(self.result("# UNPORTABLE").status, "port-failed")
        result = self.result("# UNBUILDABLE")
        self.assertEqual(result.status, "build-failed")
        self.assertIn("error: <no>", result.log)

    def testUnreadableOutput(self):
        self.expect({"x": "1"})
        self.assertEqual(self.result("echo observe other.case.x=1").status, "failed")

    def testUnrecorded(self):
        text = "echo observe a.b.x=1"
        self.assertFalse(self.result(text).good)
        self.assertEqual(self.result(text, allowUnrecorded=True).status, "skipped")
        self.assertFalse(self.result("exit 1", allowUnrecorded=True).good)

    def testTooWide(self):
        self.assertEqual(self.result("exit 1", devices=5).status, "skipped")

    def testCaseDifference(self):
        self.expect({"x": "1"})
        listed = "- {case: a.b, outcome: build-failed, kind: choice, reason: later}"
        self.assertEqual(self.result("# UNBUILDABLE", listed=listed).status, "failed as listed")
        works = self.result("echo observe a.b.x=1", listed=listed)
        self.assertEqual((works.status, works.good), ("failed", False))
        self.assertIn("listed as build-failed, but passed", works.detail)

    def testObservationDifference(self):
        self.expect({"x": "1", "y": "1"})
        listed = '- {observation: a.b.x, value: "2", kind: musa, reason: so it is}'
        self.assertEqual(self.result("echo observe a.b.x=2; echo observe a.b.y=1", listed=listed).status, "passed")
        self.assertEqual(self.result("echo observe a.b.x=1; echo observe a.b.y=1", listed=listed).status, "failed")

    def testSdkThatIsNotThere(self):
        with self.assertRaises(SdkError):
            Sdk(self.folder / "nothing", self.folder / "work", on31)
