#!/usr/bin/env python3
"""Builds a program of several files whose device code is compiled separately, in the ways
that build files do it, and runs it.

    run_separate.py SDK SOURCES WORK CLANG
"""
import os
import subprocess
import sys

sdk, sources, work, clang = sys.argv[1:]
mcc = os.path.join(sdk, "bin", "mcc")
source = lambda name: os.path.join(sources, name)
failures = []


def run(*command, status=0, env=None):
    """Runs in the work folder; returns what the command printed."""
    result = subprocess.run(
        command, cwd=work, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        timeout=120, env={**os.environ, **(env or {})})
    if result.returncode != status:
        sys.exit(f"{' '.join(command)}\n{result.stdout}\nstatus {result.returncode}, not {status}")
    return result.stdout


def compile_unit(name, *options):
    run(mcc, *options, source(name + ".mu"), "-o", name + ".o", "-Wall", "-Werror")


def expect(what, text, *parts):
    for part in parts:
        if part not in text:
            failures.append(f"{what}: '{part}' is not in:\n{text}")


def expect_passes(program, archs=("mp_22", "mp_31")):
    for arch in archs:
        expect(f"{program} on {arch}", run("./" + program, env={"MUSASHIM_ARCH": arch}), "passed")


os.makedirs(work, exist_ok=True)
compile_unit("main", "-dc", "-O2", "-fPIC", "-Dmain=program")
compile_unit("waits", "-dc", "-fPIC")
compile_unit("state", "-rdc=true", "-c", "-fPIC")
compile_unit("library", "--device-c", "-fPIC")
compile_unit("library_twin", "-fgpu-rdc", "-c", "-fPIC")
compile_unit("plain", "-c", "-fPIC")
run(clang, "-c", "-fPIC", source("host.cpp"), "-o", "host.o")
for name, program in [("start", "program"), ("start_twin", "twinProgram")]:
    with open(os.path.join(work, name + ".cpp"), "w") as start:
        start.write(f"int {program}();\nint main() {{ return {program}(); }}\n")
if os.path.exists(os.path.join(work, "libdevice.a")):
    os.remove(os.path.join(work, "libdevice.a"))
run("ar", "rcs", "libdevice.a", "library_twin.o", "library.o")
objects = ["main.o", "waits.o", "state.o", "plain.o", "host.o"]

# mcc links; the source of `main` is compiled by the same command.
run(mcc, "start.cpp", *objects, "-L.", "-ldevice", "-o", "linked")
expect_passes("linked")

# A host linker links, with what -dlink made.
run(mcc, "-dlink", *objects, "libdevice.a", "-o", "dlink.o")
run(clang, "start.cpp", *objects, "dlink.o", "libdevice.a", f"-L{sdk}/lib", f"-Wl,-rpath,{sdk}/lib", "-lmusart",
    "-o", "host_linked")
expect_passes("host_linked", ["mp_31"])

# A shared library, beside a program with device code of its own that has the same names.
run(mcc, "-shared", *objects, "libdevice.a", "-o", "libprogram.so")
run(mcc, "-rdc=true", source("twin_state.mu"), "start_twin.cpp", source("twin_main.mu"), "-L.", "-lprogram", "-Wl,-rpath,.",
    "-o", "with_library")
expect_passes("with_library", ["mp_31"])

# Some files without optimisation: there, threads that wait have a stack each.
compile_unit("waits", "-dc", "-O0", "-g", "-fPIC", "--offload-arch=mp_31")
run(mcc, "start.cpp", *objects, "libdevice.a", "-o", "mixed")
expect_passes("mixed", ["mp_31"])

# Mistakes.
text = run(mcc, "start.cpp", *objects, "libdevice.a", "--offload-arch=mp_22", "-o", "x", status=1)
expect("architecture", text, "'waits.o' has no device code for mp_22")
text = run(mcc, "start.cpp", "main.o", "state.o", "plain.o", "host.o", "libdevice.a", "-o", "x", status=1)
expect("undefined", text, "undefined reference to device symbol 'blockSum(int)' in 'main.o'",
       "device symbol 'steps' in 'main.o'", "'vtable for Box' in 'main.o'")
run(mcc, "-dc", source("waits.mu"), "-o", "again.o", "-DAGAIN", "--offload-arch=mp_31")
text = run(mcc, "start.cpp", *objects, "again.o", "libdevice.a", "-o", "x", status=1)
expect("twice", text, "multiple definition of 'blockSum(int)' in 'again.o', first defined in 'waits.o'",
       "multiple definition of 'steps'")
text = run(clang, "start.cpp", *objects, "libdevice.a", f"-L{sdk}/lib", "-lmusart", "-o", "x", status=1)
expect("no device link", text, "__musa_linked_by_mcc_")
text = run(mcc, "-c", source("main.mu"), "-o", "alone.o", status=1)
expect("without -dc", text, "launches the kernel _Z12addToCounteri", "need -rdc=true")

for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
