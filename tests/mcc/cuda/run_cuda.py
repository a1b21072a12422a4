#!/usr/bin/env python3
"""Compiles CUDA sources as they are.

    run_cuda.py SDK SOURCES WORK
"""
import os
import subprocess
import sys

sdk, sources, work = sys.argv[1:]
os.makedirs(work, exist_ok=True)
mcc = [os.path.join(sdk, "bin", "mcc"), "-Iinclude", "-O2"]


def run(*command, **options):
    return subprocess.run(command, cwd=sources, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100,
                          **options)


def check(good, what):
    if not good:
        sys.exit(what)


for name in ["version", "statements", "instructions", "cluster_of_one", "accepted", "sum"]:
    program = os.path.join(work, name)
    built = run(*mcc, "-MD", "-MF", program + ".d", "-x", "cuda", name + ".cu", "-o", program)
    check(built.returncode == 0 and not built.stdout, built.stdout)
    for arch in ["mp_22", "mp_31"]:
        ran = run(program, env={**os.environ, "MUSASHIM_ARCH": arch})
        check(ran.returncode == 0 and "passed" in ran.stdout, f"{name} on {arch}: {ran.stdout}")

with open(program + ".d") as dependencies:
    words = dependencies.read().replace("\\\n", " ").split()
for name in ["sum.cu", "lanes.cuh", "include/atomics.cuh"]:
    check(any(word.endswith(name) for word in words), f"{name} is not in {words}")
missing = [word for word in words[1:] if not os.path.exists(os.path.join(sources, word))]
check(not missing, f"dependencies that do not exist: {missing}")

# Lines that end as on Windows.
windows = os.path.join(work, "windows")
os.makedirs(windows, exist_ok=True)
for name in ["sum.cu", "lanes.cuh", "include/atomics.cuh"]:
    with open(os.path.join(sources, name)) as source, \
            open(os.path.join(windows, os.path.basename(name)), "w", newline="\r\n") as copy:
        copy.write(source.read())
built = run(mcc[0], "-O2", "-x", "cuda", os.path.join(windows, "sum.cu"), "-o", program)
check(built.returncode == 0 and not built.stdout, built.stdout)

# Headers that macros name, which nothing else reaches; a folder that is called as a header.
computed = ["-Icomputed", "-Icomputed/build"]
for name in ["use.cu", "host.cpp"]:
    built = run(*mcc, *computed, "-x", "cuda", "computed/" + name, "-o", program, "-lcudart")
    check(built.returncode == 0 and not built.stdout, built.stdout)
    check(run(program).returncode == 0, f"headers that macros name, {name}: {run(program).stdout}")

# Headers that only the command names.
forced = [word for name in ("forced.h", "cuda_fp16.h", "stdio.h") for word in ("-include", name)]
built = run(*mcc, *forced, "-x", "cuda", "forced.cu", "-o", program)
check(built.returncode == 0 and not built.stdout, built.stdout)
ran = run(program)
check(ran.returncode == 0 and "passed" in ran.stdout, f"forced includes: {ran.stdout}")

# Folders of headers in nvcc's spellings, and other options of nvcc that have an effect or need none.
for option in ["-isystem=include", "--system-include=include", "-I=include", "--include-path=other,include"]:
    built = run(mcc[0], "-O2", option, "-fsyntax-only", "-x", "cuda", "sum.cu")
    check(built.returncode == 0 and not built.stdout, f"{option}: {built.stdout}")
options = ["-O", "2", "-no-compress", "-static-global-template-stub=false", "-forward-unknown-to-host-linker", "-cudadevrt", "none",
           "-noeh", "-default-stream", "null", "-m", "64", "-ewp", "-arch=sm_80", "--gencode=arch=compute_80,code=sm_80"]
built = run(*mcc, *options, "-fsyntax-only", "-x", "cuda", "sum.cu")
check(built.returncode == 0 and not built.stdout, f"options that need nothing: {built.stdout}")
lost = ["--compress-mode=size", "-keep-device-functions", "-jtd=40", "-nvlink-opt x"]
built = run(*mcc, "-Wmusa-nvcc-options", *" ".join(lost).split(), "-fsyntax-only", "-x", "cuda", "sum.cu")
check(built.returncode == 0, built.stdout)
for option in lost:
    check(f"'{option}' is left out" in built.stdout, f"{option} is dropped without a word: {built.stdout}")
built = run(*mcc, "-sanitize", "memcheck", "-x", "cuda", "sum.cu", "-o", program)
check(built.returncode == 0 and "passed" in run(program).stdout, f"checked code: {built.stdout}")

# Sources of CUDA's libraries, as they are and ported.
for name, libraries in [("random", ["rand"]), ("header_versions", ["blas", "fft", "rand", "sparse"])]:
    built = run(*mcc, "-x", "cuda", name + ".cu", "-o", program, "-lnccl", *("-lcu" + library for library in libraries))
    check(built.returncode == 0 and not built.stdout, built.stdout)
    check(run(program).returncode == 0, f"{name}: {run(program).stdout}")
    ported = run(os.path.join(sdk, "bin", "musaport"), name + ".cu", "-o", os.path.join(work, name + ".mu"), "--force")
    check(ported.returncode == 0, ported.stdout)
    built = run(mcc[0], "-O2", os.path.join(work, name + ".mu"), "-o", program, "-lmccl", *("-lmu" + library for library in libraries))
    check(built.returncode == 0 and not built.stdout, built.stdout)
    check(run(program).returncode == 0, f"{name}, ported: {run(program).stdout}")

# What is named .cpp is the host's, with nothing included that it does not include.
built = run(*mcc, "-std=c11", "-x", "cuda", "host_file.cpp", "-o", program)
check(built.returncode == 0 and not built.stdout, built.stdout)
ran = run(program)
check(ran.returncode == 0 and "passed" in ran.stdout, f"a .cpp file: {ran.stdout}")
built = run(*mcc, "-fsyntax-only", "-x", "cu", "host_file.cpp")
check(built.returncode == 1 and "redefinition" in built.stdout, f"-x cu takes all files for CUDA: {built.stdout}")

# C of old projects, to which gcc 12 objects with warnings.
built = run(*mcc, "-x", "cuda", "old.c", "-o", program)
for text in ["undeclared function 'later'", "int-conversion", "implicit-int", "function-pointer-types"]:
    check(built.returncode == 0 and text in built.stdout, f"old C: '{text}' is not in:\n{built.stdout}")
check(run(program).returncode == 0, "old C")
built = run(*mcc, "-Werror", "-c", "-x", "cuda", "old.c", "-o", program)
check(built.returncode == 1, "-Werror is for old C, too")

ported = run(mcc[0], "-fsyntax-only", "-x", "musa", "version.cu")
check(ported.returncode == 1 and "not CUDA 12" in ported.stdout, "MUSA code sees nvcc's version")

broken = run(*mcc, "-fsyntax-only", "-x", "cuda", "broken.cu")
check(broken.returncode == 1, broken.stdout)
for text in ["broken.cu:3:3: error: inline PTX does not assemble for MUSA: 'mbarrier.arrive.expect_tx.shared.b64'",
             "broken.cu:4:21: error: use of undeclared identifier 'undeclared'"]:
    check(text in broken.stdout, f"'{text}' is not in:\n{broken.stdout}")
