"""mccl-sim as users run it: tool_test.py PROGRAM FOLDER_OF_TESTS; with --record it writes the golden table, with
--sanitized the program needs more memory and time."""
import csv
import os
import resource
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from xml.etree import ElementTree

PROGRAM, TESTS = sys.argv[1], Path(sys.argv[2])
MACHINE = str(TESTS / "topology/machines/switched.xml")  # 4 GPUs, 4 network devices
RAILS = str(TESTS / "sim/fabrics/rails.yaml")
GOLDEN = TESTS / "sim/all_reduce.golden"
SANITIZED = "--sanitized" in sys.argv


def run(*arguments: str) -> subprocess.CompletedProcess:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("MCCL_", "NCCL_"))}
    return subprocess.run([PROGRAM, *arguments], env=clean, text=True, timeout=100, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)


def golden_run() -> str:
    return run("all_reduce", "--machine", MACHINE, "--fabric", RAILS, "--hosts", "4", "-b", "8", "-e", "512M", "-f", "8").stdout


class Tool(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def figures(self, *arguments: str) -> list[dict[str, str]]:
        done = run("--machine", MACHINE, "-o", "csv", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return list(csv.DictReader(done.stdout.splitlines()))

    def testTheTableIsAsRecorded(self) -> None:
        self.assertEqual(golden_run(), GOLDEN.read_text())

    def testFilesHoldTheFigures(self) -> None:
        table, plot = self.folder / "t.csv", self.folder / "p.svg"
        done = run("all_gather", "--machine", MACHINE, "--ranks", "32", "-b", "1M", "-e", "1G", "-f", "4", "--csv", str(table),
                   "--svg", str(plot))
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = list(csv.DictReader(table.read_text().splitlines()))
        self.assertEqual([int(row["bytes"]) for row in rows], [1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28, 1 << 30])
        for row in rows:
            bandwidth = int(row["bytes"]) / float(row["time_us"]) / 1e3
            self.assertAlmostEqual(float(row["algbw_GBps"]), bandwidth, delta=bandwidth / 1e3)
            self.assertAlmostEqual(float(row["busbw_GBps"]), bandwidth * 31 / 32, delta=bandwidth / 1e3)
            self.assertIn(row["bytes"], done.stdout)
        drawing = ElementTree.parse(plot).getroot()
        name = "{http://www.w3.org/2000/svg}"
        self.assertEqual(drawing.tag, name + "svg")
        self.assertEqual(len(drawing.findall(name + "polyline")), 2)
        self.assertEqual(len(drawing.findall(name + "circle")), 2 * len(rows))
        places = [tuple(map(float, point.split(","))) for point in drawing.find(name + "polyline").get("points").split()]
        self.assertEqual(places, sorted(places))  # sizes go to the right
        for x, y in places:
            self.assertTrue(0 <= x <= 760 and 0 <= y <= 420, (x, y))

    def testEveryCollectiveAndWay(self) -> None:
        for collective in ("all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce", "alltoall"):
            times = [float(row["time_us"]) for row in
                     self.figures(collective, "--hosts", "4", "-b", "1K", "-e", "1G", "-f", "32", "-d", "half")]
            self.assertEqual(len(times), 5)
            self.assertGreater(times[-1], 10 * times[0])
        for way in ("ring", "tree", "direct"):
            self.assertEqual({row["algo"].lower() for row in self.figures("--hosts", "4", "--algo", way)}, {way})

    def testAThousandRanksTakeSecondsAndAHundredThousandLittleMemory(self) -> None:
        limit = 60 if SANITIZED else 20
        for ranks in ("1024", "100000"):
            for collective, way in (("all_reduce", "ring"), ("all_reduce", "tree"), ("alltoall", "direct")):
                begin = time.monotonic()
                rows = self.figures(collective, "--ranks", ranks, "--algo", way, "--fabric", RAILS, "-b", "1M", "-e", "4G", "-f", "16")
                self.assertLess(time.monotonic() - begin, limit)
                self.assertEqual({row["ranks"] for row in rows}, {ranks})
        if not SANITIZED:
            self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 300 << 10)  # KiB

    def testTheEmulatorIsForeseenFromWhatWasMeasured(self) -> None:
        figures = self.folder / "figures.yaml"
        done = run("--calibrate", str(TESTS / "sim/measured.csv"), "--column", "least_us", "--figures", str(figures))
        self.assertEqual(done.returncode, 0, done.stderr)
        every = [line for line in done.stdout.splitlines() if line.startswith("# all ")][0]
        fitted, _, foreseen, _ = (int(cell[:-1]) for cell in every.split()[3:])
        self.assertLessEqual(fitted, 20)
        self.assertLessEqual(foreseen, 25)
        self.assertTrue(done.stdout.startswith(figures.read_text()))
        times = {}
        for ranks, hosts in ((2, 1), (16, 1), (4, 4)):
            told = run("all_reduce", "--emulator", str(figures), "--ranks", str(ranks), "--hosts", str(hosts), "-b", "256K",
                       "-e", "256K", "-o", "csv")
            self.assertEqual(told.returncode, 0, told.stderr)
            times[ranks, hosts] = float(list(csv.DictReader(told.stdout.splitlines()))[0]["time_us"])
        self.assertGreater(times[16, 1], 4 * times[2, 1])
        self.assertGreater(times[4, 4], times[16, 1])
        for arguments, words in ((("--emulator", str(self.folder / "none")), "none: cannot be read"),
                                 (("--emulator", str(figures), "--ranks", "999"), "999 ranks; an emulator of up to 256"),
                                 (("--calibrate", str(figures)), "figures.yaml:1: there is no column collective"),
                                 ((), "one of --machine, --emulator and --calibrate")):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)

    def testMistakesAreSaid(self) -> None:
        wrong = self.folder / "wrong.yaml"
        wrong.write_text("topology: fat-tree\nlevels: 2\nlinks:\n  - {link: host7/nic0, state: dead}\n")
        for arguments, words in (
                (("--hosts", "4", "--fabric", str(wrong)), f"{wrong}:4: there is no link \"host7/nic0\" here"),
                (("--hosts", "4", "--fabric", str(self.folder / "none.yaml")), "none.yaml: cannot be read"),
                (("--ranks", "6"), "6 ranks are no whole number of hosts with 4 GPUs each"),
                (("alltoall", "--algo", "ring"), "AlltoAll goes directly"),
                (("-g", "5"), "5 GPUs a host are asked for, and there are 4"),
                (("all_sum",), "all_sum not in"),
                (("-b", "many"), "many"),
                (("--piece", "0"), "--piece"),
                (("--window", "0"), "--window"),
                (("--csv", "/nowhere/file"), "/nowhere/file: cannot be written")):
            done = run("--machine", MACHINE, *arguments)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    if "--record" in sys.argv:
        GOLDEN.write_text(golden_run())
    else:
        unittest.main(argv=sys.argv[:1])
