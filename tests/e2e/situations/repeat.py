#!/usr/bin/env python3
"""Runs a program many times on a loaded machine and counts: what does not end in time, another exit status, other
output, more threads than allowed. For what goes wrong once in hundreds of runs.

    repeat.py SDK SOURCE --runs 1000 --status 3 --devices 4
    repeat.py SDK SOURCE --runs 1000 --prints right --threads +2 --loaded 2     +2: beside the number of processors
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('sdk', type=pathlib.Path)
    parser.add_argument('source', type=pathlib.Path)
    parser.add_argument('--runs', type=int, default=1000)
    parser.add_argument('--status', type=int, default=0, help='the exit status that is right (default: %(default)s)')
    parser.add_argument('--prints', metavar='REGEX', help='what stdout and stderr together must match (default: no matter)')
    parser.add_argument('--threads', metavar='N', help='the most threads that a run may have; +N: more than processors')
    parser.add_argument('--devices', type=int, default=1)
    parser.add_argument('--arch', default='mp_31')
    parser.add_argument('--loaded', type=int, default=0, metavar='N', help='processes that spin meanwhile')
    parser.add_argument('--limit', type=float, default=120, metavar='S', help='a run that takes longer did not end')
    parser.add_argument('--options', default='-O2 -std=c++17', help='of mcc (default: %(default)s)')
    return parser.parse_args()


def threads_of(pid: int) -> int:
    try:
        return len(os.listdir(f'/proc/{pid}/task'))
    except FileNotFoundError:
        return 0


def run_once(program: str, environment: dict, limit: float, watch: bool):
    """Exit status (None: it did not end), output, the most threads that were seen."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([program], env=environment, stdout=output, stderr=subprocess.STDOUT)
        most, end, status = 0, time.monotonic() + limit, None
        while status is None and time.monotonic() < end:
            if watch:
                most = max(most, threads_of(process.pid))
            try:
                status = process.wait(0.002 if watch else limit)
            except subprocess.TimeoutExpired:
                pass
        if status is None:
            process.kill()
            process.wait()
        output.seek(0)
        return status, output.read().decode(errors='replace'), most


def main() -> int:
    arguments = parse_arguments()
    allowed = None
    if arguments.threads:
        more = arguments.threads.startswith('+')
        allowed = int(arguments.threads) + (os.cpu_count() if more else 0)
    environment = {**os.environ, 'MUSASHIM_DEVICES': str(arguments.devices), 'MUSASHIM_ARCH': arguments.arch}
    wrong, most = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        program = f'{folder}/program'
        kind = ['-x', 'cuda'] if arguments.source.suffix == '.cu' else []
        subprocess.run([arguments.sdk / 'bin/mcc', *kind, arguments.source, '-o', program,
                        f'--offload-arch={arguments.arch}', *arguments.options.split(), '-lmusart'], check=True)
        load = [subprocess.Popen([sys.executable, '-c', 'while True: pass']) for _ in range(arguments.loaded)]
        begin = time.monotonic()
        try:
            for number in range(arguments.runs):
                status, output, threads = run_once(program, environment, arguments.limit, allowed is not None)
                most = max(most, threads)
                if status is None:
                    wrong['did not end'] += 1
                elif status != arguments.status:
                    wrong[f'status {status}'] += 1
                elif arguments.prints and not re.search(arguments.prints, output):
                    wrong[f'printed {output[:100]!r}'] += 1
                elif allowed is not None and threads > allowed:
                    wrong[f'{threads} threads'] += 1
                if (number + 1) % 100 == 0 and number + 1 < arguments.runs:
                    print(f'{number + 1} runs, {wrong.total()} wrong', flush=True)
        finally:
            for process in load:
                process.kill()
                process.wait()
    print(f'{arguments.source.name}: {arguments.runs} runs in {time.monotonic() - begin:.0f} s, {wrong.total()} wrong'
          + (f', at most {most} threads' if allowed is not None else ''))
    for what, count in wrong.most_common():
        print(f'  {count} x {what}')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
