#!/usr/bin/env python3
"""musashim-diff as installed: run.py SDK FOLDER.

Programs of programs/ are built untouched, once right and once with each fault of faults.json, and recorded. Each
fault is to be found at its kernel, and the kernel, extracted, to do the same alone. recorded_h100/ has what the recorder
saw of the right programs on an H100, by build_for_cuda's `record RUN PROGRAM`: ours are to be the same but for rounding.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
FAULTS = {int(number): fault for number, fault in json.loads((HERE / "faults.json").read_text()).items()}
PROGRAMS = sorted({program for program, _, _ in FAULTS.values()})
SDK = FOLDER = ""


def run(command, expected=(0,), cwd=None):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MUSASHIM_")}
    # Warps of 32 lanes, as on the NVIDIA machine.
    environment.update(MUSASHIM_SESSION="none", MUSASHIM_ARCH="mp_31", MUSASHIM_DEVICES="2")
    done = subprocess.run([str(word) for word in command], cwd=cwd or FOLDER, env=environment, capture_output=True, text=True, timeout=250)
    if done.returncode not in expected:
        raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def diff(*arguments, expected=(0, 1, 2)):
    return run([f"{SDK}/bin/musashim-diff", *arguments], expected)


def record(number, program, *libraries):
    name = f"{program}.{number}"
    # In the source, not by -D: mcc has parsed the SDK's headers once for all commands with the same options.
    source = pathlib.Path(FOLDER) / f"{name}.cu"
    source.write_text(f"#define FAULT {number}\n" + (HERE / "programs" / f"{program}.cu").read_text())
    run([f"{SDK}/cuda/bin/nvcc", "-std=c++17", "-O2", "-I", HERE / "programs", source, "-o", name, *libraries])
    diff("record", f"{name}.run", "--keep", "all", f"./{name}", expected=(0,))


class Diff(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        pathlib.Path(FOLDER).mkdir(parents=True, exist_ok=True)
        work = [(0, program) for program in PROGRAMS] + [(number, program) for number, (program, _, _) in FAULTS.items()]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda one: record(*one), work))
        run(["c++", "-std=c++20", f"{SDK}/share/musashim/record/replay.cpp", f"{SDK}/share/musashim/record/sketch.cpp", "-o", "replay", f"-I{SDK}/include", f"-L{SDK}/lib",
             f"-Wl,-rpath,{SDK}/lib", "-lmusa"])

    def first(self, program, number, *options):
        done = diff("--json", *options, f"{program}.0.run", f"{program}.{number}.run", expected=(1,))
        return json.loads(done.stdout)["differences"][0]

    def test_each_fault_is_found_at_its_kernel(self):
        for number, (program, kernel, kind) in FAULTS.items():
            with self.subTest(number=number, kernel=kernel, kind=kind):
                found = self.first(program, number)
                self.assertRegex(found["a"]["signature"], rf"\b{kernel}\b")
                self.assertTrue(found["inputs_agree"])
                self.assertTrue(found["outputs"][0]["different"])

    def test_each_kernel_does_the_same_alone(self):
        for number, (program, kernel, kind) in FAULTS.items():
            with self.subTest(number=number, kernel=kernel, kind=kind):
                alone = pathlib.Path(FOLDER) / f"alone.{number}"
                self.first(program, number, "--extract", alone)
                right = run([pathlib.Path(FOLDER) / "replay", "a"], cwd=alone)
                self.assertIn("what a recorded: 0 of", right.stdout)
                # A kernel without its barriers too: its blocks find the same in their shared memory.
                wrong = run([pathlib.Path(FOLDER) / "replay", "b"], cwd=alone)
                self.assertNotIn("what a recorded: 0 of", wrong.stdout)

    def test_faults_are_found_without_contents(self):
        for number in (1, 5, 7, 17, 20):
            program, kernel, _ = FAULTS[number]
            runs = []
            for one in (0, number):
                runs.append(f"{program}.{one}.sketched")
                diff("record", runs[-1], f"./{program}.{one}", expected=(0,))
                self.assertEqual(os.listdir(pathlib.Path(FOLDER) / runs[-1] / "contents"), [])
            done = diff(*runs, expected=(1,))
            self.assertRegex(done.stdout, rf"first difference: [^(]*\b{kernel}\b")
            self.assertIn("blocks of 256 elements", done.stdout)
            failed = diff("--extract", "nowhere", *runs, expected=(2,))
            self.assertRegex(failed.stderr, r"record it again with --keep \d+")

    def test_one_event_is_kept_and_extracted(self):
        for number in (0, 4):
            diff("record", f"blur.{number}.kept", "--keep", "3", f"./blur.{number}", expected=(0,))
        done = diff("--extract", "alone.kept", "blur.0.kept", "blur.4.kept", expected=(1,))
        self.assertIn("blurColumns(float const*, float*) differs", done.stdout)
        run([pathlib.Path(FOLDER) / "replay", "b"], cwd=pathlib.Path(FOLDER) / "alone.kept")

    def test_without_it_nothing_is_loaded(self):
        """The recorder stands before the driver's functions in programs that it is preloaded into, and is not there in others."""
        program = pathlib.Path(FOLDER) / "blur.0"
        environment = {key: value for key, value in os.environ.items() if not key.startswith("MUSASHIM_")} | {"LD_DEBUG": "files"}
        for command, expected in (([program], False), ([f"{SDK}/bin/musashim-diff", "record", "loaded.run", program], True)):
            done = subprocess.run(command, cwd=FOLDER, env=environment, capture_output=True, text=True, timeout=250)
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            self.assertIn("libmusa.so", done.stderr)
            self.assertEqual("musashim-record" in done.stderr, expected)

    def test_a_run_is_as_it_was(self):
        for program in PROGRAMS:
            diff("record", f"{program}.again", f"./{program}.0", expected=(0,))
            self.assertIn("no difference in", diff(f"{program}.0.run", f"{program}.again", expected=(0,)).stdout)

    def test_like_the_h100(self):
        for recorded in sorted((HERE / "recorded_h100").iterdir()):
            with self.subTest(program=recorded.name):
                done = diff(recorded, f"{recorded.name}.0.run", expected=(0,))
                self.assertRegex(done.stdout, r"\(cuda\)")
                number = int(re.search(r"no difference in (\d+) events", done.stdout)[1])
                self.assertGreaterEqual(number, 4)

    def test_faults_beside_the_h100(self):
        for number, (program, kernel, _) in FAULTS.items():
            with self.subTest(number=number):
                done = diff("--json", HERE / "recorded_h100" / program, f"{program}.{number}.run", expected=(1,))
                self.assertRegex(json.loads(done.stdout)["differences"][0]["b"]["signature"], rf"\b{kernel}\b")

    def test_libraries_and_collectives(self):
        for number in (0, 21, 22):
            record(number, "library", "-lcublas", "-lnccl")
        events = [json.loads(line) for line in (pathlib.Path(FOLDER) / "library.0.run/index.jsonl").read_text().splitlines()]
        done = [event for event in events if event.get("event") in ("library", "collective", "kernel")]
        self.assertEqual([event["name"] for event in done if event["event"] != "kernel"], ["mublasSgemm"] * 2 + ["mcclAllReduce"] * 2)
        self.assertEqual(len(done), 4 + 6)
        for event in done:
            self.assertTrue(any(one["before"] != one["after"] for one in event["touched"]), event)
        self.assertIn("library mublasSgemm differs", diff("library.0.run", "library.21.run", expected=(1,)).stdout)
        self.assertIn("collective mcclAllReduce differs", diff("library.0.run", "library.22.run", expected=(1,)).stdout)

    def test_what_one_run_alone_does(self):
        done = diff("blur.0.run", "sums.0.run", expected=(1,))
        self.assertRegex(done.stdout, r"first difference: only a runs make\(float\*\)|first difference: make")

    def test_what_cannot_be_compared(self):
        self.assertIn("it has no index.jsonl", diff("blur.0.run", "nowhere", expected=(2,)).stderr)
        self.assertIn("two runs are compared", diff("blur.0.run", expected=(2,)).stderr)
        self.assertIn("there is no option '--x'", diff("--x", expected=(2,)).stderr)
        self.assertIn("usage: musashim-diff", diff("--help", expected=(0,)).stdout)
        broken = pathlib.Path(FOLDER) / "broken"
        broken.mkdir(exist_ok=True)
        (broken / "index.jsonl").write_text("{\n")
        self.assertIn("index.jsonl:1:", diff("broken", "blur.0.run", expected=(2,)).stderr)
        self.assertIn("record needs a folder and a program", diff("record", "x", expected=(2,)).stderr)


if __name__ == "__main__":
    SDK, FOLDER = sys.argv[1], os.path.abspath(sys.argv[2])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
