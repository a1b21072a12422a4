#!/usr/bin/env python3
"""Ports the samples, builds each by `mcc -fmusa-check` and runs it: no report.

usage: run_samples.py SDK SAMPLES FOLDER
"""
import os
import re
import shutil
import subprocess
import sys

# What makes a sample short enough to be checked.
ARGUMENTS = {
    "p2pBandwidthLatency": ["--size=1M", "--repeats=2", "--samples=2"],
    "allReducePerf": ["-b", "8", "-e", "1M", "-f", "8", "-n", "2"],
}
ARCHS = ["mp_22", "mp_31"]


def check(sdk, name, source, program):
    subprocess.run([f"{sdk}/bin/mcc", "-O2", "-fmusa-check", source, "-o", program, "-lmusart", "-lmccl"], check=True)
    for arch in ARCHS:
        environment = dict(os.environ, MUSASHIM_DEVICES="4", MUSASHIM_ARCH=arch)
        result = subprocess.run([program, *ARGUMENTS.get(name, [])], env=environment, capture_output=True, text=True,
                                timeout=300)
        clean = re.findall("^=========.*", result.stderr, re.M) == ["========= ERROR SUMMARY: 0 errors"]
        passed = result.returncode == 0 and "Test PASSED" in result.stdout
        print(f"{name} {arch}: {'ok' if clean and passed else 'FAILED'}")
        if not (clean and passed):
            print(result.stdout, result.stderr)
            yield f"{name} on {arch}"


def main():
    sdk, samples, folder = sys.argv[1:4]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    subprocess.run([f"{sdk}/bin/musaport", "--strict", samples, "-o", f"{folder}/ported"], check=True,
                   stdout=subprocess.DEVNULL)
    failed, names = [], []
    for name in sorted(os.listdir(f"{folder}/ported")):
        source = f"{folder}/ported/{name}/{name}.mu"
        if os.path.exists(source):
            names.append(name)
            failed += check(sdk, name, source, f"{folder}/{name}")
    if failed or not names:
        sys.exit(f"{len(names)} samples; not clean: {failed}")


main()
