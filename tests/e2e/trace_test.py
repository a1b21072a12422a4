"""MUSASHIM_TRACE_FILE and musashim-prof, of programs that mcc compiles. trace_test.py SDK"""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = pathlib.Path(__file__).resolve().parent / "trace"
SDK = None


class TraceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="trace-"))
        cls.program = cls.folder / "program"
        subprocess.run([SDK / "bin/mcc", PROGRAMS / "program.mu", "-o", cls.program, "-lmusart"], check=True)
        cls.file = cls.folder / "run.json"
        cls.said = cls.run_program(cls.file).stdout
        cls.events = json.loads(cls.file.read_text())["traceEvents"]

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, True)

    @classmethod
    def run_program(cls, trace, **more):
        environment = {**os.environ, "MUSASHIM_DEVICES": "2", "MUSASHIM_TRACE_FILE": str(trace), **more}
        return subprocess.run([cls.program], env=environment, capture_output=True, text=True, check=True)

    def spans(self, *categories):
        return [event for event in self.events if event["ph"] == "X" and event["cat"] in categories]

    def test_all_work_is_there(self):
        names = collections.Counter((event["name"], event["args"]["device"])
                                    for event in self.spans("kernel", "gpu_memcpy", "gpu_memset"))
        for device in (0, 1):
            self.assertEqual(names["scale(float*, int, float)", device], 16)  # 6 of them by a graph
            self.assertEqual(names["spin(long long)", device], 1)
            self.assertEqual(names["Memcpy HtoD", device], 1)
            self.assertEqual(names["Memcpy DtoH", device], 1)
            self.assertEqual(names["Memset", device], 1)
        grids = collections.Counter((event["args"]["grid"][0], event["args"]["block"][0])
                                    for event in self.spans("kernel"))
        self.assertEqual(grids, {(256, 256): 20, (1, 64): 12, (1, 1): 2})
        copy = next(event for event in self.spans("gpu_memcpy"))
        self.assertEqual(copy["args"]["bytes"], 65536 * 4)

    def test_calls_are_there_with_their_results(self):
        calls = collections.Counter(event["name"] for event in self.spans("call"))
        self.assertEqual(calls["musaMemcpy"], 4)
        self.assertEqual(calls["musaGraphLaunch"], 6)
        self.assertNotIn("muLaunchKernel", calls)  # within a call
        self.assertNotIn("muGetExportTable", calls)  # by which libraries find the recorder
        failed = [event["name"] for event in self.spans("call") if event["args"]["result"] != 0]
        self.assertEqual(failed, ["musaSetDevice"])

    def test_nothing_overlaps_within_a_stream_or_a_thread(self):
        tracks = collections.defaultdict(list)
        for event in self.spans("kernel", "gpu_memcpy", "gpu_memset", "call"):
            tracks[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"], event["name"]))
        self.assertGreaterEqual(len(tracks), 7)
        for spans in tracks.values():
            spans.sort()
            for before, after in zip(spans, spans[1:]):
                self.assertLessEqual(before[1], after[0] + 0.001, (before, after))

    def test_work_has_its_call(self):
        calls = {event["args"]["correlation"]: event for event in self.spans("call")}
        for event in self.spans("kernel", "gpu_memcpy", "gpu_memset"):
            call = calls[event["args"]["correlation"]]
            self.assertLessEqual(call["ts"], event["ts"] + 0.001)
            expected = {"kernel": ("musaLaunchKernel", "musaGraphLaunch"), "gpu_memcpy": ("musaMemcpy",),
                        "gpu_memset": ("musaMemsetAsync",)}[event["cat"]]
            self.assertIn(call["name"], expected)
        arrows = collections.Counter(event["id"] for event in self.events if event["ph"] in "sf")
        self.assertEqual(set(arrows.values()), {2})

    def test_times_are_those_of_events(self):
        for device, text in re.findall(r"spin on device (\d): (\S+) ms", self.said):
            kernel = next(event for event in self.spans("kernel")
                          if event["name"].startswith("spin") and event["args"]["device"] == int(device))
            self.assertAlmostEqual(kernel["dur"] / 1000, float(text), delta=0.05 * float(text))

    def test_tables(self):
        prof = subprocess.run([SDK / "bin/musashim-prof", self.file], capture_output=True, text=True, check=True).stdout
        summary = self.run_program("summary").stderr
        for text in (prof, summary):
            self.assertRegex(text, r"1 process, \d+ calls, 40 kernels, copies and fills")
            self.assertRegex(text, r"(?m)^ +\d+\.\d +\d+\.\d+ +32 .* scale\(float\*, int, float\)$")
            self.assertRegex(text, r"(?m)^ +\d+\.\d+ +2 +0\.500 .* Memcpy HtoD$")
            self.assertRegex(text, r"MTT S5000 of .*\(device 1\)")
        self.assertLess(text.index("spin(long long)"), text.index("scale(float"))  # longest first

    def test_ranges_and_collectives(self):
        program, file = self.folder / "ranges", self.folder / "ranges.json"
        subprocess.run([SDK / "bin/mcc", PROGRAMS / "ranges.mu", "-o", program, "-lmusart", "-lmccl"], check=True)
        subprocess.run([program], check=True, env={**os.environ, "MUSASHIM_DEVICES": "2", "MUSASHIM_TRACE_FILE": str(file)})
        events = json.loads(file.read_text())["traceEvents"]
        ranges = [event for event in events if event.get("cat") == "range"]
        phases = collections.Counter((event["ph"], event["name"]) for event in ranges)
        self.assertEqual(phases, {("X", "training"): 1, ("X", 'step "1"'): 3, ("b", "across threads"): 1,
                                  ("e", "across threads"): 1, ("i", "half"): 1})
        begin, end = (next(event for event in ranges if event["ph"] == phase) for phase in "be")
        self.assertEqual((begin["id"], begin["tid"], begin["pid"]), (end["id"], end["tid"], end["pid"]))
        whole = next(event for event in ranges if event["name"] == "training")
        steps = [event for event in ranges if event["name"] == 'step "1"']
        for step in steps:  # one in the other, and what was called in them as well
            self.assertLessEqual(whole["ts"], step["ts"])
            self.assertLessEqual(step["ts"] + step["dur"], whole["ts"] + whole["dur"] + 0.001)
            inside = [event["name"] for event in events if event.get("cat") == "call" and
                      step["ts"] <= event["ts"] and event["ts"] + event["dur"] <= step["ts"] + step["dur"] + 0.001]
            self.assertEqual(inside.count("mcclAllReduce"), 2)
        calls = [event for event in events if event.get("cat") == "call" and event["name"] == "mcclAllReduce"]
        self.assertEqual({(event["args"]["bytes"], event["args"]["ranks"], event["args"]["in group"]) for event in calls},
                         {(1 << 20, 2, True)})
        self.assertEqual(sorted(event["args"]["rank"] for event in calls), [0, 0, 0, 1, 1, 1])
        work = [event for event in events if event.get("cat") == "host_function" and event["name"] == "mcclAllReduce"]
        self.assertGreaterEqual(len(work), 1)
        self.assertEqual({event["args"]["bytes"] for event in work}, {1 << 20})
        said = subprocess.run([SDK / "bin/musashim-prof", file], capture_output=True, text=True, check=True).stdout
        self.assertRegex(said, r"(?m)^ +\d+\.\d+ +3 +3\.000 +\d+\.\d+ +\d+\.\d+ .* mcclAllReduce$")
        self.assertRegex(said, r"(?m)^ +\d+\.\d+ +1 +1\.000 .* mcclAllGather$")
        self.assertRegex(said, r"(?m)^ .* 3 .* step \"1\"$")
        self.assertRegex(said, r"(?m)^ .* 1 .* across threads$")
        row = next(line.split() for line in said.splitlines() if re.search(r" 3\.000 .*mcclAllReduce$", line))
        milliseconds, mib, algorithm, bus = float(row[0]), float(row[2]), float(row[3]), float(row[4])
        self.assertAlmostEqual(algorithm, mib * 1.048576 / milliseconds, delta=0.02 * algorithm + 0.002)
        self.assertAlmostEqual(bus, algorithm, delta=0.002)  # two ranks: 2 * 1 / 2

    def test_the_format_is_that_of_chromes_traces(self):
        needed = {"X": {"name", "cat", "ts", "dur"}, "M": {"name", "args"}, "s": {"name", "cat", "ts", "id"},
                  "f": {"name", "cat", "ts", "id", "bp"}, "i": {"name", "ts", "s"}, "b": {"name", "cat", "ts", "id"},
                  "e": {"name", "cat", "ts", "id"}}
        document = json.loads(self.file.read_text())
        self.assertLessEqual(set(document), {"displayTimeUnit", "traceEvents"})
        for event in document["traceEvents"]:
            self.assertLessEqual(needed[event["ph"]] | {"pid", "tid"}, set(event))
            for number in ("ts", "dur"):
                self.assertGreaterEqual(event.get(number, 0), 0)
            self.assertLess(max(event["pid"], event["tid"]), 1 << 53)  # what a viewer's numbers hold

    def test_many_kernels(self):
        program = self.folder / "many_kernels"
        subprocess.run([SDK / "bin/mcc", PROGRAMS / "many_kernels.mu", "-o", program, "-lmusart"], check=True)
        said = subprocess.run([program, "20000", "1"], env={**os.environ, "MUSASHIM_TRACE_FILE": "summary"},
                              capture_output=True, text=True, check=True).stderr
        self.assertRegex(said, r"(?m)^ +100\.0 .* 20000 .* small\(int\*\)$")
        self.assertRegex(said, r"(?m) 20000 .* musaLaunchKernel$")
        self.assertNotIn("no room", said)

    def test_processes_of_a_job_share_a_file(self):
        shared = self.folder / "shared.json"
        job = [subprocess.Popen([self.program], stdout=subprocess.DEVNULL,
                                env={**os.environ, "MUSASHIM_TRACE_FILE": str(shared), "RANK": str(rank)})
               for rank in range(3)]
        self.assertEqual([process.wait() for process in job], [0, 0, 0])
        names = [event["args"]["name"] for event in json.loads(shared.read_text())["traceEvents"]
                 if event["name"] == "process_name"]
        for rank in range(3):
            self.assertTrue(any(name.startswith(f"rank {rank}, program") for name in names), names)
        first = shared.read_text()
        self.run_program(shared)  # a run of its own: anew
        self.assertNotEqual(first, shared.read_text())
        self.assertNotIn("rank 1,", shared.read_text())

    def test_files_are_merged(self):
        for name in ("a", "b"):
            self.run_program(self.folder / f"{name}-%p.json")
        files = [path for path in self.folder.iterdir() if re.fullmatch(r"[ab]-\d+\.json", path.name)]
        self.assertEqual(len(files), 2)
        merged = self.folder / "merged.json"
        subprocess.run([SDK / "bin/musashim-prof", "-o", merged, *files], check=True)
        said = subprocess.run([SDK / "bin/musashim-prof", merged], capture_output=True, text=True, check=True).stdout
        self.assertRegex(said, r"2 processes, \d+ calls, 80 kernels")

    def test_mistakes_of_musashim_prof(self):
        for arguments, words in (([], "no file"), (["--rows"], "needs a value"), (["--bogus"], "no option '--bogus'"),
                                 (["/nonexistent"], "cannot read"), ([__file__], "is no trace")):
            result = subprocess.run([SDK / "bin/musashim-prof", *arguments], capture_output=True, text=True)
            self.assertEqual(result.returncode, 1)
            self.assertIn(words, result.stderr)

    def test_places_that_cannot_be_written_are_told(self):
        result = self.run_program("/nonexistent/run.json")
        self.assertIn("cannot write '/nonexistent/run.json", result.stderr)


if __name__ == "__main__":
    SDK = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
