#!/usr/bin/env python3
"""gdb stops in kernels that mcc -g has built, and shows the thread and its variables.

usage: run_gdb.py SDK PROGRAM.mu FOLDER. Ends with 77 (skipped) where gdb is missing.
"""
import os
import shutil
import subprocess
import sys

SKIPPED = 77


def line_of(source, marker):
    for number, line in enumerate(open(source), 1):
        if line.rstrip().endswith("// " + marker):
            return number
    raise ValueError(marker)


def debug(program, script, source, stops):
    """What gdb prints; `stops`: marker, condition or None, commands there."""
    commands = ["set breakpoint pending on", "set confirm off", "set debuginfod enabled off",
                # Before the image is there, lines of kernels would be taken for the host's.
                "catch load /proc/", "run", "delete"]
    if script:
        commands.insert(0, f"source {script}")
    for marker, condition, shown in stops:
        place = f"{os.path.basename(source)}:{line_of(source, marker)}"
        commands += [f"tbreak {place}" + (f" if {condition}" if condition else ""), "continue", "bt 1", *shown]
    arguments = ["gdb", "-batch", "-nx"]
    for command in commands:
        arguments += ["-ex", command]
    result = subprocess.run([*arguments, program], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                            timeout=100)
    return result.stdout + result.stderr


def expect(output, texts):
    at = 0
    for text in texts:
        found = output.find(text, at)
        if found < 0:
            sys.exit(f"gdb did not show (in this order) {text!r}:\n{output}")
        at = found + len(text)


def main():
    sdk, source, folder = sys.argv[1:4]
    if not shutil.which("gdb"):
        sys.exit(SKIPPED)
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, "stops")
    script = f"{sdk}/share/musashim/musa_gdb.py"

    # Unoptimised: every variable, and any thread of any block by its index.
    subprocess.run([f"{sdk}/bin/mcc", "-g", "-O0", source, "-o", program, "-lmusart"], check=True)
    third = '$threadIdx("x") == 3 && $blockIdx("x") == 1'
    output = debug(program, script, source,
                   [("PLAIN", third, ["print i", "print value", "musa thread"]),
                    ("BARRIER", '$threadIdx("x") == 40', ["print i", "print other", "musa thread"])])
    expect(output, ["plain (", "= 35", "= 1", "threadIdx = (3,0,0)", "blockIdx = (1,0,0)", "blockDim = (32,1,1)",
                    "withBarrier (", "= 40", "= 230", "threadIdx = (40,0,0)", "blockIdx = (0,0,0)"])

    # Optimised: the lines are there.
    subprocess.run([f"{sdk}/bin/mcc", "-g", source, "-o", program, "-lmusart"], check=True)
    output = debug(program, None, source, [("PLAIN", None, []), ("BARRIER", None, [])])
    expect(output, ["plain", "withBarrier"])


main()
