#!/usr/bin/env python3
"""Builds a program with a planted bug, runs it checked, and compares the reports.

usage: run_bug.py SDK PROGRAM.mu FOLDER [--option=...]

The head of the program says what the checks must say:

  // expect: TEXT        these texts, in this order, in one or several reports
  // expect: errors: N   the summary's number; `some` for any but 0
  // expect: warnings: N

@NAME in a text stands for file:line of the line that ends in `// NAME`. Built with
-DFIXED the program must run without a report.
"""
import os
import re
import subprocess
import sys

EXIT_STATUS = 9


def expectations(source):
    lines = open(source).read().splitlines()
    places = {}
    for number, line in enumerate(lines, 1):
        marker = re.search(r"// ([A-Z]+)$", line)
        if marker:
            places["@" + marker.group(1)] = f"{os.path.basename(source)}:{number}"
    texts, counts = [], {"warnings": "0"}
    for line in lines:
        found = re.match(r"// expect: (.*)$", line)
        if not found:
            continue
        count = re.match(r"(errors|warnings): (\w+)$", found.group(1))
        if count:
            counts[count.group(1)] = count.group(2)
            continue
        text = found.group(1)
        for name, place in places.items():
            text = re.sub(re.escape(name) + r"\b", place, text)
        texts.append(text)
    return texts, counts


def build(sdk, source, program, options):
    command = [f"{sdk}/bin/mcc", "-fmusa-check", "-O2", *options, source, "-o", program, "-lmusart"]
    subprocess.run(command, check=True)


def run(program):
    environment = dict(os.environ, MUSASHIM_CHECK_EXIT=str(EXIT_STATUS))
    result = subprocess.run([program], env=environment, stderr=subprocess.PIPE, text=True, timeout=60)
    return result.returncode, result.stderr


def summary(stderr):
    found = re.search(r"^========= ERROR SUMMARY: (\d+) errors?(?:, (\d+) warnings?)?$", stderr, re.M)
    return (int(found.group(1)), int(found.group(2) or 0)) if found else None


def mistakes(source, status, stderr):
    texts, counts = expectations(source)
    # Paths in reports are as the compiler was given them, or as its debug prefix maps say.
    stderr = re.sub(r" in \S*/(?=[^/\s]+:\d)", " in ", stderr)
    at = 0
    for text in texts:
        found = stderr.find(text, at)
        if found < 0:
            yield f"not reported (in this order): {text}"
        else:
            at = found + len(text)
    totals = summary(stderr)
    if totals is None:
        yield "no summary"
        return
    if counts["errors"] != "some" and totals[0] != int(counts["errors"]):
        yield f"{totals[0]} errors, expected {counts['errors']}"
    if counts["errors"] == "some" and totals[0] == 0:
        yield "no errors"
    if counts["warnings"] != "some" and counts["errors"] != "some" and totals[1] != int(counts["warnings"]):
        yield f"{totals[1]} warnings, expected {counts['warnings']}"
    if status != (EXIT_STATUS if totals[0] else 0):
        yield f"exit status {status}"


def main():
    sdk, source, folder = sys.argv[1:4]
    options = sys.argv[4:]
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, os.path.splitext(os.path.basename(source))[0])
    build(sdk, source, program, options)
    status, stderr = run(program)
    wrong = list(mistakes(source, status, stderr))
    build(sdk, source, program + ".fixed", [*options, "-DFIXED"])
    fixed_status, fixed_stderr = run(program + ".fixed")
    if fixed_status != 0 or summary(fixed_stderr) != (0, 0):
        wrong.append(f"the repaired program ends with {fixed_status} and says:\n{fixed_stderr}")
    if wrong:
        print("\n".join(wrong), "\n--- reported:\n" + stderr, file=sys.stderr)
        sys.exit(1)


main()
