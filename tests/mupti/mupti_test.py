"""libmupti, by a program that profiles itself: mupti_test.py SDK"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = HERE / "profiled.cu"
EVENTS = HERE / "events.cu"
SDK = None


class MuptiTest(unittest.TestCase):
    def build_and_run(self, *commands):
        with tempfile.TemporaryDirectory() as folder:
            for command in commands:
                done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("all as told", done.stdout)

    def test_ported(self):
        self.build_and_run([SDK / "bin/musaport", PROGRAM, "-o", "profiled.mu"],
                           [SDK / "bin/mcc", "profiled.mu", "-o", "profiled", "-lmusart", "-lmusa", "-lmupti"], ["./profiled"])

    def test_untouched_by_the_cuda_face(self):
        self.build_and_run([SDK / "cuda/bin/nvcc", PROGRAM, "-o", "profiled", "-lcupti", "-lcuda"], ["./profiled"])

    def test_events_ported(self):
        self.build_and_run([SDK / "bin/musaport", EVENTS, "-o", "events.mu"],
                           [SDK / "bin/mcc", "events.mu", "-o", "events", "-lmusart", "-lmusa", "-lmupti"], ["./events"])

    def test_events_by_the_cuda_face(self):
        self.build_and_run([SDK / "cuda/bin/nvcc", EVENTS, "-o", "events", "-lcupti", "-lcuda"], ["./events"])

    def test_kinds_of_the_vendors(self):
        self.build_and_run(["gcc", "-Wall", "-Werror", f"-I{SDK}/include", HERE / "vendor_kinds.c", f"-L{SDK}/lib", f"-Wl,-rpath,{SDK}/lib",
                            "-lmupti", "-lmusart", "-lmusa", "-o", "kinds"], ["./kinds"])


if __name__ == "__main__":
    SDK = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
