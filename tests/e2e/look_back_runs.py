#!/usr/bin/env python3
"""Scans whose blocks wait for each other by votes, many runs beside a spinning process on each processor.

    look_back_runs.py SDK                       20 runs of programs/look_back.mu and of cccl/scan.cu (CUB's DeviceScan)
    look_back_runs.py SDK --runs 1000 [--only look_back]

Each run has to end in two minutes, be right, and have at most as many threads as processors plus two (as seen every 2 ms).
"""
import argparse
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
LOOKS = 60000  # at a running program, one each 2 ms: where this process is stopped, so is the other, and neither counts


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('sdk', type=pathlib.Path)
    parser.add_argument('--runs', type=int, default=20)
    parser.add_argument('--only', choices=['look_back', 'scan'])
    return parser.parse_args()


def build(sdk, folder, only):
    """The programs by name; without CUB in the SDK its scan is not among them."""
    commands = {'look_back': [sdk / 'bin/mcc', '-O2', HERE / 'programs/look_back.mu']}
    if (sdk / 'include/cub').is_dir():
        commands['scan'] = [sdk / 'cuda/bin/nvcc', '-O2', '-std=c++17', HERE / 'cccl/scan.cu']
    programs = {}
    for name, command in commands.items():
        if only in (None, name):
            programs[name] = folder / name
            subprocess.run([*command, '-o', programs[name]], check=True)
    return programs


@contextlib.contextmanager
def load(processors):
    spinning = [subprocess.Popen([sys.executable, '-c', 'while True: pass'], preexec_fn=lambda at=p: os.sched_setaffinity(0, {at}))
                for p in processors]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def threads_of(process):
    try:
        status = pathlib.Path(f'/proc/{process.pid}/status').read_text(encoding='ascii', errors='replace')
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith('Threads:')), 0)


def run_once(program):
    """What is wrong with a run, or '', and the most threads that it was seen to have."""
    threads = looks = 0
    with subprocess.Popen([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        while process.poll() is None:
            threads = max(threads, threads_of(process))
            looks += 1
            if looks > LOOKS:
                process.kill()
                return f'did not end while looked at {LOOKS} times', threads
            time.sleep(0.002)
        said = process.stdout.read()
    right = process.returncode == 0 and said.startswith('right')
    return '' if right else f'status {process.returncode}: {said.strip()}', threads


def main():
    arguments = parse_arguments()
    processors = sorted(os.sched_getaffinity(0))
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        programs = build(arguments.sdk.resolve(), pathlib.Path(folder), arguments.only)
        with load(processors):
            for name, program in programs.items():
                start, most = time.monotonic(), 0
                for number in range(arguments.runs):
                    wrong, threads = run_once(program)
                    most = max(most, threads)
                    if wrong:
                        failed = True
                        print(f'{name}: run {number}: {wrong}', flush=True)
                if most > len(processors) + 2:
                    failed = True
                    print(f'{name}: {most} threads on {len(processors)} processors')
                print(f'{name}: {arguments.runs} runs in {time.monotonic() - start:.0f} s, '
                      f'at most {most} threads on {len(processors)} processors', flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
