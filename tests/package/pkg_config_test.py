"""pkg-config finds the SDK, wherever it lies: pkg_config_test.py SDK"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SDK = None
PROGRAM = """
#include <musa_runtime_api.h>
#include <mccl.h>
#include <mublas.h>
#include <cstdio>
int main() {
  int devices = 0, version = 0;
  mublasHandle_t handle;
  if (musaGetDeviceCount(&devices) || mcclGetVersion(&version) || mublasCreate(&handle)) return 1;
  std::printf("%d devices\\n", devices);
}
"""


def output(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=True, **more).stdout


def environment(sdk):
    return {**os.environ, "PKG_CONFIG_PATH": str(sdk / "lib/pkgconfig"), "MUSASHIM_DEVICES": "3", "MUSASHIM_SESSION": "none"}


@unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is missing")
class PkgConfig(unittest.TestCase):
    def test_each_library_has_its_file(self):
        files = sorted(path.stem for path in (SDK / "lib/pkgconfig").glob("*.pc"))
        for name in files:
            with self.subTest(name):
                flags = output("pkg-config", "--cflags", "--libs", name, env=environment(SDK)).split()
                self.assertIn(f"-l{name}", flags)
                self.assertTrue((SDK / f"lib/lib{name}.so").exists())
        libraries = {path.name[3:-3] for path in (SDK / "lib").glob("lib*.so")}
        # Device code's own, and NVML's face.
        self.assertEqual({name for name in libraries - set(files) if not name.startswith("mccl-net-")},  # plugins are loaded
                         {"musadevrt", "mtml_nvml"})

    def build(self, sdk, folder):
        source, program = pathlib.Path(folder) / "program.cpp", pathlib.Path(folder) / "program"
        source.write_text(PROGRAM)
        flags = output("pkg-config", "--cflags", "--libs", "mccl", "mublas", env=environment(sdk)).split()
        output("g++", str(source), "-o", str(program), *flags)
        return output(str(program), env=environment(sdk))

    def test_a_program_of_another_compiler(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.build(SDK, folder), "3 devices\n")

    def test_a_moved_sdk(self):
        with tempfile.TemporaryDirectory(dir=SDK.parent) as folder:
            moved = pathlib.Path(folder) / "else where"
            shutil.copytree(SDK, moved, symlinks=True, copy_function=os.link)
            hello = pathlib.Path(folder) / "hello.mu"
            hello.write_text("#include <musa_runtime.h>\n#include <cstdio>\n__global__ void k(int* d) { *d = 7; }\nint main() {\n"
                             "  int* d;\n  musaMallocManaged(&d, 4);\n  k<<<1, 1>>>(d);\n  musaDeviceSynchronize();\n"
                             "  std::printf(\"%d\\n\", *d);\n}\n")
            clean = {key: value for key, value in environment(moved).items() if not key.startswith(("MUSA_", "CUDA_"))}
            output(str(moved / "bin/mcc"), str(hello), "-o", f"{folder}/hello", "-lmusart", env=clean)
            self.assertEqual(output(f"{folder}/hello", env=clean), "7\n")
            linked = output("ldd", f"{folder}/hello")
            self.assertIn(str(moved / "lib/libmusart"), linked)
            self.assertNotIn(str(SDK) + "/", linked)


if __name__ == "__main__":
    SDK = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
