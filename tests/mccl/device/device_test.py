"""MCCL's device API: kernels of several ranks, of threads and of processes. device_test.py SDK OUTPUT"""
import os
import pathlib
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
        for name in ('collectives', 'gin', 'group', 'refused'):
            run(SDK / 'bin/mcc', '-std=c++17', '-O2', '-Wall', '-Werror', HERE / f'programs/{name}.mu', '-o', OUT / name, '-lmccl')

    def threads(self, name, rounds, ranks, **environment):
        self.assertIn('passed', run(OUT / name, rounds, ranks, **environment).stdout)

    def processes(self, name, rounds, ranks):
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            place = f'127.0.0.1:{probe.getsockname()[1]}'
        environment = {**os.environ, 'MUSASHIM_DEVICES': '8', 'MCCL_COMM_ID': place}
        jobs = [subprocess.Popen([OUT / name, str(rounds), str(ranks), str(rank)], env=environment, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for rank in range(ranks)]
        try:
            for job in jobs:
                said, _ = job.communicate(timeout=280)
                self.assertEqual((job.returncode, said), (0, 'passed\n'))
        finally:
            for job in jobs:
                job.kill()

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

    def test_one_thread(self):
        for ranks in (2, 4, 8):
            self.assertIn('passed', run(OUT / 'group', ranks).stdout)

    def test_in_other_orders(self):
        for seed in range(4):
            self.threads('collectives', 20, 2, MUSASHIM_SCHEDULE=f'seed:{seed}')

    def test_kernels_are_told_what_is_missing(self):
        for what, why in enumerate(('no such barrier: ask for more in its requirements (2 of 2)', 'no device has multicast memory',
                                    'no device has multicast memory', 'no such GIN context')):
            said = run(OUT / 'refused', what).stdout
            self.assertIn(why, said)
            self.assertNotIn('no error', said)


if __name__ == '__main__':
    SDK, OUT = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1])
