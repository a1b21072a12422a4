#!/usr/bin/env python3
"""Which checked kernels mcc gives a stack for each thread.

usage: run_fibers.py SDK PROGRAM.mu FOLDER
"""
import pathlib
import re
import subprocess
import sys

EXPECTED = {"givesAway"}


def main():
    sdk, program, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    failed = False
    for checks in ("", "=memcheck", "=racecheck", "=initcheck", "=synccheck"):
        command = [sdk / "bin/mcc", "-fmusa-check" + checks, "-Wmusa-fibers", "--offload-arch=mp_31", "-O2", program,
                   "-o", folder / program.stem, "-lmusart"]
        run = subprocess.run(command, capture_output=True, text=True)
        named = set(re.findall(r"own_variables\.mu:\d+:\d+: warning: .*\n.*__global__ void (\w+)", run.stderr))
        if run.returncode != 0 or named != EXPECTED:
            print(f"-fmusa-check{checks}: {sorted(named)} need stacks, expected {sorted(EXPECTED)}\n{run.stderr}")
            failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
