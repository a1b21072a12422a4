"""The CUDA face of the SDK: whole projects build by it untouched. cuda_face_test.py SDK"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECTS = pathlib.Path(__file__).resolve().parent / "cuda_face"
FACE = None


class CudaFaceTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cuda-face-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        # No other toolkit's settings, and none of ours: the build command alone says where CUDA is.
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("CUDA", "MUSA", "NVCC", "LD_LIBRARY_PATH"))}

    def copy(self, project):
        return pathlib.Path(shutil.copytree(PROJECTS / project, self.folder / project))

    def run_in(self, folder, *command, **more):
        result = subprocess.run([str(word) for word in command], cwd=folder, env={**self.environment, **more},
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}")
        return result.stdout + result.stderr

    def test_version_is_told_in_nvccs_words(self):
        said = self.run_in(self.folder, FACE / "bin/nvcc", "--version")
        self.assertRegex(said, r"nvcc: NVIDIA \(R\) Cuda compiler driver")
        version = re.search(r"release (\d+\.\d+), V(\d+\.\d+)\.\d+", said)
        self.assertEqual(version[1], version[2])
        self.assertIn(f'"version" : "{version[1]}.0"', (FACE / "version.json").read_text())

    # All version macros that the face's headers define: in #if, in code and in a template's argument.
    def test_versions_are_the_same_for_gcc_and_nvcc(self):
        headers = ("cuda.h", "cuda_runtime.h", "cublas_v2.h", "cublasLt.h", "cufft.h", "cufile.h", "cupti.h", "curand.h", "cusolverDn.h",
                   "cusparse.h", "nccl.h", "nvml.h", "nvrtc.h")
        source = "".join(f"#include <{header}>\n" for header in headers) + "#include <cstdio>\ntemplate <long long V> long long of() { return V; }\n"
        (self.folder / "all.cpp").write_text(source)
        said = self.run_in(self.folder, "g++", "-E", "-dM", "all.cpp", f"-I{FACE}/include")
        names = sorted(re.findall(r"^#define ((?!CUDA_ERROR|CU_)(?:CU|NV|NCCL)\w*_(?:VERSION|VERSION_CODE|VER_\w+|MAJOR|MINOR|PATCH)) ", said, re.M))
        names.remove("NCCL_VERSION")  # makes a number of three
        for name in ("CUDA_VERSION", "CUDART_VERSION", "CUBLAS_VERSION", "CUFFT_VERSION", "CURAND_VERSION", "CUSPARSE_VER_MAJOR", "NCCL_VERSION_CODE"):
            self.assertIn(name, names)
        (self.folder / "all.cpp").write_text(source + "int main() {\n" + "".join(f'std::printf("%lld\\n", (long long)({name}));\n' for name in names) + "}\n")
        self.run_in(self.folder, "g++", "all.cpp", f"-I{FACE}/include", "-o", "all")
        values = dict(zip(names, map(int, self.run_in(self.folder, "./all").split())))
        release = re.search(r"release (\d+)\.(\d+)", self.run_in(self.folder, FACE / "bin/nvcc", "--version"))
        number = 1000 * int(release[1]) + 10 * int(release[2])
        self.assertEqual((values["CUDA_VERSION"], values["CUDART_VERSION"]), (number, number))
        for header, name in (("cuda.h", "CUDA_VERSION"), ("cuda_runtime_api.h", "CUDART_VERSION")):  # scripts look for them there
            self.assertIn(f"#define {name} {number}\n", (FACE / "include" / header).read_text())

        body = "int main() {\nint wrong = 0, version = 0;\n"
        for name, value in values.items():
            body += f"""#if !defined({name}) || {name} < {value} || {name} > {value} || {name} >= {value + 1}
++wrong; std::printf("#if {name[:1]} {name[1:]}\\n");
#endif
if ({name} != {value} || {name} < {value} || !({name} >= {value}) || of<{name}>() != {value}) ++wrong, std::printf("{name[:1]} {name[1:]}\\n");
"""
        body += f"""if (cudaRuntimeGetVersion(&version) != cudaSuccess || version != CUDART_VERSION) ++wrong, std::printf("runtime %d\\n", version);
if (cudaDriverGetVersion(&version) != cudaSuccess || version < CUDART_VERSION || version >= 13000) ++wrong, std::printf("driver %d\\n", version);
if (cuDriverGetVersion(&version) != CUDA_SUCCESS || version != CUDA_VERSION) ++wrong, std::printf("driver API %d\\n", version);
void* entry = nullptr;
if (cuGetProcAddress("cuDriverGetVersion", &entry, CUDA_VERSION, 0, nullptr) != CUDA_SUCCESS || entry != (void*)cuDriverGetVersion) ++wrong, std::printf("entry\\n");
if (nvmlInit_v2() != NVML_SUCCESS || nvmlSystemGetCudaDriverVersion_v2(&version) != NVML_SUCCESS || version != CUDA_VERSION) ++wrong, std::printf("NVML %d\\n", version);
std::printf("%d wrong\\n", wrong);
}}
"""
        libraries = (f"-L{FACE}/lib64", "-lcudart", "-lcuda", "-lnvidia-ml")
        for file, command in (("host.cpp", ("g++", f"-I{FACE}/include")), ("device.cu", (FACE / "bin/nvcc",)), ("plain.cpp", (FACE / "bin/nvcc",))):
            (self.folder / file).write_text(source + body)
            self.run_in(self.folder, *command, file, "-o", "program", *libraries)
            self.assertEqual(self.run_in(self.folder, "./program", MUSASHIM_SESSION="none"), "0 wrong\n", file)
        self.assertRegex(self.run_in(self.folder, FACE / "bin/nvidia-smi", MUSASHIM_SESSION="none"), rf"CUDA Version: {release[1]}\.{release[2]} ")

    def test_make(self):
        folder = self.copy("make")
        self.run_in(folder, "make", f"CUDA_HOME={FACE}")
        for program in ("program", "shared"):
            self.assertEqual(self.run_in(folder, folder / program), "0 wrong\n")

    def test_cmake_language(self):
        folder = self.copy("cmake")
        said = self.run_in(folder, "cmake", "-S", ".", "-B", "build", f"-DCMAKE_CUDA_COMPILER={FACE}/bin/nvcc",
                           f"-DCUDAToolkit_ROOT={FACE}")
        self.assertIn(f"Found CUDAToolkit: {FACE}/include", said)
        self.run_in(folder, "cmake", "--build", "build")
        self.assertEqual(self.run_in(folder, "build/face"), "0 wrong\n")

    def test_cmake_finds_the_nvcc_of_the_path(self):
        folder = self.copy("cmake")
        path = f"{FACE}/bin:{self.environment['PATH']}"
        said = self.run_in(folder, "cmake", "-S", ".", "-B", "build", PATH=path)
        self.assertIn(f"Found CUDAToolkit: {FACE}/include", said)

    def test_cmake_by_the_toolchain_file(self):
        toolchain = f"-DCMAKE_TOOLCHAIN_FILE={FACE.parent}/cmake/cuda_sources.cmake"
        folder = self.copy("cmake")
        lists = folder / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace('"70;80-real"', "native"))
        said = self.run_in(folder, "cmake", "-S", ".", "-B", "build", toolchain)
        self.assertIn(f"Found CUDAToolkit: {FACE}/include", said)
        self.run_in(folder, "cmake", "--build", "build")
        self.assertEqual(self.run_in(folder, "build/face"), "0 wrong\n")

    def test_cmake_with_openmp(self):
        folder = self.copy("cmake_openmp")
        if not pathlib.Path("/usr/lib/llvm-19/lib/libomp.so").exists():
            self.skipTest("libomp-19-dev is not installed")
        self.run_in(folder, "cmake", "-S", ".", "-B", "build", f"-DCMAKE_TOOLCHAIN_FILE={FACE.parent}/cmake/cuda_sources.cmake")
        self.run_in(folder, "cmake", "--build", "build")
        self.assertEqual(self.run_in(folder, "build/threads"), "0 wrong\n")

    def test_old_find_cuda(self):
        folder = self.copy("cmake_old")
        said = self.run_in(folder, "cmake", "-S", ".", "-B", "build", f"-DCUDA_TOOLKIT_ROOT_DIR={FACE}")
        self.assertIn(f"Found CUDA: {FACE}", said)
        self.run_in(folder, "cmake", "--build", "build")
        self.assertEqual(self.run_in(folder, "build/old"), "0 wrong\n")

    def test_static_runtime(self):
        folder = self.copy("make")
        self.run_in(folder, "make", f"CUDA_HOME={FACE}", "kernel.o", "main.o")
        self.run_in(folder, "g++", "kernel.o", "main.o", f"-L{FACE}/lib64", "-lcudart_static", "-lnccl_static",
                    "-lcudadevrt", "-lrt", "-lpthread", "-ldl", "-o", "static")
        self.assertEqual(self.run_in(folder, "./static"), "0 wrong\n")

    def test_runtime_compilation(self):
        folder = self.copy("nvrtc")
        self.run_in(folder, "g++", "main.cpp", f"-I{FACE}/include", f"-L{FACE}/lib64", "-lnvrtc", "-lcuda",
                    f"-Wl,-rpath,{FACE}/lib64", "-o", "program")
        for _ in range(2):  # the second time from the cache
            self.assertEqual(self.run_in(folder, folder / "program", MUSASHIM_CACHE_PATH=folder / "cache"), "0 wrong\n")
        self.assertEqual(len(list((folder / "cache/mtrtc").iterdir())), 1)

    def test_libraries_for_mathematics(self):
        folder = self.copy("libraries")
        names = ("-lcublas", "-lcufftw", "-lcufft", "-lcusparse", "-lcusolver")
        for libraries, program in ((names, "shared"), ([f"{name}_static" for name in names], "static")):
            self.run_in(folder, "g++", "main.cpp", f"-I{FACE}/include", f"-L{FACE}/lib64", *libraries, "-lcudart",
                        f"-Wl,-rpath,{FACE}/lib64", "-o", program)
            self.assertEqual(self.run_in(folder, folder / program), "0 wrong\n")
        self.run_in(folder, FACE / "bin/nvcc", "main.cpp", *names, "-o", "nvcc")
        self.assertEqual(self.run_in(folder, folder / "nvcc"), "0 wrong\n")
        self.run_in(folder, FACE.parent / "bin/mcc", "-x", "cuda", "main.cpp", *names, "-o", "mcc")
        self.assertEqual(self.run_in(folder, folder / "mcc"), "0 wrong\n")

    def test_files_to_devices(self):
        folder = self.copy("files")
        self.run_in(folder, "g++", "-Wall", "-Werror", "main.cpp", f"-I{FACE}/include", f"-L{FACE}/lib64", "-lcufile", "-lcudart", "-o", "host")
        self.assertEqual(self.run_in(folder, "./host"), "0 wrong\n")
        (folder / "main.cpp").rename(folder / "main.cu")
        self.run_in(folder, FACE / "bin/nvcc", "main.cu", "-lcufile", "-o", "nvcc")
        self.assertEqual(self.run_in(folder, "./nvcc"), "0 wrong\n")
        said = self.run_in(folder, FACE.parent / "bin/musaport", "main.cu", "-o", "ported.mu")
        self.assertIn("MUSA has no counterpart of cuFile", said)
        self.assertIn("read into pinned host memory", said)

    def test_management_library(self):
        folder = self.copy("management")
        self.run_in(folder, "gcc", "-Wall", "-Werror", "main.c", f"-I{FACE}/include", f"-L{FACE}/lib64", "-lnvidia-ml", "-lcudart",
                    f"-Wl,-rpath,{FACE}/lib64", "-o", "devices")
        self.assertEqual(self.run_in(folder, "./devices", MUSASHIM_DEVICES="3", MUSASHIM_ARCH="S4000", MUSASHIM_SESSION="none"),
                         "3 MTT S4000 32\n")
        (folder / "main.c").rename(folder / "main.cu")
        self.run_in(folder, FACE / "bin/nvcc", "main.cu", "-lnvidia-ml", "-o", "nvcc")
        self.assertEqual(self.run_in(folder, "./nvcc", MUSASHIM_DEVICES="2", MUSASHIM_SESSION="none"), "2 MTT S5000 32\n")

    def test_the_driver_is_linked_by_its_stub_alone(self):
        (self.folder / "driver.cpp").write_text(
            '#include <cuda.h>\n#include <nvml.h>\nint main() { return cuInit(0) + nvmlInit_v2() + nvmlShutdown(); }\n')
        self.run_in(self.folder, "g++", "driver.cpp", f"-I{FACE}/include", f"-L{FACE}/lib64/stubs", "-lcuda", "-lnvidia-ml", "-o", "driver")
        self.run_in(self.folder, self.folder / "driver")

    # As with a toolkit's own, which the loader knows.
    def test_programs_find_every_library(self):
        folder = (FACE / "lib64").resolve()
        names = sorted(path for path in folder.rglob("lib*") if path.suffix in (".so", ".a") and path.name != "libcudadevrt.a"
                       and path.resolve().is_relative_to(folder))  # links to the SDK's own libraries are no libraries of CUDA's
        self.assertGreater(len(names), 25)
        loads = self.folder / "loads.cpp"
        loads.write_text("""
            #include <dlfcn.h>
            #include <stdio.h>
            int main(int, char** names) {
              void* by_link = dlsym(RTLD_DEFAULT, names[2]);
              void* file = dlopen(names[1], RTLD_NOW | RTLD_LOCAL);
              if (!file) return puts(dlerror()), 1;
              Dl_info place;
              if (!by_link || by_link != dlsym(file, names[2]) || !dladdr(by_link, &place)) return 2;
              return puts(place.dli_fname) < 0;
            }
            """)
        self.run_in(self.folder, "g++", "-c", loads)
        for path in names:
            with self.subTest(path.name):
                symbols = self.run_in(self.folder, "nm", "-D", "--defined-only", path).split("\n")
                symbol = next(line.split()[2] for line in symbols if re.search(r" T (cu|nv|nccl|mu|mt|fftw)", line))
                self.run_in(self.folder, "g++", "loads.o", "-Wl,--no-as-needed", f"-L{path.parent}", f"-l:{path.name}", "-ldl", "-o", "loads")
                said = self.run_in(self.folder, "./loads", path, symbol).strip()
                self.assertRegex(said, rf"^{FACE.parent}/+lib/lib\w+\.so")

    def test_a_moved_toolkit_says_where_it_is(self):
        moved = self.folder / "moved sdk"
        for folder in ("lib", "include"):
            (moved / folder).parent.mkdir(exist_ok=True)
            (moved / folder).symlink_to(FACE.parent / folder)
        shutil.copytree(FACE, moved / "cuda", symlinks=True)
        self.run_in(self.folder, moved / "cuda/relocate")
        (self.folder / "driver.cpp").write_text("#include <cuda.h>\nint main() { return cuInit(0); }\n")
        for name in ("cuda", "cudart_static"):
            self.run_in(self.folder, "g++", "driver.cpp", f"-I{FACE}/include", f"-L{moved}/cuda/lib64", "-Wl,--no-as-needed",
                        f"-l{name}", *(["-lcuda"] if name != "cuda" else []), "-o", "driver")
            self.assertRegex(self.run_in(self.folder, "readelf", "-d", "driver"), rf"NEEDED.*{moved}/+lib/")
            self.run_in(self.folder, "./driver")

    def test_the_drivers_header_alone_names_its_types(self):
        (self.folder / "types.cpp").write_text("""
            #include <cuda.h>
            #include <type_traits>
            #ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
            #error "nobody asked for it"
            #endif
            static_assert(std::is_same_v<CUstream, CUstream_st*> && std::is_same_v<CUevent, CUevent_st*>);
            static_assert(sizeof(CUuuid) == 16);
            int main() {
              CUdevice device;
              CUuuid uuid;
              int clusters = 1, streams = 1;
              if (cuInit(0) || cuDeviceGet(&device, 0) || cuDeviceGetUuid(&uuid, device)) return 1;
              if (cuDeviceGetAttribute(&clusters, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, device)) return 2;
              if (cuDeviceGetAttribute(&streams, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, device)) return 3;
              return clusters + streams;
            }
            """)
        self.run_in(self.folder, "g++", "-std=c++17", "types.cpp", f"-I{FACE}/include", f"-L{FACE}/lib64", "-lcuda", "-o", "types")
        self.run_in(self.folder, self.folder / "types")

    def test_each_threads_own_stream_by_the_macro(self):
        (self.folder / "stream.cpp").write_text("""
            #define CUDA_API_PER_THREAD_DEFAULT_STREAM
            #include <cuda_runtime_api.h>
            #include <stdio.h>
            int main() {
              cudaStreamCaptureStatus status;
              // A stream of the thread's may be captured, the legacy one may not.
              const cudaError_t begun = cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal);
              if (begun != cudaSuccess || cudaStreamIsCapturing(nullptr, &status) != cudaSuccess) return 1;
              cudaGraph_t graph;
              return cudaStreamEndCapture(nullptr, &graph) != cudaSuccess || status != cudaStreamCaptureStatusActive;
            }
            """)
        self.run_in(self.folder, "g++", "stream.cpp", f"-I{FACE}/include", f"-L{FACE}/lib64", "-lcudart", "-o", "stream")
        self.run_in(self.folder, self.folder / "stream")

    def test_commas_that_nvcc_would_split_at(self):
        (self.folder / "sizes.cu").write_text("int main() { const int sizes[] = {SIZES}; return sizeof sizes / sizeof *sizes - 3; }\n")
        self.run_in(self.folder, FACE / "bin/nvcc", r"-DSIZES=1\,2\,4", "sizes.cu", "-o", "sizes")
        self.run_in(self.folder, "./sizes")

    def nvcc(self, folder, *arguments, **more):
        return self.run_in(folder, FACE / "bin/nvcc", *arguments, **more)

    def test_every_answer_tells_one_compute_capability(self):
        folder = self.copy("capability")
        # By default, and what may be asked for. -arch and -gencode change nothing: code is for the devices that are told of.
        for number, options in ((80, ["-arch=sm_70"]), (86, ["-gencode", "arch=compute_75,code=sm_75", "-gencode", "arch=compute_90,code=[sm_90,compute_90]"])):
            setting = {} if number == 80 else {"MUSASHIM_CUDA_CAPABILITY": f"{number // 10}.{number % 10}"}
            self.nvcc(folder, *options, "device.cu", "-lcuda", "-lnvrtc", "-lnvidia-ml", "-ldl", "-o", "device", **setting)
            for arch in ("mp_31", "mp_22"):
                self.assertEqual(self.run_in(folder, "./device", number, MUSASHIM_ARCH=arch, MUSASHIM_SESSION="none", **setting), "0 wrong\n")
            listed = self.nvcc(folder, "--list-gpu-arch", **setting).split()
            self.assertEqual(listed[-1], f"compute_{number}")
            self.assertEqual(self.nvcc(folder, "--list-gpu-code", **setting).split(), [name.replace("compute", "sm") for name in listed])
            said = self.run_in(folder, FACE / "bin/nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader", MUSASHIM_SESSION="none", **setting)
            self.assertEqual(said, f"{number / 10}\n")

    def test_who_asks_by_musas_names_is_told_musas_architecture(self):
        folder = self.copy("capability")
        self.run_in(folder, "g++", "both.cpp", f"-I{FACE}/include", f"-L{FACE}/lib64", "-lcudart", "-lcuda", f"-Wl,-rpath,{FACE}/lib64", "-o", "both")
        self.nvcc(folder, "-c", "mixed.cu", "-o", "mixed.o")
        mcc = FACE.parent / "bin/mcc"
        self.run_in(folder, mcc, "-c", "ported.mu", "-o", "ported.o")
        self.run_in(folder, mcc, "mixed.o", "ported.o", "-o", "mixed", "-lmusart")
        for program in ("both", "mixed"):
            for arch, number in (("mp_31", 31), ("mp_22", 22)):
                self.assertEqual(self.run_in(folder, f"./{program}", 80, number, MUSASHIM_ARCH=arch), "0 wrong\n", program)

    def refused(self, *command, **more):
        result = subprocess.run([str(word) for word in command], cwd=self.folder, env={**self.environment, **more}, capture_output=True, text=True)
        self.assertNotEqual(result.returncode, 0)
        return result.stdout + result.stderr

    def test_code_for_a_higher_capability_than_the_devices_is_refused(self):
        (self.folder / "a.cu").write_text("""
            #include <cstdio>
            __global__ void k(int* out) {
            #ifdef __CUDA_ARCH__
              *out = __CUDA_ARCH__;
            #endif
            }
            int main() {
              int *out, seen = 0;
              cudaMalloc(&out, sizeof *out);
              k<<<1, 1>>>(out);
              const cudaError_t error = cudaMemcpy(&seen, out, sizeof seen, cudaMemcpyDeviceToHost);
              const cudaError_t launched = cudaGetLastError();
              cudaFuncAttributes attributes{};
              cudaFuncGetAttributes(&attributes, k);
              std::printf("%d %d %d\\n", seen, attributes.ptxVersion, error != cudaSuccess ? error : launched);
              return launched != cudaSuccess;
            }
            """)
        self.nvcc(self.folder, "a.cu", "-o", "a", MUSASHIM_CUDA_CAPABILITY="7.5")
        # As PTX does, it runs where more is offered; what was compiled keeps its number.
        self.assertEqual(self.run_in(self.folder, "./a"), "750 75 0\n")
        said = self.refused("./a", MUSASHIM_CUDA_CAPABILITY="7.0")
        self.assertIn("0 0 209\n", said)  # cudaErrorNoKernelImageForDevice
        self.assertEqual(said.count("musashim: device code compiled for compute capability 7.5, and devices that are said to have 7.0"), 1)

    def test_a_capability_that_no_device_has_is_refused(self):
        (self.folder / "a.cu").write_text("int main() { int count; return cudaGetDeviceCount(&count); }\n")
        self.nvcc(self.folder, "a.cu", "-o", "a")
        for wrong in ("9.0", "8", "ampere", "8.5"):
            for command in ([FACE / "bin/nvcc", "-c", "a.cu"], ["./a"], [FACE / "bin/nvidia-smi", "-L"]):
                said = self.refused(*command, MUSASHIM_CUDA_CAPABILITY=wrong)
                self.assertIn(f"MUSASHIM_CUDA_CAPABILITY={wrong} is not usable: accepted are 5.0, ", said)
                self.assertEqual("lack the instructions of 9.0" in said, wrong == "9.0")

    def test_cmake_finds_the_native_architecture(self):
        folder = self.copy("cmake")
        lists = folder / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace('"70;80-real"', "native") + "message(STATUS \"native is ${CMAKE_CUDA_ARCHITECTURES_NATIVE}\")\n")
        said = self.run_in(folder, "cmake", "-S", ".", "-B", "build", f"-DCMAKE_CUDA_COMPILER={FACE}/bin/nvcc", f"-DCUDAToolkit_ROOT={FACE}")
        self.assertRegex(said, r"native is 80(-real)?\n")

    def test_libraries_are_loaded_by_name(self):
        self.run_in(self.folder, sys.executable, PROJECTS / "load.py", LD_LIBRARY_PATH=str(FACE / "lib64"),
                    MUSASHIM_DEVICES="3")

    def test_modes_that_give_nvidias_code_are_refused_with_a_reason(self):
        (self.folder / "a.cu").write_text("__global__ void k() {}\n")
        result = subprocess.run([FACE / "bin/nvcc", "-ptx", "a.cu"], cwd=self.folder, capture_output=True, text=True)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("-ptx", result.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.cu"])


if __name__ == "__main__":
    FACE = pathlib.Path(sys.argv.pop(1)).resolve() / "cuda"
    unittest.main()
