#!/usr/bin/env python3
"""Compares generated kernels: mcc's block compiler, a fiber per thread, and plain C++ that runs the threads
as coroutines, for devices of 32 and 128 lanes. Kernels are free of races by construction: all must agree.

usage: fuzz.py SDK FOLDER --seeds 0-89 [--per-file 30] [--ways reference,block,fibers|all] [--reduce] [--keep]
       fuzz.py SDK FOLDER --recorded FILE [--seeds A-B]        with what a GPU gave for those that it has run (recording.py)
       fuzz.py SDK FOLDER --seeds 0-199 --emit-cuda            writes CUDA programs and record.sh to FOLDER
"""
import argparse
import os
import sys

from generator import Kernel, program
from recording import Recording, emit
from reduce import reduce
from toolchain import LANES, Failure, ways

ARCHES = ["mp_31", "mp_22"]


class Comparison:
    def __init__(self, folder, all_ways, arches, recording=None):
        self.folder, self.ways, self.arches, self.recording = folder, all_ways, arches, recording
        self.number = 0

    def differences(self, kernels, seconds):
        """{kernel: what is wrong} of kernels in one file; raises Failure when the file fails as a whole."""
        self.number += 1
        # The same each time, so that what mcc has kept of it is found.
        source = os.path.join(self.folder, f"{kernels[0].name}_{self.number}.mu")
        with open(source, "w") as file:
            file.write(program(kernels))
        programs = []
        try:
            for way in self.ways:
                programs.append((way, way.build(source, self.folder)))
            return self.compare(kernels, programs, seconds)
        finally:
            for path in [source] + [built for _, built in programs]:
                if os.path.exists(path):
                    os.remove(path)

    def compare(self, kernels, programs, seconds):
        wrong = {}
        for arch in self.arches:
            names = [kernel.name for kernel in kernels]
            seen = [(way.name, way.run(built, names, arch, seconds)) for way, built in programs]
            recorded = self.recording.of(kernels) if self.recording is not None and LANES[arch] == 32 else {}
            for kernel in kernels:
                results = [(name, lines.get(kernel.name)) for name, lines in seen]
                if kernel.name in recorded:
                    results.append((self.recording.name, recorded[kernel.name]))
                if len({result for _, result in results}) > 1 or None in dict(results).values():
                    wrong.setdefault(kernel.name, f"{arch}: " + ", ".join(f"{n} {r}" for n, r in results))
        return wrong

    def each(self, kernels):
        """As `differences`, and finds the kernels that break their file."""
        try:
            return self.differences(kernels, 30)
        except Failure as failure:
            if len(kernels) == 1:
                return {kernels[0].name: f"{failure.args[0]}\n{failure.args[1][-600:]}"}
        half = len(kernels) // 2
        return {**self.each(kernels[:half]), **self.each(kernels[half:])}


def kind_of(problem):
    """What must stay while a kernel is made smaller."""
    for kind in ("compiler", "status", "hangs"):
        if kind in problem:
            return kind
    return "differs"


def report(comparison, kernel, problem, keep, make_smaller):
    print(f"{kernel.name}: {problem}", flush=True)
    if make_smaller:
        def still_wrong():
            try:
                found = comparison.differences([kernel], 10).get(kernel.name)
            except Failure as failure:
                found = failure.args[0]
            return found is not None and kind_of(found) == kind_of(problem)
        reduce(kernel, still_wrong)
    if keep:
        with open(os.path.join(comparison.folder, f"{kernel.name}.mu"), "w") as file:
            file.write(f"// {problem.splitlines()[0]}\n" + program([kernel]))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sdk")
    parser.add_argument("folder", help="for generated files")
    parser.add_argument("--seeds", help="A-B; 0-59, or all that are recorded")
    parser.add_argument("--per-file", type=int, default=30)
    parser.add_argument("--ways", default="reference,block,fibers", help="of toolchain.py, or all")
    parser.add_argument("--arches", default=",".join(ARCHES))
    parser.add_argument("--reduce", action="store_true", help="make failing kernels smaller")
    parser.add_argument("--keep", action="store_true", help="write failing kernels to the folder")
    parser.add_argument("--print", action="store_true", help="print the program and do nothing")
    parser.add_argument("--emit-cuda", action="store_true", help="write CUDA programs to the folder and do nothing")
    parser.add_argument("--recorded", metavar="FILE", help="compare with a recording as well")
    return parser.parse_args()


def main():
    options = arguments()
    recording = Recording(options.recorded) if options.recorded else None
    if recording is not None and options.seeds is None:
        seeds = recording.seeds()
    else:
        first, last = (int(number) for number in (options.seeds or "0-59").split("-"))
        seeds = range(first, last + 1)
    if options.print:
        print(program([Kernel(seed) for seed in seeds]))
        return
    if options.emit_cuda:
        kernels = [Kernel(seed) for seed in seeds]
        emit([kernel for kernel in kernels if not kernel.parts_lanes], options.per_file, options.folder)
        return
    os.makedirs(options.folder, exist_ok=True)
    comparison = Comparison(options.folder, ways(options.sdk, options.ways.split(",")), options.arches.split(","),
                            recording)
    failed = 0
    for start in range(0, len(seeds), options.per_file):
        kernels = [Kernel(seed) for seed in seeds[start:start + options.per_file]]
        wrong = comparison.each(kernels)
        failed += len(wrong)
        for kernel in kernels:
            if kernel.name in wrong:
                report(comparison, kernel, wrong[kernel.name], options.keep, options.reduce)
        print(f"seeds {seeds[0]}-{seeds[start + len(kernels) - 1]}: {failed} failed", flush=True)
    if recording is not None:
        known = set(recording.seeds()).intersection(seeds)
        print(f"{len(known)} of {len(seeds)} kernels compared with what a GPU gave as well")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
