#!/usr/bin/env python3
"""-Wmusa-fibers warns of each kernel that runs a fiber per thread, at its line, and of no other; in the same way
-Wmusa-warp-synchronous of each line that lacks a __syncwarp().

usage: run_warnings.py SDK PROGRAM.mu FOLDER OPTION LEVEL...
"""
import os
import re
import subprocess
import sys


def expectedIn(source):
    """{line: words that the warning must hold}"""
    with open(source) as file:
        lines = enumerate(file, start=1)
        return {number: line.split("// expect: ")[1].strip() for number, line in lines if "// expect: " in line}


def warningsOf(sdk, source, folder, options):
    result = os.path.join(folder, os.path.basename(source) + ".o")
    command = [f"{sdk}/bin/mcc", *options, "-c", source, "-o", result]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    warnings = {}  # a line may have several: for its lanes, and for the block's warps
    for line, message in re.findall(r"\.mu:(\d+):\d+: warning: (.*)", text):
        warnings[int(line)] = f"{warnings.get(int(line), '')}{message}\n"
    return warnings


def main():
    sdk, source, folder, option, *levels = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    expected, problems = expectedIn(source), []
    for level in levels:
        seen = warningsOf(sdk, source, folder, [level, option])
        for line in sorted(set(expected) | set(seen)):
            if line not in expected:
                problems.append(f"{level}, line {line}: unexpected warning: {seen[line]}")
            elif expected[line] not in seen.get(line, ""):
                problems.append(
                    f"{level}, line {line}: expected '{expected[line]}' in: {seen.get(line, 'no warning')}")
    problems += [f"line {line}: a warning that was not asked for"
                 for line in warningsOf(sdk, source, folder, [levels[0]])]
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
