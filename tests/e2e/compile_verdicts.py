#!/usr/bin/env python3
"""Compiles the .cu files of public projects by nvcc and by `mcc -x cuda`, one architecture each, side by side.

    compile_verdicts.py third_party/cuda-samples third_party/nccl-tests [-I third_party/cuda-samples/Common]
    compile_verdicts.py --rounds 3 --match transpose third_party/cuda-samples

Prints for each file whether it compiles, the CPU seconds and the peak memory of both, then their ratios. A file that
nvcc compiles and mcc refuses is a failure (exit status 1), unless what mcc says names a library or a feature that
compile_absent.yml lists as absent. Each file is compiled alone, with its own folder and those of -I in reach.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import yaml

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parents[1]


@dataclasses.dataclass
class Compilation:
    compiles: bool
    seconds: float  # of the processor, all processes
    memory: float  # MiB, of the largest process
    output: str


@dataclasses.dataclass
class Verdict:
    path: str
    nvcc: Compilation
    mcc: Compilation
    absent: str = ''  # what the file needs that is absent here, by mcc's own words

    @property
    def both(self) -> bool:
        return self.nvcc.compiles and self.mcc.compiles

    @property
    def ratio(self) -> float:
        return self.mcc.seconds / self.nvcc.seconds

    @property
    def refused(self) -> bool:
        return self.nvcc.compiles and not self.mcc.compiles and not self.absent


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpora', nargs='+', type=pathlib.Path, metavar='FOLDER', help='where .cu files are looked for')
    parser.add_argument('-I', dest='includes', action='append', default=[], metavar='DIR', help='for both compilers')
    parser.add_argument('-D', dest='macros', action='append', default=[], metavar='NAME', help='for both compilers')
    parser.add_argument('--sdk', type=pathlib.Path, default=PROJECT / 'build/sdk', help='installed SDK')
    parser.add_argument('--nvcc', default='nvcc', help='NVIDIA\'s compiler (default: %(default)s)')
    parser.add_argument('--nvcc-arch', default='sm_90', metavar='ARCH')
    parser.add_argument('--mcc-arch', default='mp_31', metavar='ARCH')
    parser.add_argument('--std', default='c++17')
    parser.add_argument('--optimise', default='-O3', metavar='-ON')
    parser.add_argument('--match', default='', metavar='REGEX', help='only files whose path matches')
    parser.add_argument('--rounds', type=int, default=1, help='the least of so many compilations counts')
    parser.add_argument('--limit', type=float, default=600, metavar='S', help='give up on one after S seconds')
    parser.add_argument('--json', type=pathlib.Path, metavar='FILE', help='write all figures to FILE')
    return parser.parse_args()


def run_measured(command: list[str], limit: float) -> Compilation:
    """The resources are those of the command and of all it waited for."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(['timeout', '--signal=KILL', str(limit), *command], stdout=output,
                                   stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)  # so that Popen does not wait again
        output.seek(0)
        return Compilation(status == 0, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024,
                           output.read().decode(errors='replace'))


def best_of(command: list[str], arguments) -> Compilation:
    return min((run_measured(command, arguments.limit) for _ in range(arguments.rounds)), key=lambda one: one.seconds)


def absence(output: str, rules: list[dict]) -> str:
    """The reason of the rule that explains mcc's first error, or ''."""
    errors = [line for line in output.splitlines() if 'error:' in line]
    if not errors:
        return ''
    return next((rule['reason'] for rule in rules if re.search(rule['error'], errors[0])), '')


def judge(path: pathlib.Path, arguments, rules, folder: str) -> Verdict:
    common = [f'-std={arguments.std}', arguments.optimise, *(f'-I{one}' for one in arguments.includes),
              *(f'-D{one}' for one in arguments.macros), '-c', str(path)]
    nvcc = best_of([arguments.nvcc, f'-arch={arguments.nvcc_arch}', *common, '-o', f'{folder}/nvcc.o'], arguments)
    mcc = best_of([str(arguments.sdk / 'bin/mcc'), '-x', 'cuda', '-fno-musa-code-cache', f'--offload-arch={arguments.mcc_arch}', *common, '-o',
                   f'{folder}/mcc.o'], arguments)
    return Verdict(str(path), nvcc, mcc, '' if mcc.compiles else absence(mcc.output, rules))


def show(verdict: Verdict, name: str):
    def cell(one: Compilation) -> str:
        return f'{"compiles" if one.compiles else "refuses":<8} {one.seconds:7.2f} s {one.memory:6.0f} MiB'

    remark = f'{verdict.ratio:5.2f}' if verdict.both else ('absent: ' + verdict.absent if verdict.absent else '')
    if verdict.refused:
        first = next((line for line in verdict.mcc.output.splitlines() if 'error:' in line), 'no error was printed')
        remark = 'FAILED: ' + first
    print(f'{name:<75} nvcc {cell(verdict.nvcc)}   mcc {cell(verdict.mcc)}   {remark}', flush=True)


def summary(verdicts: list[Verdict]):
    both = [one for one in verdicts if one.both]
    refused = [one for one in verdicts if one.refused]
    absent = [one for one in verdicts if one.nvcc.compiles and one.absent]
    print(f'\n{len(verdicts)} files: nvcc compiles {sum(one.nvcc.compiles for one in verdicts)}, of these mcc '
          f'{len(both)}; {len(absent)} need what is absent; {len(refused)} failed')
    if not both:
        return
    ratios = sorted(one.ratio for one in both)
    memory = sorted(one.mcc.memory / one.nvcc.memory for one in both)
    slow = [one for one in both if one.ratio > 3 and one.mcc.seconds > 10]
    print(f'CPU time, mcc/nvcc: median {statistics.median(ratios):.2f}, within 1.5: '
          f'{sum(one <= 1.5 for one in ratios) / len(ratios):.1%}, greatest {ratios[-1]:.2f}; '
          f'above 3 and 10 s: {len(slow)}')
    print(f'peak memory, mcc/nvcc: median {statistics.median(memory):.2f}, greatest {memory[-1]:.2f}')


def main() -> int:
    arguments = parse_arguments()
    rules = yaml.safe_load((HERE / 'compile_absent.yml').read_text())['absent']
    files = sorted(path for corpus in arguments.corpora for path in corpus.rglob('*.cu')
                   if re.search(arguments.match, str(path)))
    if not files:
        sys.exit(f"no .cu file below {', '.join(map(str, arguments.corpora))} matches '{arguments.match}'")
    verdicts = []
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            verdicts.append(judge(path, arguments, rules, folder))
            show(verdicts[-1], str(path)[-75:])
    summary(verdicts)
    if arguments.json:
        arguments.json.write_text(json.dumps([dataclasses.asdict(one) for one in verdicts], indent=1))
    return 1 if any(one.refused for one in verdicts) else 0


if __name__ == '__main__':
    sys.exit(main())
