"""Machines described by a file: what programs and tools see of them, and how they fail. machine_test.py SDK PROGRAMS"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SDK = PROGRAMS = FOLDER = None


class MachineTest(unittest.TestCase):
    def environment(self, **more):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("MUSA", "MCCL", "NCCL"))}
        return {**kept, "MUSASHIM_MACHINE": str(PROGRAMS / "machine.yaml"), "MUSASHIM_SESSION": f"m{os.getpid()}", **more}

    def tool(self, name, *arguments, code=0, **more):
        result = subprocess.run([SDK / "bin" / name, *arguments], env=self.environment(**more), capture_output=True, text=True,
                                timeout=60)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout + result.stderr

    def start(self, device):
        program = subprocess.Popen([FOLDER / "faulty", str(device)], env=self.environment(), stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end, program)
        return program, [program.stdout.readline().strip() for _ in range(4)]

    def end(self, program):
        if not program.stdin.closed:
            program.stdin.close()
            program.wait(timeout=30)
            program.stdout.close()

    def test_tools_show_it(self):
        names = re.findall(r"^GPU \d : (.*) \(UUID", self.tool("mthreads-gmi", "-L"), re.M)
        self.assertEqual(names, ["MTT S4000", "MTT S4000 (lost)", "MTT S5000", "MTT S4000"])
        text = self.tool("mthreads-gmi")
        self.assertIn("|0%    0MiB(2048MiB)\n     Physical      P0     |16x(16x)            |91C   NO\n" + " " * 47 +
                      "|      Enabled\n", text)
        gpu = json.loads(self.tool("mthreads-gmi", "-q", "--json", "-i", "2"))["GPU"][0]
        self.assertEqual((gpu["Serial Number"], gpu["Power Readings"]["Power Draw "]), ("X42", "250.00W"))
        self.assertEqual(gpu["Ecc Errors"], {"Corrected": "5", "Uncorrected": "1"})
        info = self.tool("musaInfo")
        self.assertEqual(re.findall(r"^warpSize: +(\d+)", info, re.M), ["128", "128", "32", "128"])
        self.assertEqual(re.findall(r"^memInfo.total: +(.*)", info, re.M)[2], "2.00 GB")

    def test_a_lost_device_stays_lost(self):
        program, said = self.start(1)
        self.assertEqual(said, ["3 launches, then musaErrorUnknown", "allocation: musaErrorUnknown",
                                "after a reset: musaErrorUnknown", "device 0: musaSuccess"])
        text = self.tool("mthreads-gmi")
        self.assertRegex(text, r"\n1 +MTT S4000 \(lost\) +\|00000000:2b:00.0 +\|ERR!  GPU is lost\n")
        self.assertEqual(text.count("GPU is lost"), 1)
        self.assertIn("GPU is lost", self.tool("mthreads-gmi", "-q", "-i", "1"))
        # It was the program's.
        self.end(program)
        self.assertNotIn("lost\n", self.tool("mthreads-gmi"))

    def test_an_ecc_error_goes_with_a_reset_but_comes_again(self):
        _, said = self.start(2)
        self.assertEqual(said, ["1 launches, then musaErrorECCUncorrectable", "allocation: musaErrorECCUncorrectable",
                                "after a reset: musaErrorECCUncorrectable", "device 0: musaSuccess"])

    def test_allocations_fail(self):
        _, said = self.start(3)
        self.assertEqual(said, ["10 launches, then musaSuccess", "allocation: musaErrorMemoryAllocation",
                                "after a reset: musaSuccess", "device 0: musaSuccess"])

    def test_links_are_shown_and_planned_on(self):
        text = self.tool("mthreads-gmi", "topo", "-mg")
        self.assertIn("\nGPU0  X     MT1   MT2   PHB\nGPU1  MT1   X     PHB   PHB\nGPU2  MT2   PHB   X     PHB\n", text)
        self.assertIn("    Link 0 : GPU 0 Link 0\n    Link 1 : GPU 0 Link 1\n", self.tool("mthreads-gmi", "mtlink", "-r", "-i", "2"))
        dump = FOLDER / "machine.xml"
        self.tool("all_reduce_perf", "-b", "4K", "-e", "4K", "-g", "3", "-w", "1", "-n", "1", MCCL_TOPO_DUMP_FILE=str(dump),
                  MUSA_VISIBLE_DEVICES="0,1,2")
        links = re.findall(r'<nvlink target="0000:(..):00.0" count="(\d)"', dump.read_text())
        self.assertEqual(sorted(links), [("2a", "1"), ("2a", "2"), ("2b", "1"), ("2c", "2")])

    def test_a_slow_link_is_slow(self):
        result = subprocess.run([FOLDER / "copies"], env=self.environment(), capture_output=True, text=True, timeout=60)
        slow, other = map(float, result.stdout.split())
        # 4 MiB at 50 MB/s are 84 ms.
        self.assertGreaterEqual(slow, 80)
        self.assertLess(other, slow / 2)

    def test_management_libraries_say_that_it_is_lost(self):
        self.start(1)
        script = ("import ctypes, sys\n"
                  "nvml = ctypes.CDLL(sys.argv[1])\n"
                  "device, memory = ctypes.c_void_p(), (ctypes.c_ulonglong * 3)()\n"
                  "assert nvml.nvmlInit_v2() == 0\n"
                  "for index, expected in ((0, 0), (1, 15)):\n"  # NVML_ERROR_GPU_IS_LOST
                  "    assert nvml.nvmlDeviceGetHandleByIndex_v2(index, ctypes.byref(device)) == 0\n"
                  "    assert nvml.nvmlDeviceGetMemoryInfo(device, memory) == expected, index\n")
        subprocess.run([sys.executable, "-c", script, SDK / "cuda/lib64/libnvidia-ml.so.1"], env=self.environment(), check=True)

    def test_what_is_wrong_is_told(self):
        path = FOLDER / "wrong.yaml"
        path.write_text("devices:\n  - product: S4000\n    memory: 3\n")
        text = self.tool("musaInfo", code=1, MUSASHIM_MACHINE=str(path))
        self.assertIn(f"MUSASHIM_MACHINE: {path}:3:5: unknown key memory of a device", text)
        text = self.tool("musaInfo", code=1, MUSASHIM_DEVICES="3")
        self.assertIn("MUSASHIM_DEVICES=3 cannot be used with MUSASHIM_MACHINE", text)


if __name__ == "__main__":
    SDK, PROGRAMS = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="mtml-machine-"))
    try:
        subprocess.run([SDK / "bin/mcc", "--offload-arch=mp_22", "--offload-arch=mp_31", PROGRAMS / "faulty.mu", "-o",
                        FOLDER / "faulty"], check=True)
        subprocess.run([SDK / "bin/mcc", PROGRAMS / "copies.mu", "-o", FOLDER / "copies"], check=True)
        program = unittest.main(argv=sys.argv[:1] + sys.argv[3:], exit=False)
    finally:
        shutil.rmtree(FOLDER, True)
    sys.exit(not program.result.wasSuccessful())
