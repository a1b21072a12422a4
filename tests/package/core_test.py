"""The core of the SDK alone compiles and runs programs, and mcc says of the rest how it is built: core_test.py SDK LIBRARY,...

The core is the SDK without the libraries named and what comes with them: what -DMUSASHIM_CORE_ONLY=ON installs.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SDK, BEYOND = None, []
HEADERS = ["mtml*", "nvml*", "mtshmem*", "nvshmem*", "mupti*", "cccl*", "thrust", "cub", "cuda_alias/nvshmem*", "cuda_alias/cupti*"]
ADVICE = "./scripts/quickstart --all builds all of it"


class Core(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(dir=SDK.parent)
        cls.sdk = pathlib.Path(cls.folder.name) / "sdk"
        shutil.copytree(SDK, cls.sdk, symlinks=True, copy_function=os.link)
        for path in [p for name in BEYOND for p in (cls.sdk / "lib").glob(f"lib{name}.*")] + \
                    [p for name in HEADERS for p in (cls.sdk / "include").glob(name)] + \
                    [cls.sdk / "lib/musashim/mcc-vendor.so", cls.sdk / "bin/musashim-diff", cls.sdk / "lib/musashim/libmusashim-record.so"]:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_in_core(self, *command):
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("MUSA_", "CUDA_"))}
        environment.update(MUSASHIM_DEVICES="2", MUSASHIM_SESSION="none")
        return subprocess.run([str(word) for word in command], cwd=self.folder.name, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def compiled(self, text, *options):
        source = pathlib.Path(self.folder.name) / "source.mu"
        source.write_text(text)
        return self.run_in_core(self.sdk / "bin/mcc", source, "-o", "program", *options)

    def test_a_sample_is_ported_and_runs(self):
        self.assertEqual(self.run_in_core(self.sdk / "bin/musaport", ROOT / "samples", "-o", "ported").returncode, 0)
        done = self.run_in_core(self.sdk / "bin/mcc", "ported/ringSendRecv/ringSendRecv.mu", "-o", "ring", "-lmusart", "-lmccl")
        self.assertEqual(done.returncode, 0, done.stdout)
        done = self.run_in_core("./ring")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_each_library_beyond_it_is_told(self):
        self.assertGreater(len(BEYOND), 10)
        done = self.compiled("int main() {}", *[f"-l{name}" for name in BEYOND])
        self.assertNotEqual(done.returncode, 0)
        for name in BEYOND:
            self.assertIn(f"lib{name} is not built in this SDK: {ADVICE}", done.stdout)

    def test_cudas_names_of_them_are_told(self):
        done = self.compiled("int main() {}", "-lcudnn", "-lnvshmem", "-lcublas", "-lfoo")
        for name in ("mudnn", "mtshmem"):
            self.assertIn(f"lib{name} is not built in this SDK", done.stdout)
        self.assertNotIn("libfoo is not built", done.stdout)

    def test_their_headers_are_told(self):
        for header, library in (("mtml.h", "MTML"), ("nvml.h", "MTML"), ("mtshmem.h", "MTSHMEM"), ("mupti.h", "MUPTI"), ("thrust/sort.h", "Thrust"), ("cub/cub.cuh", "CUB")):
            done = self.compiled(f"#include <{header}>\nint main() {{}}\n")
            self.assertIn(f"'{header}' file not found: it is a header of {library}, which is not built in this SDK: {ADVICE}", done.stdout)

    def test_an_option_beyond_it_is_told(self):
        done = self.compiled("int main() {}", "-Wvendor")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("'-Wvendor' is not built in this SDK", done.stdout)
        self.assertIn(ADVICE, done.stdout)

    def test_the_whole_sdk_says_nothing_of_it(self):
        source = pathlib.Path(self.folder.name) / "whole.mu"
        source.write_text("#include <thrust/no_such.h>\nint main() {}\n")
        done = self.run_in_core(SDK / "bin/mcc", source, "-o", "program", "-lmublas")
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn("not built", done.stdout)


if __name__ == "__main__":
    SDK = pathlib.Path(sys.argv.pop(1)).resolve()
    BEYOND = sys.argv.pop(1).split(",")
    unittest.main(verbosity=2)
