#!/usr/bin/env python3
"""Threads that wait for each other for ever end their launch with an error; they never hang.

usage: run_never_meet.py SDK PROGRAM.mu FOLDER
"""
import os
import subprocess
import sys

KERNELS = ["barrierAndBallot", "differentMasks", "laterRound", "inFunction"]
ERROR, SUCCESS = ["musaErrorLaunchTimeout"] * 2, ["musaSuccess"] * 2
BUILDS = {"block": ["-O3"], "fibers": ["-O2", "-fmusa-fibers"]}


def allowed(kernel, arch):
    """Warps of 128 lanes do not wait for lanes at barriers (backends/cpu/devrt/fibers/warp.cpp), so some kernels may end well."""
    return [ERROR, SUCCESS] if arch == "mp_22" and kernel != "differentMasks" else [ERROR]


def main():
    sdk, source, folder = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    failed = 0
    for build, options in BUILDS.items():
        program = os.path.join(folder, f"never_meet.{build}")
        subprocess.run([f"{sdk}/bin/mcc", *options, source, "-o", program, "-lmusart"], check=True)
        for arch in ("mp_31", "mp_22"):
            for kernel in KERNELS:
                environment = dict(os.environ, MUSASHIM_ARCH=arch)
                try:
                    result = subprocess.run([program, kernel], env=environment, capture_output=True, text=True, timeout=20)
                    seen = result.stdout.split() if result.returncode == 0 else [f"status {result.returncode}"]
                except subprocess.TimeoutExpired:
                    seen = ["hangs"]
                if seen not in allowed(kernel, arch):
                    print(f"{kernel}, {build}, {arch}: {' '.join(seen)}; expected {' '.join(ERROR)}")
                    failed += 1
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
