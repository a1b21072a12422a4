#!/usr/bin/env python3
"""What mcc says about sources that cannot be compiled for MUSA.

    run_diagnostics.py SDK SOURCES
"""
import os
import subprocess
import sys

sdk, sources = sys.argv[1:]
failures = []


def messages(source, *options):
    """What mcc prints, without the source lines that clang shows."""
    result = subprocess.run(
        [os.path.join(sdk, "bin", "mcc"), "-fsyntax-only", "-fno-caret-diagnostics", *options, source],
        cwd=sources, text=True, stderr=subprocess.PIPE, timeout=60)
    return result.returncode, [line for line in result.stderr.splitlines() if "error:" in line]


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
    f"ptx.mu:21:3: {prefix}'mbarrier.arrive.shared.b64' (a barrier object in shared memory with arrive and wait): "
    "use musa::barrier of <musa/barrier>",
]
status, lines = messages("ptx.mu", "-DHOST_ONLY")
expect("status", status, 1)
expect("inline PTX", lines, ptx)

status, lines = messages("launch.mu")
expect("status", status, 1)
expect("calls of the host's functions", lines[0],
       "launch.mu:9:10: error: no matching function for call to 'onHost'")
expect("launches", [line for line in lines if "start" in line], [])

for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
