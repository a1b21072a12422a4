#!/usr/bin/env python3
"""The compiler by its other names, and files whose ending does not tell what they are.

    run.py SDK SOURCES WORK
"""
import os
import shutil
import subprocess
import sys

sdk, sources, work = sys.argv[1:]
shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
tool = {name: os.path.join(sdk, "bin", name) for name in ("mcc", "clang", "clang++")}


def run(*command, **options):
    return subprocess.run(command, cwd=work, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=250, **options)


def check(good, what):
    if not good:
        sys.exit(what)


def good(*command, **options):
    done = run(*command, **options)
    check(done.returncode == 0, f"{' '.join(command)}: {done.stdout}")
    return done.stdout


def write(name, text):
    with open(os.path.join(work, name), "w") as file:
        file.write(text)


# For the host they are clang, with its own words, C and C++ by their names.
for name, other in (("clang", "c"), ("clang++", "c++")):
    check("clang version 19" in good(tool[name], "--version"), f"{name} --version")
    write("host.txt", "#ifdef __cplusplus\n#include <vector>\nint main() { return std::vector<int>(3).size() != 3; }\n#else\n"
                      "int main(void) { return 0; }\n#endif\n")
    good(tool[name], "-x", other, "host.txt", "-o", "host")
    good("./host")
    macros = good(tool[name], "-dM", "-E", "-x", other, "/dev/null")
    check("__MUSACC__" not in macros, f"{name} compiles for the host: {macros}")
    refused = run(tool[name], "no_such.c")
    check(refused.returncode != 0 and "no such file" in refused.stdout, refused.stdout)
write("plain.cpp", "#include <vector>\nint main() { return std::vector<int>(3).size() != 3; }\n")
good(tool["clang++"], "plain.cpp", "-o", "plain")
check(run(tool["clang"], "plain.cpp", "-o", "plain").returncode != 0, "clang does not link C++'s library")

# With what is MUSA's they are mcc.
source = os.path.join(sources, "fill.cu")
vendors = ["-x", "musa", "-mtgpu", "-Od3", "--cuda-gpu-arch=mp_31", "-fmusa-flush-denormals-to-zero", "-fPIC"]
for name in ("clang", "clang++"):
    good(tool[name], *vendors, "-c", source, "-o", "fill.o")
    good(tool["mcc"], "fill.o", "-o", "fill", "-lmusart")
    good("./fill")
good(tool["clang++"], source, "-o", "fill", "-lmusart")
good("./fill")

# What is the link's alone is not told of as unused.
said = good(tool["mcc"], source, "-o", "fill", "-lmusart", "-Werror", "-fuse-ld=bfd", "-static-libgcc", "-static-libstdc++")
check(not said, f"options of the link: {said}")
good("./fill")
write("options.txt", "-x musa -mtgpu\n-c " + source + " -o fill.o\n")
good(tool["clang"], "@options.txt")

# A .cu file with MUSA's names is MUSA source in all that mcc does with it; a module of it loads.
good(tool["mcc"], source, "-o", "fill", "-lmusart")
good("./fill")
good(tool["mcc"], source, "--cuda-device-only", "-mtgpu", "--offload-arch=mp_31", "-o", "fill.elf")
good(tool["mcc"], os.path.join(sources, "load.cpp"), "-o", "load", "-lmusa")
good("./load", "fill.elf")
good(tool["mcc"], "-rdc=true", "-c", source, "-o", "part.o")
good(tool["mcc"], "part.o", "-o", "fill", "-lmusart")
good("./fill")
write("cuda.cu", "#include <cuda_runtime.h>\nint main() { return cudaDeviceSynchronize(); }\n")
refused = run(tool["mcc"], "-c", "cuda.cu")
check(refused.returncode == 1 and "'cuda.cu' is CUDA source by the names in it" in refused.stdout, refused.stdout)
good(tool["mcc"], "-x", "cuda", "cuda.cu", "-o", "cuda", "-lmusart")
good("./cuda")
write("neither.cu", "__global__ void k(int* p) { *p = 1; }\nvoid f(int* p) { k<<<1, 1>>>(p); }\n")
good(tool["mcc"], "-c", "neither.cu", "-o", "neither.o")

# A build that names them by CMake's variables.
good("cmake", "-S", os.path.join(sources, "project"), "-B", "build", f"-DCMAKE_C_COMPILER={tool['clang']}",
     f"-DCMAKE_CXX_COMPILER={tool['clang++']}", f"-DMUSA_PATH={sdk}")
good("cmake", "--build", "build")
good("build/app")
print("passed")
