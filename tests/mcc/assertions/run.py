#!/usr/bin/env python3
"""Every thread whose assertion fails says so, as on hardware, and no other; what was printed before is there.

    run.py SDK SOURCE WORK
"""
import os
import re
import subprocess
import sys

sdk, source, work = sys.argv[1:]
os.makedirs(work, exist_ok=True)
failures = []
LINE = re.compile(r'assertions\.mu:\d+: .*: block: \[(\d+),0,0\], thread: \[(\d+),0,0\] Assertion `.*` failed\.')


def failing(threads):
    return [thread for thread in range(threads) if thread % 8 >= 4]


# What each block's threads say, by kind.
WANTED = {'plain': failing(8), 'barriers': failing(32), 'warps': failing(32), 'polling': [7], 'all': list(range(16))}


def judge(program, where, arch, kind, blocks):
    result = subprocess.run([program, kind, str(blocks)], capture_output=True, text=True, timeout=60, check=False,
                            env={**os.environ, 'MUSASHIM_ARCH': arch})
    told = sorted((int(block), int(thread)) for block, thread in LINE.findall(result.stderr))
    wanted = sorted((block, thread) for block in range(blocks) for thread in WANTED[kind])
    printed = [f'block {block} thread 7' for block in range(blocks)] if kind == 'plain' else []
    lines = result.stdout.splitlines()
    if told != wanted or lines[-1:] != ['musaErrorAssert'] or sorted(lines[:-1]) != sorted(printed):
        failures.append(kind)
        print(f'{where} on {arch}, {kind} in {blocks} blocks: {told}\n{result.stdout}{result.stderr[-500:]}', flush=True)


for options in (['-O0', '-g'], ['-O1'], ['-O3'], ['-O2', '-fmusa-fibers'], ['-O2', '-fmusa-check']):
    program = os.path.join(work, 'assertions')
    subprocess.run([os.path.join(sdk, 'bin/mcc'), *options, source, '-o', program, '-lmusart'], check=True)
    for arch in ('mp_22', 'mp_31'):
        for kind in WANTED:
            judge(program, ' '.join(options), arch, kind, 1)
        judge(program, ' '.join(options), arch, 'plain', 3)
sys.exit(1 if failures else 0)
