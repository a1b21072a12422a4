"""libmupti, by a program that profiles itself: mupti_test.py SDK"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parent / "profiled.cu"
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


if __name__ == "__main__":
    SDK = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
