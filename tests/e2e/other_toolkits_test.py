"""Another CUDA toolkit on the machine, made up: nothing of it gets into a build. other_toolkits_test.py SDK"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SDK = FACE = None
PROGRAM = """#include <cuda_runtime.h>
#include <cublas_v2.h>
#include <cstdio>
__global__ void k(int* p) { *p = 42; }
int main() {
  int *p, n = 0;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  cudaMemcpy(&n, p, 4, cudaMemcpyDefault);
  cublasHandle_t handle;
  std::printf("%d %d\\n", n, cublasCreate(&handle));
}
"""
RUNS = "42 0\n"


class OtherToolkitsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="toolkits-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("CUDA", "MUSA", "NVCC", "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH"))}
        # As in an environment of conda's, other things lie in the same folders.
        self.toolkit = self.folder / "toolkit"
        self.include, self.libraries = self.toolkit / "include", self.toolkit / "lib64"
        for name in ("cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "driver_types.h", "cublas_v2.h"):
            self.put(f"toolkit/include/{name}", "#error leaked\n")
        for name in ("cutensor.h", "nvjpeg.h", "mpi_like.h"):
            self.put(f"toolkit/include/{name}", "#define LEAKED 1\n")
        self.libraries.mkdir()
        self.put("empty.c", "int nothing_of_ours;\n")
        for name in ("cudart", "cublas", "cutensor", "mpi_like"):
            self.run_in("gcc", "-shared", "-fPIC", "empty.c", "-o", self.libraries / f"lib{name}.so")
        self.put("a.cu", PROGRAM)

    def put(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_in(self, *command, code=0, **more):
        result = subprocess.run([str(word) for word in command], cwd=self.folder, env={**self.environment, **more},
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, code, f"{command}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}")
        return result.stdout + result.stderr

    def nvcc(self, *arguments, code=0, **more):
        return self.run_in(FACE / "bin/nvcc", "-arch=sm_90", "-O0", *arguments, code=code, **more)

    def mcc(self, *arguments, code=0, **more):
        return self.run_in(SDK / "bin/mcc", *arguments, code=code, **more)

    def assert_told(self, said, *words):
        for word in (*words, f"'{SDK}/cuda'"):
            self.assertIn(str(word), said)

    def test_own_headers_come_first(self):
        for option in (f"-I{self.include}", f"-isystem {self.include}", f"-I {self.include}"):
            said = self.nvcc("a.cu", *option.split(), "-fsyntax-only")
            self.assert_told(said, self.include, "another CUDA toolkit")
        for variable in ("CPATH", "CPLUS_INCLUDE_PATH"):
            said = self.nvcc("a.cu", "-fsyntax-only", **{variable: str(self.include)})
            self.assert_told(said, self.include, variable)

    def test_own_libraries_come_first(self):
        said = self.nvcc("a.cu", f"-L{self.libraries}", "-lcublas", "-lcudart", "-o", "a")
        self.assert_told(said, self.libraries)
        self.assertEqual(self.run_in("./a"), RUNS)
        self.assertNotIn(str(self.toolkit), self.run_in("readelf", "-d", "a"))
        # Images of NVIDIA's have it set: no word of it.
        self.assertEqual(self.nvcc("a.cu", "-lcublas", "-o", "a", LIBRARY_PATH=str(self.libraries)), "")
        self.assertEqual(self.run_in("./a"), RUNS)

    def test_what_lies_beside_is_found(self):
        self.put("b.cu", "#include <mpi_like.h>\nint main() { return LEAKED - 1; }\n")
        self.nvcc("b.cu", f"-I{self.include}", f"-L{self.libraries}", "-lmpi_like", "-o", "b")
        self.assertIn("libmpi_like.so", self.run_in("readelf", "-d", "b"))

    def test_headers_that_only_it_has_are_refused(self):
        text = "#include <cutensor.h>\nint main() {}\n"
        for name, compiler in (("c.cu", self.nvcc), ("c.cpp", self.nvcc), ("c.c", self.nvcc), ("c.mu", self.mcc), ("d.cpp", self.mcc)):
            self.put(name, text)
            options, more = ([f"-I{self.include}"], {}) if name != "c.cpp" else ([], {"CPATH": str(self.include)})
            said = compiler("-c", name, *options, code=1, **more)
            self.assertIn("'cutensor.h' is a header of another CUDA toolkit, in '", said)

    def test_what_was_not_ported_does_not_compile_by_it(self):
        self.put("c.mu", "#include <cuda_runtime.h>\n")
        said = self.mcc("-c", "c.mu", f"-I{self.include}", code=1)
        self.assertIn("'cuda_runtime.h' is a header of another CUDA toolkit", said)
        self.assertIn("port the sources with musaport", said)
        self.assertNotIn("leaked", said)

    def test_a_copy_in_the_project_is_the_projects(self):
        self.put("own/cutensor.h", "#define OWN 1\n")
        self.put("c.cu", "#include <cutensor.h>\nint main() { return OWN - 1; }\n")
        self.nvcc("c.cu", f"-I{self.include}", "-Iown", "-o", "c")

    def test_libraries_that_only_it_has_are_refused(self):
        for options, more in (([f"-L{self.libraries}"], {}), ([], {"LIBRARY_PATH": str(self.libraries)})):
            said = self.nvcc("a.cu", *options, "-lcutensor", "-o", "a", code=1, **more)
            self.assertIn(f"'-lcutensor' would be taken from '{self.libraries}'", said)
            self.assertIn("this SDK has none of that name", said)
        said = self.nvcc("a.cu", self.libraries / "libcudart.so", "-o", "a", code=1)
        self.assertIn(f"link '{FACE}/lib64/libcudart.so' instead", said)
        self.put("e.mu", "int main() {}\n")
        self.assertIn("another CUDA toolkit's", self.mcc("e.mu", f"-L{self.libraries}", "-lcutensor", "-o", "e", code=1))

    def test_a_build_says_it_once(self):
        self.put("Makefile", "both: x.o y.o\n\t@true\n%.o: a.cu\n\t$(NVCC) -I$(CUDA_HOME)/include -fsyntax-only a.cu\n")
        said = self.run_in("make", "both", f"NVCC={FACE}/bin/nvcc", CUDA_HOME=str(self.toolkit))
        self.assertEqual(said.count("another CUDA toolkit"), 1, said)
        self.assert_told(said, f"CUDA_HOME={self.toolkit}", self.include)

    def test_hosts_compiler(self):
        """It looks into the face's folder before the system's; what a toolkit has and the SDK has not is refused there."""
        self.put("f.cpp", "#include <nvjpeg.h>\n")
        said = self.run_in("g++", "-fsyntax-only", "-isystem", FACE / "include", "-idirafter", self.include, "f.cpp", code=1)
        self.assertIn("this SDK has no nvJPEG", said)


if __name__ == "__main__":
    SDK = pathlib.Path(sys.argv.pop(1)).resolve()
    FACE = SDK / "cuda"
    unittest.main()
