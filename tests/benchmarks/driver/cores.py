"""How speed grows with threads: each kernel on 1, 2, 4 ... all of them, beside the same split by hand and OpenMP."""
import os
import subprocess
import time

from . import measure, report, table

COLUMNS = ('ours', 'split', 'openmp')
SLOWER = 1.1   # a kernel on all threads may take so much longer than on a quarter of them


def environment_of(threads):
    return {'MUSASHIM_DEVICES': '1', 'MUSASHIM_ARCH': 'mp_31', 'MUSASHIM_THREADS': str(threads),
            'OMP_NUM_THREADS': str(threads), 'OMP_DYNAMIC': 'false', 'KMP_BLOCKTIME': '1'}


def steps(most):
    """1, 2, 4 ... and all."""
    counts = [1]
    while counts[-1] * 2 < most:
        counts.append(counts[-1] * 2)
    return counts + ([most] if most > counts[-1] else [])


def measure_kernel(programs, arguments, threads):
    """Nanoseconds of each column's best program."""
    size, target_ns = ('quick', 5e6) if arguments.quick else ('full', 20e6)
    rows, _ = measure.measure(programs, size, arguments.rounds, arguments.processes, target_ns, environment_of(threads),
                              arguments.limit or 120, print)
    return report.column_times(rows, arguments.statistic)


def line(name, threads, times, alone):
    cells = [f'{name:<15}', f'{threads:>4}']
    for column in COLUMNS:
        if column not in times:
            cells.append(f"{'-':>9} {'-':>5}")
            continue
        efficiency = alone[column] / times[column] / threads if column in alone else None
        cells.append(f'{report.duration(times[column]):>9} {100 * efficiency:>4.0f}%')
    ratios = report.ratios(times)
    cells += [f'{ratios[column]:>8.2f}' if column in ratios else f"{'-':>8}" for column in COLUMNS[1:]]
    return ' '.join(cells)


HEADER = ' '.join([f"{'kernel':<15}", f"{'':>4}"] + [f'{column:>9} {"eff.":>5}' for column in COLUMNS] +
                  [f"{'/' + column:>8}" for column in COLUMNS[1:]])


def kernel_table(kernels, programs, arguments):
    """Prints the table, the means, and which kernels get slower."""
    counts = steps(arguments.threads)
    results = {}
    print(HEADER, flush=True)
    for kernel in kernels:
        own = results.setdefault(kernel.name, {})
        for threads in counts:
            own[threads] = measure_kernel(programs[kernel.name], arguments, threads)
            print(line(kernel.name if threads == 1 else '', threads, own[threads], own[1]), flush=True)
    print('\n'.join([mean_line(results, threads) for threads in counts] + slower_lines(results, arguments.threads)), flush=True)


def mean_line(results, threads):
    cells = []
    for column in COLUMNS[1:]:
        ratios = (report.ratios(own[threads]).get(column) for own in results.values())
        mean = report.geometric_mean(ratio for ratio in ratios if ratio)
        cells.append(f'/{column} {mean:.2f}' if mean else f'/{column} -')
    return f'geometric mean of {threads:>4} threads: ' + ', '.join(cells)


def slower_lines(results, threads):
    """The kernels that take longer on all threads than on a quarter of them, where the split does not."""
    quarter, lines = max(1, threads // 4), []
    for name, own in results.items():
        few, all_threads = own.get(quarter, {}), own.get(threads, {})
        slower = {column: all_threads[column] / few[column] for column in COLUMNS if column in few and column in all_threads}
        if slower.get('ours', 0) > SLOWER >= slower.get('split', 0):
            lines.append(f"{name}: {slower['ours']:.2f} times as long on {threads} threads as on {quarter}")
    return lines


def answer(program, arguments, environment):
    result = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=True,
                            env=dict(os.environ, **environment))
    return [float(word) for word in result.stdout.split()]


def grid_lines(ours, openmp, threads):
    """Small grids, as many blocks as threads and some more, beside OpenMP's parallel for."""
    yield f"{'blocks':>7} {'each':>7} {'pause':>7} {'ours':>9} {'openmp':>9} {'ratio':>6}"
    for blocks, microseconds, pause in ((threads, 20, 0), (threads, 20, 1000), (4 * threads, 5, 0), (4 * threads, 20, 0)):
        request = [blocks, microseconds, 300, pause]
        times = [answer(program, request, environment_of(threads))[0] for program in (ours, openmp)]
        yield (f'{blocks:>7} {microseconds:>4} us {pause:>4} us {times[0]:>6.1f} us {times[1]:>6.1f} us '
               f'{times[0] / times[1]:>6.2f}')


def device_lines(program, threads):
    for devices in (2, 4, 8):
        ratio, together, alone = answer(program, [2048 // devices, 20, 20],
                                        dict(environment_of(threads), MUSASHIM_DEVICES=str(devices)))
        yield f'{devices} devices: {together:.0f} us together, {alone:.0f} us for as many blocks of one: {ratio:.2f}'


def step_lines(program, title, threads):
    """What each line of the program's output says on one thread, a quarter of them and all."""
    counts = sorted({1, max(1, threads // 4), threads})
    yield f"{title:<28} " + ' '.join(f'{count:>10}' for count in counts) + ' threads'
    times = {}
    for count in counts:
        result = subprocess.run([program], capture_output=True, text=True, check=True,
                                env=dict(os.environ, **environment_of(count)))
        for text in result.stdout.splitlines():
            name, time_taken = text.rsplit(None, 1)
            times.setdefault(name, []).append(float(time_taken))
    for name, values in times.items():
        yield f'{name:<28} ' + ' '.join(f'{value:>10.2f}' for value in values)


def idle_line(program, kernel_variant):
    """What a program uses that has worked and waits for its next work."""
    running = measure.Program(program, kernel_variant, 'quick', environment_of(os.cpu_count()), 120)
    try:
        for _ in range(20):
            running.run()
        time.sleep(0.5)
        before, start = running.cpu_seconds(), time.monotonic()
        time.sleep(3)
        share = (running.cpu_seconds() - before) / (time.monotonic() - start)
        return f'an idle program uses {100 * share:.1f} % of a processor'
    finally:
        running.close()


def programs_of(builder):
    """The programs beside the kernels': small grids of both kinds, and many devices."""
    folder = table.ROOT / 'cores'
    return {'grids': builder.standalone('cores.small_grids', folder / 'small_grids.mu'),
            'grids_openmp': builder.host('cores.small_grids_openmp', folder / 'small_grids_openmp.cpp'),
            'devices': builder.standalone('cores.many_devices', folder / 'many_devices.mu'),
            'services': builder.standalone('cores.device_services', folder / 'device_services.mu'),
            'libraries': builder.standalone('cores.libraries', folder / 'libraries.mu', ('-lmufft', '-lmusparse'))}


def run(arguments, kernels, programs, others):
    if kernels:
        kernel_table(kernels, programs, arguments)
        variant, path = next(entry for entry in programs[kernels[0].name] if entry[0].column == 'ours')
        print(idle_line(path, variant), flush=True)
    for text in grid_lines(others['grids'], others['grids_openmp'], arguments.threads):
        print(text, flush=True)
    for text in device_lines(others['devices'], arguments.threads):
        print(text, flush=True)
    for text in step_lines(others['services'], 'ns of each operation', arguments.threads):
        print(text, flush=True)
    for text in step_lines(others['libraries'], 'us', arguments.threads):
        print(text, flush=True)
    return 0
