"""Device code for several processors: the widest that the machine has is chosen, and none that it lacks."""
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from images import images_of

ERROR = 'musaErrorNoKernelImageForDevice'


def machine_level():
    flags = pathlib.Path('/proc/cpuinfo').read_text().split()
    return 4 if 'avx512f' in flags and 'avx512vl' in flags else 3 if 'avx2' in flags else 2 if 'sse4_2' in flags else 1


def check_bodies(sdk, source, folder):
    """By default kernels have a body for AVX-512 too, which gives the same results and can be forbidden."""
    program, narrow = folder / 'bodies', folder / 'bodies-v3'
    subprocess.run([sdk / 'bin/mcc', '-ffp-contract=off', source, '-o', program, '-lmusart'], check=True)
    subprocess.run([sdk / 'bin/mcc', '-ffp-contract=off', '-fmusa-cpu=x86-64-v3', source, '-o', narrow, '-lmusart'],
                   check=True)
    for kernel in (b'plain', b'calls', b'barriers', b'warps', b'leavesOneByOne'):
        if not re.search(kernel + rb'Pf[\w.]*\.wide', images_of(program)):
            yield f'{kernel} has no second body'
    if re.search(rb'longCodePf[\w.]*\.wide', images_of(program)):
        yield 'longCode has a second body'
    if b'.wide' in images_of(narrow):
        yield '-fmusa-cpu=x86-64-v3 makes a second body'

    def run(what, most):
        return subprocess.run([what], env=dict(os.environ, MUSASHIM_CPU_LEVEL=str(most), MUSASHIM_ARCH='mp_31'),
                              capture_output=True, text=True, check=True).stdout

    expected = run(narrow, 4)
    for most in (3, 4):
        if run(program, most) != expected:
            yield f'bodies differ, level {most}: {run(program, most)}, expected {expected}'


def main():
    sdk, source, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)

    def build(*options):
        program = folder / 'level'
        subprocess.run([sdk / 'bin/mcc', source, '-o', program, '-lmusart', *options], check=True)
        return program

    def run(program, most):
        environment = dict(os.environ, MUSASHIM_CPU_LEVEL=str(most))
        return subprocess.run([program], env=environment, capture_output=True, text=True, check=True).stdout.split()

    machine = machine_level()
    failures = []

    def expect(got, level, what):
        wanted = [str(level), 'musaSuccess'] if level else ['0', ERROR]
        if got != wanted:
            failures.append(f'{what}: {got}, expected {wanted}')

    all_levels = build('-fmusa-cpu=x86-64,x86-64-v2,x86-64-v3,x86-64-v4')
    for most in (1, 2, 3, 4):
        expect(run(all_levels, most), min(most, machine), f'all levels, {most} allowed')
    two = build('-fmusa-cpu=x86-64-v3,x86-64-v2', '--offload-arch=mp_31,mp_22')
    for most in (1, 2, 3, 4):
        expect(run(two, most), 0 if most < 2 else min(most, machine, 3), f'v2 and v3, {most} allowed')
    one = build('-fmusa-cpu=x86-64-v3')
    for most in (2, 3):
        expect(run(one, most), 3 if min(most, machine) >= 3 else 0, f'v3 only, {most} allowed')
    default = build()
    expect(run(default, 4), min(machine, 3), 'no option')
    refused = subprocess.run([sdk / 'bin/mcc', '-rdc=true', '-fmusa-cpu=x86-64,x86-64-v3', '-c', source, '-o', folder / 'x.o'],
                             capture_output=True, text=True)
    if refused.returncode == 0 or '-fmusa-cpu=' not in refused.stderr:
        failures.append(f'several processors with -rdc=true: {refused.stderr}')
    failures += check_bodies(sdk, source.with_name('bodies.mu'), folder)
    print('\n'.join(failures) or 'ok')
    return len(failures) > 0


if __name__ == '__main__':
    sys.exit(main())
