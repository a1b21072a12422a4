"""What launching costs, and what compiling costs beside clang on the same file."""
import os
import resource
import statistics
import subprocess
import time

from . import build, table

COMPILE_BAR = 2.5
SOURCES = ('one_kernel', 'all_kernels')


def launch_figures(program, quick, environment):
    output = subprocess.run([program] + (['--quick'] if quick else []), check=True, text=True, stdout=subprocess.PIPE,
                            env=dict(os.environ, **environment)).stdout
    figures = []
    for line in output.splitlines():
        name, value, bar, what = line.split(' ', 3)
        figures.append({'name': name, 'ns': float(value), 'bar': None if bar == '-' else float(bar), 'what': what})
    return figures


def seconds(command, environment=None):
    """Wall and CPU seconds of a command; the latter hardly depend on what else the machine does."""
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env=dict(os.environ, CCACHE_DISABLE='1', **(environment or {})))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compile_figures(sdk, scratch, rounds):
    """Median seconds of mcc and of two compilations by clang, taken in turns."""
    figures = []
    for name in SOURCES:
        source = table.ROOT / f'compile_time/{name}.mu'
        common = ['-std=c++20', '-O3', f'-I{table.ROOT}', '-c', '-o', f'{scratch}/{name}.o']
        plain = [build.CLANG, *common, '-include', table.ROOT / 'compile_time/plain.h', '-x', 'c++', source]
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(seconds([sdk / 'bin/mcc', *common, source], {'MUSA_PATH': str(sdk)}))
            theirs += [seconds(plain), seconds(plain)]
        figure = {'name': name, 'bar': COMPILE_BAR}
        for index, clock in enumerate(('wall', 'cpu')):
            mine, twice = (statistics.median(sample[index] for sample in samples) for samples in (ours, theirs))
            twice *= 2
            figure[clock] = {'mcc_s': mine, 'clang_twice_s': twice, 'ratio': mine / twice}
        figures.append(figure)
    return figures


def lines(launches, compilations):
    text = ['', 'Launching']
    for figure in launches:
        bar = f"(bar {figure['bar']:.0f})" if figure['bar'] else ''
        mark = '!' if figure['bar'] and figure['ns'] >= figure['bar'] else ' '
        text.append(f"{figure['name']:<20} {figure['ns']:>10.1f}{mark} {figure['what']} {bar}".rstrip())
    text += ['', 'Compiling: mcc beside clang twice on the same file as plain C++']
    for figure in compilations:
        for clock in ('wall', 'cpu'):
            times = figure[clock]
            mark = '!' if times['ratio'] > figure['bar'] else ' '
            text.append(f"{figure['name']:<13} {clock:<6} {times['mcc_s']:>8.2f} s {times['clang_twice_s']:>8.2f} s "
                        f"{times['ratio']:>8.2f}{mark} (bar {figure['bar']})")
    return text
