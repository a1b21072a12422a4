"""MCCL's device API: kernels of several ranks, of threads and of processes. device_test.py SDK OUTPUT"""
import os
import pathlib
import signal
import socket
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SDK = OUT = None


def run(*command, ok=True, **environment):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=280,
                            env={**os.environ, 'MUSASHIM_DEVICES': '8', **environment})
    if ok and result.returncode != 0:
        raise AssertionError(f'{command} ended with {result.returncode}\n{result.stdout[-2000:]}\n{result.stderr[-2000:]}')
    return result


class DeviceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        OUT.mkdir(parents=True, exist_ok=True)
        for name in ('collectives', 'gin', 'group', 'lost', 'refused'):
            run(SDK / 'bin/mcc', '-std=c++17', '-O2', '-Wall', '-Werror', HERE / f'programs/{name}.mu', '-o', OUT / name, '-lmccl')

    def threads(self, name, rounds, ranks, **environment):
        self.assertIn('passed', run(OUT / name, rounds, ranks, **environment).stdout)

    def ends(self, ranks, *command, limit=280):
        """(exit status, what it says) of each rank, a process each."""
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            place = f'127.0.0.1:{probe.getsockname()[1]}'
        environment = {**os.environ, 'MUSASHIM_DEVICES': '8', 'MCCL_COMM_ID': place}
        jobs = [subprocess.Popen([*(str(word) for word in command), str(rank)], env=environment, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for rank in range(ranks)]
        try:
            said = [job.communicate(timeout=limit)[0] for job in jobs]
            return [(job.returncode, text) for job, text in zip(jobs, said)]
        finally:
            for job in jobs:
                job.kill()

    def processes(self, name, rounds, ranks):
        self.assertEqual(self.ends(ranks, OUT / name, rounds, ranks), [(0, 'passed\n')] * ranks)

    def test_collectives_of_threads(self):
        for ranks in (1, 2, 4, 8):
            self.threads('collectives', 200, ranks)
        self.threads('collectives', 40, 3, MUSASHIM_ARCH='mp_22')

    def test_collectives_of_processes(self):
        for ranks in (2, 4):
            self.processes('collectives', 200, ranks)

    def test_gin(self):
        for ranks in (1, 2, 4):
            self.threads('gin', 15, ranks)
        self.processes('gin', 15, 3)

    def test_gin_with_address_sanitizer(self):
        run(SDK / 'bin/mcc', '-std=c++17', '-O1', '-g', '-fsanitize=address', HERE / 'programs/gin.mu', '-o', OUT / 'gin_address', '-lmccl')
        self.threads('gin_address', 3, 2)

    def test_one_thread(self):
        for ranks in (2, 4, 8):
            self.assertIn('passed', run(OUT / 'group', ranks).stdout)

    def test_in_other_orders(self):
        for seed in range(4):
            self.threads('collectives', 20, 2, MUSASHIM_SCHEDULE=f'seed:{seed}')

    def test_a_rank_that_is_lost(self):
        """Kernels that wait for it, in each kind of wait, end with a fault, and say why; so does the communicator."""
        for how, what in (('killed', 0), ('killed', 1), ('killed', 2), ('killed', 3), ('exits', 0), ('aborts', 0), ('aborts', 3)):
            with self.subTest(how=how, what=what):
                *others, last = self.ends(3, OUT / 'lost', how, what, 3, limit=60)
                self.assertEqual(last[0], {'killed': -signal.SIGKILL, 'exits': 7, 'aborts': 0}[how], last)
                why = 'rank 2.*' + ('has aborted the communicator' if how == 'aborts' else 'has ended without leaving the communicator')
                for rank, (status, said) in enumerate(others):
                    self.assertEqual(status, 0, said)
                    self.assertRegex(said, f'mccl: device API: a kernel of rank {rank} waits in vain: {why}\n')
                    self.assertRegex(said, f'unspecified launch failure\n.*: {why}')

    def test_under_sanitizers(self):
        run(SDK / 'bin/mcc', '-std=c++17', '-O1', '-g', '-fsanitize=address,undefined', HERE / 'programs/collectives.mu',
            '-o', OUT / 'collectives.sanitized', '-lmccl')
        result = run(OUT / 'collectives.sanitized', 20, 2, ASAN_OPTIONS='detect_leaks=0')
        self.assertEqual(result.stdout, 'passed\n')
        self.assertNotIn('runtime error', result.stderr)

    def test_kernels_are_told_what_is_missing(self):
        for what, why in enumerate(('no such barrier: ask for more in its requirements (2 of 2)', 'no device has multicast memory',
                                    'no device has multicast memory', 'no such GIN context')):
            said = run(OUT / 'refused', what).stdout
            self.assertIn(why, said)
            self.assertNotIn('no error', said)


if __name__ == '__main__':
    SDK, OUT = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1])
