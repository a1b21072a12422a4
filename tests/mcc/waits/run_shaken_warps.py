#!/usr/bin/env python3
"""MUSASHIM_SCHEDULE shakes code loose that counts on lanes' moving together, or on warps' going about in step, and a
barrier mends it.

usage: run_shaken_warps.py SDK PROGRAM.mu FOLDER
"""
import os
import subprocess
import sys

SEEDS = [f"seed:{number}" for number in range(6)]


def build(sdk, source, program, *options):
    subprocess.run([f"{sdk}/bin/mcc", "-O2", *options, source, "-o", program, "-lmusart"], check=True)


def isRight(program, schedule, arch):
    environment = dict(os.environ, MUSASHIM_SCHEDULE=schedule, MUSASHIM_ARCH=arch)
    result = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=60)
    if result.returncode not in (0, 1):
        raise AssertionError(f"{program}: status {result.returncode}: {result.stdout}{result.stderr}")
    return result.returncode == 0


def main():
    sdk, source, folder = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    problems = []
    # Orders of threads are those of fibers, which also run the threads of checked kernels then.
    for way in ("-fmusa-fibers", "-fmusa-check=racecheck"):
        shaken, mended = os.path.join(folder, "shaken"), os.path.join(folder, "mended")
        build(sdk, source, shaken, way)
        build(sdk, source, mended, way, "-DMENDED")
        for arch in ("mp_22", "mp_31"):
            if not isRight(shaken, "forward", arch):
                problems.append(f"{way}, {arch}: not right in the default order")
            problems += [f"{way}, {arch}: right with MUSASHIM_SCHEDULE={schedule}, which was to show the fault"
                         for schedule in ["reverse", *SEEDS] if isRight(shaken, schedule, arch)]
            problems += [f"{way}, {arch}: wrong with MUSASHIM_SCHEDULE={schedule}, though it has its barrier"
                         for schedule in ["forward", "reverse", *SEEDS] if not isRight(mended, schedule, arch)]
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
