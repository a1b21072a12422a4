"""What MTSHMEM's programs do wrong, and how that is told. failures_test.py SDK OUTPUT"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

import run_test
from run_test import HERE, run

FAR = {'MTSHMEM_DISABLE_P2P': '1', 'MCCL_SOCKET_IFNAME': 'lo'}


class FailuresTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sdk, cls.out = run_test.SDK, run_test.OUT
        cls.out.mkdir(parents=True, exist_ok=True)
        run(cls.sdk / 'bin/mcc', '-std=c++17', '-O2', '-Wall', '-Werror', f'-I{HERE}/programs', HERE / 'programs/failures.mu',
            '-o', cls.out / 'failures', '-lmtshmem')

    def fails(self, pes, what, **environment):
        """What the job says that ends by itself, and soon."""
        start = time.monotonic()
        result = run(self.sdk / 'bin/mtshmrun', '-np', pes, self.out / 'failures', what, ok=False,
                     **{'MTSHMEM_SYMMETRIC_SIZE': '16M', **environment})
        self.assertNotEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertLess(time.monotonic() - start, 60)
        return result.stderr

    def check_report(self, said):
        self.assertEqual(said.count('who waits for what'), 1, said)
        self.assertRegex(said, r'PE 0: kernel .*waits\(unsigned long\*\), block \[0,0,0\], thread \[0,0,0\].*: waits for 0x\w+ '
                               r'\(symmetric heap \+ 0x\w+\) of 8 bytes: is 0, must be >= 7\n')
        self.assertRegex(said, r'PE 1: mtshmemx_signal_wait_until_on_stream.*: is 0, must be == 3\n')
        self.assertRegex(said, r'PE 2: mtshmem_int_wait_until_any.*: waits for 2 variables from .* of 4 bytes: is 0, must be < -5\n')
        self.assertRegex(said, r'PE 3: mtshmem_barrier_all.*: waits for PEs 0, 1, 2, 4 at barrier \d+ of team 0\n')
        self.assertRegex(said, r'PE 4: waits for nothing')
        self.assertRegex(said, r'PE \d: .*nobody answered for [12]\.\d s \(MTSHMEM_WAIT_TIMEOUT\)')

    def test_a_wait_that_nobody_answers(self):
        self.check_report(self.fails(5, 'wait', MTSHMEM_WAIT_TIMEOUT='1.5'))

    def test_the_same_by_messages(self):
        for direct in '01':
            with self.subTest(direct=direct):
                self.check_report(self.fails(5, 'wait', MTSHMEM_WAIT_TIMEOUT='1.5', MTSHMEM_IB_ENABLE_IBGDA=direct, **FAR))

    def test_the_same_on_two_hosts(self):
        command = f'exec {self.sdk}/bin/mtshmrun -np 5 -hosts 10.77.0.1:3,10.77.0.2:2 -launcher-exec $OMPI_MCA_plm_rsh_agent {self.out}/failures wait'
        result = run(HERE.parents[1] / 'scripts/cluster', 2, '--', 'sh', '-c', command, ok=False, MTSHMEM_WAIT_TIMEOUT='1.5',
                     MTSHMEM_SYMMETRIC_SIZE='16M', MCCL_SOCKET_IFNAME=None)
        if result.returncode == 77:
            self.skipTest('no name spaces here')
        self.assertNotEqual(result.returncode, 0)
        self.check_report(result.stderr)

    def test_a_limit_that_is_none(self):
        self.assertIn("MTSHMEM_WAIT_TIMEOUT is 'soon', which is no number of seconds", self.fails(1, '', MTSHMEM_WAIT_TIMEOUT='soon'))
        result = run(self.sdk / 'bin/mtshmrun', '-np', 2, self.out / 'failures', '', MTSHMEM_SYMMETRIC_SIZE='16M', MTSHMEM_WAIT_TIMEOUT='30')
        self.assertEqual(result.stdout.count('passed'), 2)

    def test_a_pe_that_dies(self):
        """Told by the launcher, or by a PE that notices it first."""
        noticed = 'PE 1 ended while others wait for it|the PE at its other end, has failed'
        for environment in ({}, FAR):
            self.assertRegex(self.fails(4, 'killed', **environment), f'PE 1 ended with status {128 + signal.SIGKILL}|{noticed}')
        self.assertRegex(self.fails(4, 'exits'), f'PE 1 ended with status 3|{noticed}')

    def test_a_pe_that_dies_and_no_launcher_looks(self):
        """The others notice it themselves, in kernels and on the host."""
        for number, environment in enumerate(({}, FAR)):
            with self.subTest(environment=environment):
                place = self.out / f'id.{os.getpid()}.{number}'
                clean = {name: value for name, value in os.environ.items() if not name.startswith(('OMPI_', 'PMI'))}
                pes = [subprocess.Popen([self.out / 'failures', 'killed', str(pe), '4', place], stderr=subprocess.PIPE, text=True,
                                        env={**clean, 'MUSASHIM_DEVICES': '2', 'MTSHMEM_SYMMETRIC_SIZE': '16M', 'MCCL_SOCKET_IFNAME': 'lo',
                                             **environment}) for pe in range(4)]
                said = [pe.communicate(timeout=60)[1] for pe in pes]
                self.assertEqual([pe.returncode for pe in pes], [1, -signal.SIGKILL, 1, 1], said)
                for pe in (0, 2, 3):
                    self.assertRegex(said[pe], 'PE [0-3] ended while others wait for it' if not environment else r'mtshmem: PE \d: ')
                if not environment:
                    self.assertIn('PE 1 ended while others wait for it', ''.join(said))

    def test_a_pe_that_dies_and_its_launcher_does_not_look(self):
        """In memory that PEs share; their parent leaves the dead one as it is."""
        pes = [subprocess.Popen([self.out / 'failures', 'killed'], stderr=subprocess.PIPE, text=True,
                                env={**os.environ, 'MUSASHIM_DEVICES': '2', 'MTSHMEM_SYMMETRIC_SIZE': '16M', 'MTSHMEM_PE': str(pe),
                                     'MTSHMEM_NPES': '4', 'MTSHMEM_JOB': f'test-{os.getpid()}'}) for pe in range(4)]
        said = [pes[pe].communicate(timeout=60)[1] for pe in (0, 2, 3)]  # PE 1 is not asked for so far
        pes[1].communicate(timeout=60)
        self.assertEqual([pe.returncode for pe in pes], [1, -signal.SIGKILL, 1, 1], said)
        self.assertIn('PE 1 ended while others wait for it', ''.join(said))
        for text in said:  # or for one that has noticed it before
            self.assertRegex(text, r'PE \d ended while others wait for it')

    def test_a_pe_that_dies_under_mpirun(self):
        if shutil.which('mpirun') is None:
            self.skipTest('no mpirun')
        start = time.monotonic()
        result = run('mpirun', '--oversubscribe', '-np', 4, self.out / 'failures', 'killed', ok=False, OMPI_ALLOW_RUN_AS_ROOT='1',
                     OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', MTSHMEM_SYMMETRIC_SIZE='16M')
        self.assertNotEqual(result.returncode, 0)
        self.assertLess(time.monotonic() - start, 60)

    def test_allocations_of_different_sizes(self):
        self.assertRegex(self.fails(3, 'sizes'), r'PE 1: mtshmem_malloc: all PEs must ask for the same: 4096 bytes here, 64 at PE 0')

    def test_more_teams_than_there_may_be(self):
        for most, made in ((None, 58), ('10', 4), ('0', 0)):
            result = run(self.sdk / 'bin/mtshmrun', '-np', 2, self.out / 'failures', 'teams', MTSHMEM_SYMMETRIC_SIZE='16M', MTSHMEM_MAX_TEAMS=most)
            self.assertEqual(result.stdout.count(f'{made} teams\n'), 2, result.stdout)
        for wrong in ('many', '-1', '7x'):
            self.assertIn(f"MTSHMEM_MAX_TEAMS is '{wrong}', which is no number of teams", self.fails(2, 'teams', MTSHMEM_MAX_TEAMS=wrong))

    def test_memory_that_was_not_allocated(self):
        self.assertIn('mtshmem_free: the address was not allocated, or was freed before', self.fails(2, 'free'))

    def test_addresses_outside_the_heap(self):
        for environment in ({}, FAR):
            for what in ('put', 'get'):
                self.assertRegex(self.fails(2, what, **environment), r'address: 0x\w+ is no symmetric memory of PE \d \(there are 2\)')
            self.assertRegex(self.fails(2, 'pe', **environment), r'0x\w+ is no symmetric memory of PE 99 \(there are 2\)')
            self.assertRegex(self.fails(2, 'kernel', **environment), r'PE \d: (unspecified launch failure|.*trap)')

    def test_kernels_on_a_device_without_the_heap(self):
        result = run(self.sdk / 'bin/mtshmrun', '-np', 2, self.out / 'failures', 'elsewhere', ok=False, MTSHMEM_SYMMETRIC_SIZE='16M')
        self.assertRegex(result.stderr, 'PE [01]: unspecified launch failure')
        self.assertIn("mtshmem: this kernel's device has no symmetric heap of this PE", result.stdout)


if __name__ == '__main__':
    run_test.SDK, run_test.OUT = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
