"""Rings, storms of barriers and random atomics of kernels, in many orders. storms_test.py SDK OUTPUT [RUNS]"""
import pathlib
import sys
import unittest

import run_test
from run_test import HERE, run

RUNS = 6


class StormsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        run_test.OUT.mkdir(parents=True, exist_ok=True)
        run(run_test.SDK / 'bin/mcc', '-std=c++17', '-O2', '-Wall', '-Werror', f'-I{HERE}/programs', HERE / 'programs/storms.mu',
            '-o', run_test.OUT / 'storms', '-lmtshmem')

    def storm(self, pes, seed, rounds, **environment):
        # A hang ends by itself, with a report.
        result = run(run_test.SDK / 'bin/mtshmrun', '-np', pes, run_test.OUT / 'storms', seed, rounds,
                     **{'MTSHMEM_SYMMETRIC_SIZE': '8M', 'MTSHMEM_WAIT_TIMEOUT': '100', **environment})
        self.assertEqual(result.stdout.count('passed'), pes, result.stdout)

    def test_devices(self):
        """PEs with a device each, with one that all share, and with four: each process uses all of them, for work of its own."""
        for pes in (2, 4, 16):
            for devices in (1, 4):
                with self.subTest(pes=pes, devices=devices):
                    self.storm(pes, 1, 10, MUSASHIM_DEVICES=str(devices))

    def test_orders(self):
        for seed in range(RUNS):
            with self.subTest(seed=seed):
                self.storm((2, 4, 3)[seed % 3], seed, 10, MUSASHIM_SCHEDULE=f'seed:{seed}', MUSASHIM_DEVICES=('1', '4')[seed % 2])

    def test_far_pes_in_other_orders(self):
        for seed in range(RUNS // 3):
            with self.subTest(seed=seed):
                self.storm(3, seed, 3, MUSASHIM_SCHEDULE=f'seed:{seed}', MTSHMEM_DISABLE_P2P='1', MCCL_SOCKET_IFNAME='lo',
                           MTSHMEM_IB_ENABLE_IBGDA=str(seed % 2))

    def test_under_sanitizers(self):
        """The kernels and this program's part; ThreadSanitizer knows nothing of kernels."""
        run(run_test.SDK / 'bin/mcc', '-std=c++17', '-O1', '-g', '-fsanitize=address,undefined', f'-I{HERE}/programs',
            HERE / 'programs/storms.mu', '-o', run_test.OUT / 'storms.sanitized', '-lmtshmem')
        result = run(run_test.SDK / 'bin/mtshmrun', '-np', 3, run_test.OUT / 'storms.sanitized', 1, 5, ASAN_OPTIONS='detect_leaks=0',
                     MTSHMEM_SYMMETRIC_SIZE='8M', MTSHMEM_WAIT_TIMEOUT='100', MUSASHIM_DEVICES='4')
        self.assertEqual(result.stdout.count('passed'), 3, result.stdout)
        self.assertNotIn('runtime error', result.stderr)


if __name__ == '__main__':
    if len(sys.argv) > 3 and sys.argv[3].isdigit():
        RUNS = int(sys.argv.pop(3))
    run_test.SDK, run_test.OUT = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
