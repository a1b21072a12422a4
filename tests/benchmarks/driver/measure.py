"""Runs the programs of one kernel side by side: one sample of each in turn, so that noise meets all alike."""
import os
import pathlib
import select
import statistics
import subprocess
import time

TICKS = os.sysconf('SC_CLK_TCK')
SETTLE_LIMIT = 0.5   # seconds


class Failure(Exception):
    """A program that ended, or gave a wrong result."""


class Program:
    """A running benchmark program; see harness/serve.h for what it understands."""

    def __init__(self, path, variant, size, environment, limit):
        self.variant = variant
        self.samples = []
        self.times = 1
        self.error = None
        self._limit = limit
        environment = dict(os.environ, **environment, **dict(variant.environment))
        if variant.mode:   # PoCL's cache of compiled kernels does not know the work-group method
            environment['POCL_CACHE_DIR'] += f'/{path.name}.{variant.mode}'
            os.makedirs(environment['POCL_CACHE_DIR'], exist_ok=True)
        self._process = subprocess.Popen([path, '--size', size], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, text=True, env=environment)

    def _ask(self, line):
        try:
            self._process.stdin.write(line + '\n')
            self._process.stdin.flush()
            # Some of PoCL's modes compile some kernels for hours.
            if not select.select([self._process.stdout], [], [], self._limit)[0]:
                raise Failure(f'no answer within {self._limit} s')
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = ''
        if not answer:
            _, errors = self._process.communicate()
            raise Failure(f'ended with {self._process.returncode}: {errors.strip()[-2000:]}')
        return answer.split()

    def verify(self):
        word, error = self._ask('verify')
        self.error = max(self.error or 0.0, float(error))
        if word != 'ok':
            raise Failure(f'wrong result: the largest error is {error} of the tolerance')

    def run(self):
        """Nanoseconds of one run, the mean of `times` in a row."""
        return float(self._ask(f'run {self.times}')[0]) / self.times

    def calibrate(self, target_ns):
        """Chooses how many runs make a sample; warms up on the way."""
        once = self.run()
        if once > 5 * target_ns:
            return
        once = min(once, self.run())
        self.times = max(1, min(10000, round(target_ns / max(once, 1.0))))
        self.run()

    def cpu_seconds(self):
        fields = pathlib.Path(f'/proc/{self._process.pid}/stat').read_text().rpartition(')')[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def settle(self):
        """Waits until its threads sleep: OpenMP's spin up to 200 ms for their next work, at their successor's cost."""
        end = time.monotonic() + SETTLE_LIMIT
        while time.monotonic() < end:
            tasks = pathlib.Path(f'/proc/{self._process.pid}/task').glob('*/stat')
            if all(task.read_text().rpartition(')')[2].split()[0] != 'R' for task in tasks):
                return
            time.sleep(0.01)

    def close(self):
        self._process.kill()
        self._process.communicate()


def machine_busy_seconds():
    fields = [int(field) for field in pathlib.Path('/proc/stat').read_text().split('\n')[0].split()[1:9]]
    user, nice, system, _idle, _iowait, irq, softirq, steal = fields
    return (user + nice + system + irq + softirq + steal) / TICKS


def take_samples(programs, rounds):
    """Fills the programs' samples; returns which part of the machine others used meanwhile."""
    start, busy = time.monotonic(), machine_busy_seconds()
    own = sum(program.cpu_seconds() for program in programs)
    for turn in range(rounds):
        shift = turn % len(programs)
        for program in programs[shift:] + programs[:shift]:
            program.samples.append(program.run())
            program.settle()
    elapsed = (time.monotonic() - start) * os.cpu_count()
    own = sum(program.cpu_seconds() for program in programs) - own
    return max(0.0, (machine_busy_seconds() - busy - own) / elapsed)


def measure_once(paths, size, rounds, target_ns, environment, limit, fail):
    """Samples of a process of each program [(variant, path)], and the share of other processes; `fail(variant,
    failure)` is told of those that have none."""
    programs = []

    def attempt(program, step):
        try:
            step()
            return True
        except Failure as failure:
            fail(program.variant, failure)
            program.close()
            return False

    try:
        for variant, path in paths:
            program = Program(path, variant, size, environment, limit)
            programs.append(program)
            if not attempt(program, program.verify) or not attempt(program, lambda: program.calibrate(target_ns)):
                programs.remove(program)
        others = take_samples(programs, rounds) if programs else 0.0
        return [program for program in programs if attempt(program, program.verify)], others
    finally:
        for program in programs:
            program.close()


def measure(paths, size, rounds, processes, target_ns, environment, limit, say):
    """Measures programs [(variant, path)], each in so many processes, one after the other: where a process got its
    memory makes up to a third of its speed. Returns rows for the report and the share of other processes."""
    failures, measured, shares = [], {}, []

    def fail(variant, failure):
        failures.append({'variant': variant.name, 'column': variant.column, 'failure': str(failure)})
        say(f'  {variant.name}: {failure}')

    for _ in range(processes):
        failed = {row['variant'] for row in failures}
        left = [(variant, path) for variant, path in paths if variant.name not in failed]
        programs, others = measure_once(left, size, rounds, target_ns, environment, limit, fail)
        shares.append(others)
        for program in programs:
            measured.setdefault(program.variant.name, []).append(program)

    failed = {row['variant'] for row in failures}
    rows = [row_of(programs) for name, programs in measured.items() if name not in failed]
    return failures + rows, statistics.fmean(shares)


def row_of(programs):
    """What the report needs of a variant's processes."""
    variant = programs[0].variant
    return {'variant': variant.name, 'column': variant.column,
            'samples_ns': [program.samples for program in programs],
            'runs_per_sample': programs[0].times, 'error': max(program.error for program in programs)}
