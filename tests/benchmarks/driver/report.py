"""Tables of times and ratios."""
import math
import statistics

COLUMNS = ('ours', 'split', 'openmp', 'best', 'pocl')
# Issue's bars: what the ratio must reach. Only memory-bound kernels are held to the OpenMP one.
BARS = {'split': 0.8, 'openmp': 0.9, 'pocl': 1.0}
STATISTICS = {'median': statistics.median, 'min': min}


def process_times(row, statistic):
    """What a program took in each of its processes; in each sample, where it ran in one process only."""
    if len(row['samples_ns']) == 1:
        return row['samples_ns'][0]
    return [STATISTICS[statistic](samples) for samples in row['samples_ns']]


def time_of_best(rows, statistic):
    """What the best program of a column takes.

    Which of them is best is told for each process from all the others, of which there are as many for each program.
    Were it told from the same times, a column of three programs that are alike would win by having three chances.
    """
    of = STATISTICS[statistic]
    programs = [process_times(row, statistic) for row in rows]
    if len(programs) == 1 or len(programs[0]) == 1:
        return min(map(of, programs))
    chosen = []
    for turn in range(len(programs[0])):
        best = min(programs, key=lambda values: of(values[:turn] + values[turn + 1:]))
        chosen.append(best[turn])
    return of(chosen)


def column_times(rows, statistic):
    """Nanoseconds of each column's best correct program."""
    measured = [row for row in rows if 'samples_ns' in row]
    columns = {column: [row for row in measured if row['column'] == column] for column in COLUMNS}
    return {column: time_of_best(own, statistic) for column, own in columns.items() if own}


def ratios(times):
    """How fast ours is, as a multiple of each other column's speed."""
    if 'ours' not in times:
        return {}
    return {column: times[column] / times['ours'] for column in COLUMNS[1:] if column in times}


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def duration(ns):
    for unit, size in (('ns', 1), ('us', 1e3), ('ms', 1e6), ('s', 1e9)):
        if ns < 1000 * size or unit == 's':
            return f'{ns / size:.3g} {unit}'


def missed(kernel, column, value):
    if column == 'openmp' and not kernel['memory_bound']:
        return False
    return column in BARS and value < BARS[column]


def kernel_line(kernel):
    times, ratio = kernel['times_ns'], kernel['ratios']
    cells = [f"{kernel['name']:<15}"]
    for column in COLUMNS:
        cells.append(f"{duration(times[column]) if column in times else '-':>9}")
    for column in COLUMNS[1:]:
        text = '-'
        if column in ratio:
            text = f"{ratio[column]:.2f}{'!' if missed(kernel, column, ratio[column]) else ' '}"
        elif column == 'pocl' and kernel['shuffles']:
            text = 'none '
        cells.append(f'{text:>9}')
    cells.append(f"{100 * kernel['others']:>6.0f}%")
    return ' '.join(cells)


HEADER = ' '.join([f"{'kernel':<15}"] + [f'{column:>9}' for column in COLUMNS] +
                  [f"{'/' + column + ' ':>9}" for column in COLUMNS[1:]] + [f"{'others':>7}"])


def summary(kernels):
    """The geometric means of the ratios, and what the marks mean."""
    lines = []
    means = {}
    for column in COLUMNS[1:]:
        values = [kernel['ratios'].get(column) for kernel in kernels]
        means[column] = geometric_mean(value for value in values if value)
    cells = [f"{'geometric mean':<15}"] + [' ' * 9] * len(COLUMNS)
    cells += [f"{f'{means[column]:.2f} ' if means[column] else '-':>9}" for column in COLUMNS[1:]]
    lines.append(' '.join(cells))
    lines += ['', "Times: the best of a column's compilers or modes, for each process by what the others took. /column: the",
              "speed of ours as a multiple of that column's; ! misses its bar "
              f"(split {BARS['split']}, PoCL {BARS['pocl']} and 3 in the mean;",
              f"OpenMP {BARS['openmp']} where memory is the bound). others: the machine's time that other processes took."]
    return lines, means
