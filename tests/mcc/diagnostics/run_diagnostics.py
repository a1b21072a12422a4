#!/usr/bin/env python3
"""What mcc says about sources that cannot be compiled for MUSA.

    run_diagnostics.py SDK SOURCES
"""
import os
import subprocess
import sys
import tempfile

sdk, sources = sys.argv[1:]
failures = []


def messages(source, *options, words=("error:", "viable", "Stack dump")):
    """What mcc prints, without the source lines that clang shows. A crash of the compiler is among it."""
    result = subprocess.run(
        [os.path.join(sdk, "bin", "mcc"), "-fno-caret-diagnostics", *(options or ["-fsyntax-only"]), source],
        cwd=sources, text=True, stderr=subprocess.PIPE, timeout=60)
    return result.returncode, [
        line for line in result.stderr.splitlines() if any(word in line for word in words)]


def expect(what, have, want):
    if have != want:
        failures.append(f"{what}: {have}, not {want}")


lane = "(((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % warpSize)"
twice = "do { float ptx0; float ptx1 = (float)(x); float ptx_t; ptx_t = ptx1 + ptx1; ptx0 = ptx_t; result = ptx0; } while (0)"
prefix = "error: inline PTX does not assemble for MUSA: "
ptx = [
    f"ptx.mu:3:3: {prefix}'red.global.add.u64' (changes a word in memory at once): write "
    "'atomicAdd((unsigned long long*)(to), (unsigned long long)(value))'",
    f"ptx.mu:8:3: {prefix}'mov.u32': write 'result = {lane}'",
    f"ptx.mu:16:3: {prefix}'add.f32' (adds): write '{twice}'",
    f"ptx.mu:21:3: {prefix}'mbarrier.arrive.expect_tx.shared.b64' (a barrier object in shared memory with arrive and wait): "
    "use musa::barrier of <musa/barrier>",
    f"ptx.mu:26:3: {prefix}'add.u32' (adds; the special register %gridid has no counterpart): write + in C++",
]
status, lines = messages("ptx.mu", "-fsyntax-only", "-DHOST_ONLY")
expect("status", status, 1)
expect("inline PTX", lines, ptx)
status, lines = messages("ptx.mu", "-fsyntax-only", "-DDEFERRED", words=("error:", "note: called by"))
expect("inline PTX of functions that become code", (status, lines[len(ptx):]), (1, [
    f"ptx.mu:44:3: {prefix}'prefetch.global.L2' (prefetches into a cache): write '(void)(void*)(p)'",
    "ptx.mu:48:3: note: called by 'first'",
    f"ptx.mu:46:41: {prefix}'discard.global.L2' (drops cached data without writing it back): write '(void)(void*)(p)'",
    "ptx.mu:49:3: note: called by 'first'",
    f"ptx.mu:46:41: {prefix}'discard.global.L2' (drops cached data without writing it back): write '(void)(void*)(p)'",
    "ptx.mu:51:34: note: called by 'second'",
]))

status, lines = messages("launch.mu")
expect("status", status, 1)
rule = "; device code can launch kernels by their names, and do nothing else with them"
expect("what launches may be", lines, [
    "launch.mu:11:10: error: no matching function for call to 'onHost'",
    "launch.mu:2:5: note: candidate function not viable: call to __host__ function from __global__ function",
    f"launch.mu:13:19: error: reference to __global__ function 'start' in __global__ function{rule}",
])

status, lines = messages("launch_pointer.mu", "-c", "-o", "/dev/null")
expect("status", status, 1)
expect("launches through pointers", [line for line in lines if "launches a kernel through a pointer; name it" in line][:1],
       lines[:1])
expect("a line", lines != [], True)

# Matrix instructions whose meaning no public source tells, and those of another architecture.
status, lines = messages("matrices.mu", "-c", "--offload-arch=mp_31", "-o", "/dev/null")
expect("status", status, 1)
unlisted = "no public source knows a matrix instruction of this shape and type; share/doc/musashim/vendor_instructions.md lists what there is"
expect("matrix instructions", [line for line in lines if "error:" in line], [
    "matrices.mu:2:3: error: this matrix instruction is not supported: it is not publicly known which of the two numbers of a byte comes first",
    f"matrices.mu:3:3: error: {unlisted}",
    "matrices.mu:4:3: error: this argument of the matrix instruction is 0 in all public code: what another value means is not known",
    f"matrices.mu:5:3: error: {unlisted}",
    "matrices.mu:6:3: error: this is an instruction of mp_22 alone; say so by --offload-arch=mp_22",
])

status, lines = messages("grid_constant.mu")
expect("status", status, 1)
expect("__isGridConstant", lines, [
    "grid_constant.mu:4:33: error: '__isGridConstant' is unavailable: a kernel's parameters are variables of its threads here, "
    "and none is __grid_constant__; compare the address with that of the parameter",
])

status, lines = messages("graphics.mu")
expect("headers of graphics of which nothing is used", (status, lines), (0, []))
status, lines = messages("graphics.mu", "-fsyntax-only", "-DDRAWS")
advice = "graphics interoperability is not emulated: leave it out of this build, and copy through host memory"
expect("what draws", (status, lines), (1, [
    f"graphics.mu:11:3: error: 'musaGraphicsGLRegisterBuffer' is unavailable: {advice}",
    f"graphics.mu:12:3: error: 'musaGraphicsMapResources' is unavailable: {advice}",
]))

status, lines = messages("clusters.mu")
expect("clusters", (status, lines), (1, [
    f"clusters.mu:{line}:17: error: MUSA has no thread block clusters: launch plain blocks, and share through device memory"
    for line in (1, 2, 5)]))

status, lines = messages("shared.mu", "-c", "-o", os.devnull, words=("error:", "warning:"))
expect("constructors of shared objects", (status, sorted(lines)), (0, [
    "shared.mu:21:16: warning: the constructor of the __shared__ variable 'object' does not run on the device",
    "shared.mu:21:16: warning: the destructor of the __shared__ variable 'object' does not run on the device",
    "shared.mu:25:20: warning: the constructor of the __shared__ variable 'lists' does not run on the device",
]))
status, lines = messages("shared.mu", "-fsyntax-only", "-DINITIALISES")
expect("initialised shared variables", (status, lines), (1, [
    "shared.mu:28:18: error: initialization is not supported for __shared__ variables",
    "shared.mu:29:20: error: initialization is not supported for __shared__ variables",
]))
status, lines = messages("shared.mu", "-fsyntax-only", "-DON_HOST", words=("error:", "warning: '__sh"))
expect("shared variables of the host", (status, lines), (1, [
    "shared.mu:35:3: error: __shared__ local variables not allowed in __host__ functions",
    "shared.mu:40:3: warning: '__shared__' attribute only applies to variables [-Wignored-attributes]",
]))

# Functions for both sides may call the host's, which a device must not get to; a kernel may not.
status, lines = messages("host_calls.mu", "-c", "-o", os.devnull, words=("error:", "warning:", "Stack dump"))
may = [f"host_calls.mu:{place}: warning: reference to __host__ function '{name}' in __host__ __device__ function, "
       "which fails where device code gets there"
       for place, name in (("2:51", "onHost"), ("2:62", "onHost"), ("9:43", "onHost"), ("10:54", "onHost"), ("13:10", "onHost"),
                           ("20:48", "Object"))]
expect("calls of the host's functions", (status, sorted(lines)), (0, sorted(may)))
status, lines = messages("host_calls.mu", "-c", "-o", os.devnull, "-DIN_KERNEL", words=("error:", "Stack dump"))
expect("a kernel's destructor", (status, lines), (1, [
    "host_calls.mu:22:35: error: reference to __host__ function '~Object' in __global__ function",
    "error: device code cannot be generated while it refers to host functions",
]))

# What a template names of an incomplete type is wrong where the template is instantiated.
for option, line in {"-DPLAIN": "later.mu:7:31: error: member access into incomplete type 'Later'",
                     "-DUSED": "later.mu:4:11: error: member access into incomplete type 'Later'",
                     "-DCOMPLETE": "later.mu:4:13: error: no member named 'value' in 'Later'"}.items():
    status, lines = messages("later.mu", "-c", "-o", os.devnull, option, words=("error:", "Stack dump"))
    expect(f"an incomplete type, {option}", (status, lines), (1, [line]))

# Errors of the device pass end the compilation there.
status, lines = messages("mistake.mu", "--musa-device-only", "-c", "-o", os.devnull)
expect("status", status, 1)
expect("a mistake", lines, ["mistake.mu:2:43: error: use of undeclared identifier 'undeclared'"])

# The compiler goes on after the error, and ends as after any.
for only in ([], ["--musa-device-only"]):
    status, lines = messages("incomplete.mu", *only, "-c", "-o", os.devnull)
    expect("status", status, 1)
    expect("an incomplete type", lines[0], "incomplete.mu:3:34: error: variable has incomplete type 'const Map'")
    expect("no crash", any("Stack dump" in line for line in lines), False)

# Headers that the SDK does not have say whose they are.
for header, advice in {"musolverMg.h": "muSOLVER for several devices is a library of the vendor's SDK that musashim does not have",
                       "cub/no_such.cuh": "a header of CUB that is not in this SDK; -isystem $MUSA_PATH/include/cccl-2.8.2 has",
                       "mupti_sampling.h": "this SDK's MUPTI: mupti.h includes all of its headers",
                       "murand_sampling.h": "this SDK's muRAND: its headers are murand.h and, for kernels, murand_kernel.h",
                       "mudnn_sampling.h": "this SDK's muDNN: its headers are mudnn.h and mudnncxx/mudnn.h",
                       "mtpp.h": "MTPP is a library of the vendor's SDK"}.items():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "header.mu")
        with open(path, "w") as source:
            source.write(f"#include <{header}>\n")
        status, lines = messages(path, "-c", "-o", os.devnull)
    expect(f"status of {header}", status, 1)
    expect(header, any(f"'{header}' file not found: " in line and advice in line for line in lines), True)

for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
