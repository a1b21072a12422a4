"""nvcc's command line, by the nvcc of the CUDA face, with what NVIDIA's does: nvcc_command_test.py SDK

What each option of nvcc's becomes is in tests/mcc/driver/nvcc_options.tsv. Here are the ones that make something, and what
projects ask nvcc about the host's compiler."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import os

SDK = FACE = None

KERNEL = """
#include <cstdio>
__global__ void k(int* o) { *o = VALUE; }
int main() {
  int* d;
  int h = 0;
  cudaMalloc(&d, 4);
  k<<<1, 1>>>(d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\\n", h);
}
"""


class NvccCommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nvcc-command-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("CUDA", "MUSA", "NVCC", "LD_LIBRARY_PATH"))}
        (self.folder / "value.cu").write_text(KERNEL)
        (self.folder / "seven.cu").write_text(KERNEL.replace("VALUE", "7"))

    def run_in(self, *command, status=0, source=None, **more):
        result = subprocess.run([str(word) for word in command], cwd=self.folder, env={**self.environment, **more},
                                input=source, capture_output=True, text=True)
        self.assertEqual(result.returncode, status, f"{command}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}")
        return result.stdout + result.stderr

    def nvcc(self, *arguments, **more):
        return self.run_in(FACE / "bin/nvcc", *arguments, **more)

    def test_options_of_gcc_alone_are_no_errors(self):
        said = self.nvcc("seven.cu", "-o", "a", "-Xcompiler", "-Werror,-Wall,-Wlogical-op,-Wno-maybe-uninitialized,-fno-tree-dse,-fipa-pta")
        self.assertNotIn("logical-op", said)
        self.assertEqual(self.run_in("./a"), "7\n")
        self.assertIn("unknown argument: '-fno-such-thing'", self.nvcc("-c", "seven.cu", "-Xcompiler", "-fno-such-thing", status=1))

    def test_flags_of_the_environment(self):
        self.nvcc("value.cu", "-o", "a", NVCC_APPEND_FLAGS="-DVALUE=3")
        self.assertEqual(self.run_in("./a"), "3\n")
        self.nvcc("value.cu", "-o", "b", NVCC_PREPEND_FLAGS="  -DVALUE=4   -w")
        self.assertEqual(self.run_in("./b"), "4\n")
        # What is appended is heard last.
        self.nvcc("-DVALUE=1", "value.cu", "-o", "c", NVCC_APPEND_FLAGS="-UVALUE -DVALUE=5", NVCC_PREPEND_FLAGS="-DOTHER")
        self.assertEqual(self.run_in("./c"), "5\n")
        said = self.nvcc("--dryrun", "seven.cu", NVCC_APPEND_FLAGS="-DA", NVCC_PREPEND_FLAGS="-DB")
        self.assertIn('#$ NVCC_APPEND_FLAGS="-DA"', said)
        self.assertIn('#$ NVCC_PREPEND_FLAGS="-DB"', said)
        self.assertEqual(self.nvcc("-Xcudafe", "--diag_suppress=2", "-c", "seven.cu", NVCC_APPEND_FLAGS="-Wno-musa-nvcc-options"), "")

    def test_a_source_by_standard_input(self):
        source = (self.folder / "seven.cu").read_text()
        (self.folder / "here.h").write_text("#define HERE 1\n")
        self.nvcc("-x", "cu", "-", "-o", "a", source='#include "here.h"\nstatic_assert(HERE);\n' + source)
        self.assertEqual(self.run_in("./a"), "7\n")
        self.assertIn("__attribute__", self.nvcc("-x", "cu", "-E", "-", source=source))
        self.nvcc("-x", "cu", "-c", "-", source=source)
        self.assertTrue((self.folder / "stdin.o").exists())
        self.assertIn("<stdin>:2:9: error", self.nvcc("-x", "cu", "-c", "-", status=1, source="\nint x = y;\n"))
        self.nvcc("-x", "c++", "-c", "-", "-o", "c.o", source="int f() { return 1; }")
        self.assertRegex(self.nvcc("-E", "-x", "cu", "/dev/null", "-Xcompiler", "-dM"), "#define __CUDACC_VER_MAJOR__ 12")

    def test_commas_in_quotes(self):
        (self.folder / "s.cu").write_text('#include <string.h>\nconst char* s = STR;\nint main() { return strcmp(s, "x,y"); }\n')
        for flag in (r'-Xcompiler=-DSTR=\"x,y\"', r'-Xcompiler=-DSTR=\\\"x\,y\\\"', r'-DSTR=\"x\,y\"', '-DSTR="x,y"'):
            self.nvcc(flag, "s.cu", "-o", "s")
            self.run_in("./s")
        self.nvcc("-Xcompiler", '"-Wl,-rpath,/one,-rpath,/two"', "seven.cu", "-o", "a")
        self.assertRegex(self.run_in("readelf", "-d", "a"), r"RUNPATH.*\[/one:/two:")
        self.nvcc("-DA=1,B=2", "-I/nowhere,.", "-c", "-x", "cu", "-", source="static_assert(A == 1 && B == 2);")

    def test_what_goes_to_the_linker(self):
        self.nvcc("-forward-unknown-to-host-linker", "-rpath=/opt/w", "seven.cu", "-o", "a")
        self.assertRegex(self.run_in("readelf", "-d", "a"), r"RUNPATH.*\[/opt/w:")
        self.nvcc("-forward-unknown-opts", "--no-such-flag-for-clang", "-c", "seven.cu")
        self.nvcc("--no-such-flag-for-clang", "-c", "seven.cu", status=1)

    def test_libraries(self):
        (self.folder / "f.cpp").write_text("int f() { return 6; }\n")
        (self.folder / "g.cu").write_text("int f();\n__global__ void h(int* o) { *o = 1; }\nint g() { return f(); }\n")
        self.nvcc("-lib", "f.cpp", "g.cu", "-o", "libfg.a")
        self.assertEqual(self.run_in("ar", "t", "libfg.a").split(), ["f.o", "g.o"])
        (self.folder / "main.cu").write_text("int g();\nint main() { return g(); }\n")
        self.nvcc("main.cu", "-L.", "-lfg", "-o", "main")
        self.run_in("./main", status=6)
        self.nvcc("--lib", "f.cpp", "-Xarchive", "-D", "-arbin", "ar")
        self.assertEqual(self.run_in("ar", "t", "a.a").split(), ["f.o"])
        self.nvcc("-c", "g.cu", "-o", "h.o")
        self.nvcc("-lib", "h.o", "-o", "a.a")
        self.assertEqual(self.run_in("ar", "t", "a.a").split(), ["f.o", "h.o"])
        self.assertIn("'no-such-ar'", self.nvcc("-lib", "h.o", "-arbin", "no-such-ar", status=1))
        # Device code that is linked later.
        (self.folder / "d.cu").write_text("__device__ int d() { return 9; }\n")
        self.nvcc("-rdc=true", "-lib", "d.cu", "-o", "libd.a")
        (self.folder / "e.cu").write_text("__device__ int d();\n" + KERNEL.replace("VALUE", "d()"))
        self.nvcc("-rdc=true", "e.cu", "-L.", "-ld", "-o", "e")
        self.assertEqual(self.run_in("./e"), "9\n")

    def test_run(self):
        self.assertEqual(self.nvcc("-run", "seven.cu"), "7\n")
        self.assertTrue((self.folder / "a.out").exists())
        (self.folder / "count.cu").write_text("int main(int count, char** words) { return 10 * count + *words[count - 1] - '0'; }\n")
        self.nvcc("-run", "count.cu", "-o", "count", "--run-args", "7,8", "-run-args", "9", status=49)
        self.nvcc("-run", "./count", "-run-args", "5 6", status=36)
        self.assertIn("no program to run", self.nvcc("-run", "-c", "count.cu", status=1))

    def test_clean(self):
        self.nvcc("seven.cu")
        self.nvcc("-c", "-MD", "seven.cu")
        self.nvcc("-clean", "seven.cu")
        self.assertFalse((self.folder / "a.out").exists())
        self.assertTrue((self.folder / "seven.o").exists())
        self.nvcc("--clean-targets", "-c", "-MD", "seven.cu")
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"seven.cu", "value.cu"})

    def test_times(self):
        for _ in range(2):
            self.nvcc("-time", "times.csv", "-c", "seven.cu")
        lines = (self.folder / "times.csv").read_text().splitlines()
        self.assertEqual(lines[0], "source file name , phase name , phase input files , phase output file , arch , tool, metric , unit")
        rows = [row.split(" , ") for row in lines[1:]]
        self.assertTrue(all(float(row[6]) > 0 and row[7] == "ms" for row in rows), rows)
        self.assertEqual(sum(row[1] == "clang (host code)" and row[0] == "seven.cu" for row in rows), 2, rows)
        self.assertIn("clang (device code)", self.nvcc("-time", "-", "-c", "seven.cu"))

    def test_options_with_a_value_of_their_own(self):
        for option in (("--frandom-seed", "abc"), ("--fatbin-options", "-compress-all"), ("--cudafe-options", "--diag_suppress=2"),
                       ("-e", "k"), ("-Xnvlink", "-v"), ("--threads", "2"), ("-optf", "none.txt")):
            (self.folder / "none.txt").write_text("")
            self.nvcc(*option, "-c", "seven.cu")

    def test_what_projects_ask(self):
        version = subprocess.run(["clang++-19", "-dumpversion"], capture_output=True, text=True).stdout
        # ggml's question: the file need not exist.
        self.assertEqual(self.nvcc(".c", "-Xcompiler", "-dumpfullversion -dumpversion"), version)
        self.assertEqual(self.nvcc("-Xcompiler", "-dumpversion", "seven.cu"), version)
        self.assertIn(f"clang version {version.strip()}", self.nvcc(".c", "-Xcompiler", "--version"))
        self.assertEqual(self.nvcc("-Xcompiler=-dumpmachine").count("x86_64"), 1)
        self.assertIn("libc.so", self.nvcc("-Xcompiler", "-print-file-name=libc.so.6"))
        self.assertIn("libraries:", self.nvcc("-Xcompiler", "-print-search-dirs", "seven.cu"))
        self.assertIn("release 12.4", self.nvcc("--version"))
        self.assertEqual(list(self.folder.glob("*.o")), [])
        self.assertIn("no input files", self.nvcc("-v", status=1))
        said = self.nvcc("-v", "-c", "seven.cu")
        self.assertRegex(said, r"#\$ TOP=.*/cuda\n")
        self.assertIn("#$ cicc -arch compute_80", said)
        self.assertIn("#$ g++", self.nvcc("--dryrun", "seven.cu", "-o", "never"))
        self.assertFalse((self.folder / "never").exists())

    def test_architectures(self):
        self.assertEqual(self.nvcc("--list-gpu-arch").split()[-1], "compute_80")
        self.assertEqual(self.nvcc("-code-ls").split()[-1], "sm_80")
        self.assertEqual(self.nvcc("--list-gpu-code", "-arch-ls").split()[-1], "arch=compute_80,code=sm_80")
        self.assertEqual(self.nvcc("--list-gpu-code", MUSASHIM_CUDA_CAPABILITY="8.6").split()[-1], "sm_86")

    def test_cmake_takes_no_warning_for_a_refusal(self):
        (self.folder / "CMakeLists.txt").write_text("""
            cmake_minimum_required(VERSION 3.22)
            project(flag CXX CUDA)
            include(CheckCXXCompilerFlag)
            include(CheckCompilerFlag)
            foreach(flag -Wext-lambda-captures-this -maxrregcount=32 -lineinfo -no-such-flag)
              string(MAKE_C_IDENTIFIER "${flag}" name)
              check_cxx_compiler_flag(${flag} CXX${name})
              check_compiler_flag(CUDA ${flag} CUDA${name})
              message(STATUS "${flag}: '${CXX${name}}' '${CUDA${name}}'")
            endforeach()
            """)
        said = self.run_in("cmake", "-B", "b", f"-DCMAKE_CXX_COMPILER={FACE}/bin/nvcc", f"-DCMAKE_CUDA_COMPILER={FACE}/bin/nvcc", ".")
        for flag in ("-Wext-lambda-captures-this", "-maxrregcount=32", "-lineinfo"):
            self.assertIn(f"{flag}: '1' '1'", said)
        self.assertIn("-no-such-flag: '' ''", said)


class HelpTest(unittest.TestCase):
    def test_the_list_of_options_is_that_of_nvccs_help(self):
        nvcc = pathlib.Path("/usr/local/cuda/bin/nvcc")
        said = subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout if nvcc.exists() else ""
        if "release 13.0" not in said:
            self.skipTest("NVIDIA's nvcc 13.0 is not installed")
        text = subprocess.run([nvcc, "--help"], capture_output=True, text=True).stdout
        data = pathlib.Path(__file__).resolve().parents[1] / "mcc/driver/nvcc_help.tsv"
        listed = [line.split("\t")[0] for line in data.read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(listed, re.findall(r"^--(\S+)", text, re.MULTILINE))


if __name__ == "__main__":
    SDK = pathlib.Path(sys.argv.pop(1)).resolve()
    FACE = SDK / "cuda"
    unittest.main(verbosity=2)
