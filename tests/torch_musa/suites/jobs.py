"""Runs tests of pytest's in processes side by side, which take them one by one (recorder.py) and may die or hang at one."""
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Run:
    """A run of pytest's: its rows are kept in FOLDER/NAME.NUMBER.jsonl, and a second run goes on where it ended."""
    folder: pathlib.Path
    name: str
    command: list  # [PYTHON, '-m', 'pytest', ...]
    cwd: pathlib.Path
    environment: dict
    limit: float = 150  # seconds for a test
    jobs: int = 1
    seconds: float = float('inf')  # after these no test is begun

    def outcomes(self):
        """{test: (outcome, reason)}"""
        self.until = time.time() + self.seconds
        self.folder.mkdir(parents=True, exist_ok=True)
        self.claims = self.folder / f'{self.name}.claims'
        shutil.rmtree(self.claims, ignore_errors=True)
        self.claims.mkdir()
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(self.job, range(self.jobs)))
        return self.kept()

    def kept(self):
        return {test: became for part in self.folder.glob(f'{self.name}.*.jsonl') for test, became in read(part)[0].items()}

    def job(self, number):
        """One process after another; one that dies takes the test that it was at with it."""
        record, known = (self.folder / f'{self.name}.{number}.{kind}' for kind in ('jsonl', 'known'))
        while True:
            _, begun = read(record)
            with record.open('a') as rows:
                for test in begun:
                    print(json.dumps({'test': test, 'outcome': 'failed', 'reason': f'the process died, or took more than {self.limit} s'}), file=rows)
            known.write_text('\n'.join(self.kept()))
            size = len(read(record)[0])
            command = [*self.command, '-p', 'recorder', '--record', record, '--known', known, '--claims', self.claims, '--until', self.until]
            paths = [str(HERE), *filter(None, [self.environment.get('PYTHONPATH')])]
            with record.with_suffix('.log').open('a') as log:
                process = subprocess.Popen(list(map(str, command)), cwd=self.cwd, env={**self.environment, 'PYTHONPATH': ':'.join(paths)},
                                           stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
                self.wait(process, record)
            done, begun = read(record)
            if not begun or len(done) + len(begun) == size:
                return

    def wait(self, process, record):
        def size():
            return record.stat().st_size
        seen, since = size(), time.monotonic()
        while process.poll() is None:
            time.sleep(0.5)
            if size() != seen:
                seen, since = size(), time.monotonic()
            if time.monotonic() - since > self.limit:
                break
        try:
            os.killpg(process.pid, signal.SIGKILL)  # what it left, too
        except ProcessLookupError:
            pass
        process.wait()


def read(record):
    """({test: (outcome, reason)}, tests that were begun alone)"""
    done, begun = {}, []
    for line in record.read_text().rpartition('\n')[0].splitlines() if record.exists() else ():  # what is being written is left out
        row = json.loads(line)
        if 'begun' in row:
            begun.append(row['begun'])
        elif done.get(row['test'], ('',))[0] != 'failed':  # of a test's parts the worst counts
            done[row['test']] = (row['outcome'], row['reason'])
    return done, [test for test in begun if test not in done]
