"""Tables of times and ratios."""
import math

COLUMNS = ('ours', 'split', 'openmp', 'best', 'pocl')
# Issue's bars: what the ratio must reach. Only memory-bound kernels are held to the OpenMP one.
BARS = {'split': 0.8, 'openmp': 0.9, 'pocl': 1.0}


def best_rows(rows, statistic):
    """The fastest correct variant of each column."""
    best = {}
    for row in rows:
        if statistic not in row:
            continue
        current = best.get(row['column'])
        if current is None or row[statistic] < current[statistic]:
            best[row['column']] = row
    return best


def ratios(rows, statistic):
    """How fast ours is, as a multiple of each other column's speed."""
    best = best_rows(rows, statistic)
    if 'ours' not in best:
        return {}
    return {column: best[column][statistic] / best['ours'][statistic] for column in COLUMNS[1:] if column in best}


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


def kernel_line(kernel, statistic):
    best, ratio = best_rows(kernel['rows'], statistic), ratios(kernel['rows'], statistic)
    cells = [f"{kernel['name']:<15}"]
    for column in COLUMNS:
        cells.append(f"{duration(best[column][statistic]) if column in best else '-':>9}")
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


def summary(kernels, statistic):
    """The geometric means of the ratios, and what the marks mean."""
    lines = []
    means = {}
    for column in COLUMNS[1:]:
        values = [ratios(kernel['rows'], statistic).get(column) for kernel in kernels]
        means[column] = geometric_mean(value for value in values if value)
    cells = [f"{'geometric mean':<15}"] + [' ' * 9] * len(COLUMNS)
    cells += [f"{f'{means[column]:.2f} ' if means[column] else '-':>9}" for column in COLUMNS[1:]]
    lines.append(' '.join(cells))
    lines += ['', 'Times: the best of a column\'s compilers or modes. /column: the speed of ours as a multiple of',
              f"that column's; ! misses its bar (split {BARS['split']}, PoCL {BARS['pocl']} and 3 in the mean; OpenMP",
              f"{BARS['openmp']} where memory is the bound). others: the machine's time that other processes took."]
    return lines, means
