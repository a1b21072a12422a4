"""Programs on devices of an architecture that they were not compiled for: other_architecture_test.py SDK"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SDK = None

SOURCE = """
#include <cstdio>
#include <musa_runtime.h>
#ifdef __MUSA_ARCH__
constexpr int kArch = __MUSA_ARCH__;
#endif
__global__ void one(int* out) { *out = 1; }
__global__ void two(int* out) { *out = 2; }
int main() {
  int* data = nullptr;
  int value = 0;
  musaMalloc(&data, sizeof(int));
  musaMemset(data, 0, sizeof(int));
  for (int i = 0; i < 3; ++i) {
    one<<<1, 1>>>(data);
    two<<<1, 1>>>(data);
  }
  const musaError_t error = musaGetLastError();
  const musaError_t later = musaDeviceSynchronize();
  musaMemcpy(&value, data, sizeof(int), musaMemcpyDeviceToHost);
  std::printf("%s %s %d\\n", musaGetErrorName(error), musaGetErrorName(later), value);
}
"""


class OtherArchitectureTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="other-architecture-"))
        (cls.folder / "a.mu").write_text(SOURCE)
        (cls.folder / "a.cu").write_text(SOURCE.replace("musa", "cuda"))
        for name, command in (("mp_22", ["bin/mcc", "--offload-arch=mp_22", "a.mu"]), ("mp_31", ["bin/mcc", "--offload-arch=mp_21,mp_31", "a.mu"]),
                              ("face", ["cuda/bin/nvcc", "-arch=mp_22", "a.cu"])):
            subprocess.run([SDK / command[0], *command[1:], "-o", name], cwd=cls.folder, check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, True)

    def run_on(self, program, arch):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("MUSA", "LD_LIBRARY_PATH"))}
        result = subprocess.run([self.folder / program], env={**environment, "MUSASHIM_ARCH": arch}, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout, result.stderr

    def test_it_is_said_once_with_both_names_and_what_to_do(self):
        for program, arch, images in (("mp_22", "mp_21", " mp_22"), ("mp_22", "mp_31", " mp_22"), ("mp_31", "mp_22", " mp_21 mp_31"),
                                      ("face", "mp_31", " mp_22")):
            with self.subTest(program=program, arch=arch):
                said, warned = self.run_on(program, arch)
                self.assertEqual(said, "musaErrorNoKernelImageForDevice musaSuccess 0\n")
                self.assertEqual(warned.count("\n"), 1, warned)
                self.assertIn(f"the device is {arch} on this machine, the images are for:{images}", warned)
                for remedy in ("--offload-arch", "MUSASHIM_ARCH", "ErrorNoKernelImageForDevice"):
                    self.assertIn(remedy, warned)

    def test_nothing_is_said_where_there_is_an_image(self):
        for program, arch in (("mp_22", "mp_22"), ("mp_31", "mp_21"), ("mp_31", "mp_31"), ("face", "mp_22")):
            with self.subTest(program=program, arch=arch):
                said, warned = self.run_on(program, arch)
                self.assertIn("Success", said)
                self.assertTrue(said.endswith(" 2\n"), said)
                self.assertEqual(warned, "")


if __name__ == "__main__":
    SDK = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
