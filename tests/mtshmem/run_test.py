"""MTSHMEM's programs with several PEs, and its launcher. run_test.py SDK OUTPUT"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SDK = OUT = None
SHIFT = r'''
#include <stdio.h>
#include <nvshmem.h>
#include <nvshmemx.h>
__global__ void simple_shift(int *destination) {
  int mype = nvshmem_my_pe(), npes = nvshmem_n_pes();
  nvshmem_int_p(destination, mype, (mype + 1) % npes);
}
int main(void) {
  int msg;
  cudaStream_t stream;
  nvshmem_init();
  cudaSetDevice(nvshmem_team_my_pe(NVSHMEMX_TEAM_NODE));
  cudaStreamCreate(&stream);
  int *destination = (int *)nvshmem_malloc(sizeof(int));
  simple_shift<<<1, 1, 0, stream>>>(destination);
  nvshmemx_barrier_all_on_stream(stream);
  cudaMemcpyAsync(&msg, destination, sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("%d: received message %d\n", nvshmem_my_pe(), msg);
  nvshmem_free(destination);
  nvshmem_finalize();
  return 0;
}
'''
SHIFTED = ['0: received message 3', '1: received message 0', '2: received message 1', '3: received message 2']


def run(*command, ok=True, **environment):
    """`environment` adds to ours; None takes a variable away."""
    merged = {**os.environ, 'MUSASHIM_DEVICES': '4', **environment}
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=240,
                            env={name: value for name, value in merged.items() if value is not None})
    if ok and result.returncode != 0:
        raise AssertionError(f'{command} ended with {result.returncode}\n{result.stdout[-2000:]}\n{result.stderr[-2000:]}')
    return result


class MtshmemTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        OUT.mkdir(parents=True, exist_ok=True)
        for name in ('host', 'kernels'):
            run(SDK / 'bin/mcc', '-std=c++17', '-O2', '-Wall', '-Werror', f'-I{HERE}/programs', HERE / f'programs/{name}.mu',
                '-o', OUT / name, '-lmtshmem')

    def pes(self, count, name, *arguments, **environment):
        # Sixteen heaps of 1G are more than a small machine promises.
        result = run(SDK / 'bin/mtshmrun', '-np', count, OUT / name, *arguments, **{'MTSHMEM_SYMMETRIC_SIZE': '64M', **environment})
        self.assertEqual(result.stdout.count('passed'), count, result.stdout)

    def test_host_and_streams(self):
        for count in (1, 2, 4, 16):
            self.pes(count, 'host')
        for count, devices in ((4, 1), (4, 2), (7, 3)):  # PEs that share them
            self.pes(count, 'host', MUSASHIM_DEVICES=str(devices))

    def test_kernels(self):
        for count in (1, 2, 4, 16):
            self.pes(count, 'kernels')
        self.pes(3, 'kernels', MUSASHIM_ARCH='mp_22')

    def posted(self, said):
        """(by the host, by the proxy, by kernels) of all PEs together, as MTSHMEM_INFO tells."""
        lines = re.findall(r'by the host (\d+), by the proxy (\d+), by kernels (\d+)', said)
        return [sum(int(line[way]) for line in lines) for way in range(3)]

    def test_far_pes(self):
        """As on other hosts: all by messages, posted by the proxy or by kernels."""
        for name in ('host', 'kernels'):
            for direct in ('0', '1'):
                with self.subTest(name=name, direct=direct):
                    result = run(SDK / 'bin/mtshmrun', '-np', 3, OUT / name, 20, MTSHMEM_DISABLE_P2P='1', MTSHMEM_INFO='1',
                                 MTSHMEM_IB_ENABLE_IBGDA=direct, MCCL_SOCKET_IFNAME='lo')
                    self.assertEqual(result.stdout.count('passed'), 3, result.stdout)
                    host, proxy, kernels = self.posted(result.stderr)
                    self.assertGreater(host, 0)
                    self.assertEqual((proxy > 0, kernels > 0), (name == 'kernels' and direct == '0', name == 'kernels' and direct == '1'))

    def test_far_pes_are_refused_without_a_transport(self):
        result = run(SDK / 'bin/mtshmrun', '-np', 2, OUT / 'host', ok=False, MTSHMEM_DISABLE_P2P='1', MTSHMEM_REMOTE_TRANSPORT='none')
        self.assertIn('MTSHMEM_REMOTE_TRANSPORT=none', result.stderr)
        result = run(OUT / 'host', ok=False, MTSHMEM_REMOTE_TRANSPORT='pigeons')
        self.assertIn("'pigeons'; ibrc, ibgda and none there are", result.stderr)

    def test_two_hosts(self):
        """Name spaces: by mtshmrun's host list, and by mpirun, whose PMIx says where to meet."""
        cluster = HERE.parents[1] / 'scripts/cluster'
        # Whatever keeps other tests to the loopback is not for hosts.
        far = {'MTSHMEM_INFO': '1', 'CLUSTER_SLOTS': '2', 'MCCL_SOCKET_IFNAME': None}
        command = f'exec {SDK}/bin/mtshmrun -np 4 -hosts 10.77.0.1,10.77.0.2 -launcher-exec $OMPI_MCA_plm_rsh_agent {OUT}/kernels 10'
        result = run(cluster, 2, '--', 'sh', '-c', command, ok=False, **far)
        if result.returncode == 77:
            self.skipTest('no name spaces here')
        self.assertEqual((result.returncode, result.stdout.count('passed')), (0, 4), result.stdout + result.stderr)
        self.assertGreater(self.posted(result.stderr)[1], 0)
        if shutil.which('mpirun'):
            result = run(cluster, 2, '--', 'mpirun', '-np', 4, '-x', 'MUSASHIM_DEVICES', OUT / 'host', ok=False, **far)
            self.assertEqual((result.returncode, result.stdout.count('passed')), (0, 4), result.stdout + result.stderr)
            self.assertGreater(self.posted(result.stderr)[0], 0)

    def test_kernels_in_other_orders(self):
        for seed in range(5):
            self.pes(3, 'kernels', 20, MUSASHIM_SCHEDULE=f'seed:{seed}')

    def test_a_small_heap_is_full(self):
        result = run(SDK / 'bin/mtshmrun', '-np', 2, OUT / 'kernels', ok=False, MTSHMEM_SYMMETRIC_SIZE='4K')
        self.assertNotEqual(result.returncode, 0)
        result = run(OUT / 'host', ok=False, MTSHMEM_SYMMETRIC_SIZE='much')
        self.assertIn("MTSHMEM_SYMMETRIC_SIZE is 'much', which is no size", result.stderr)

    def test_the_document_by_its_command_line(self):
        source = OUT / 'shift.cu'
        source.write_text(SHIFT)
        face = SDK / 'cuda'
        run(face / 'bin/nvcc', '-x', 'cu', '-arch=sm_70', '-rdc=true', f'-I{face}/include', f'-L{face}/lib', '-lnvshmem', '-lcuda', '-o',
            OUT / 'nvshmem_example', source)
        self.assertEqual(sorted(run(face / 'bin/nvshmrun', '-np', 4, OUT / 'nvshmem_example').stdout.splitlines()), SHIFTED)
        run(SDK / 'bin/musaport', source, '-o', OUT / 'shift.mu', '--force')
        run(SDK / 'bin/mcc', OUT / 'shift.mu', '-o', OUT / 'shift', '-lmtshmem')
        self.assertEqual(sorted(run(SDK / 'bin/mtshmrun', '-np', 4, OUT / 'shift').stdout.splitlines()), SHIFTED)
        if shutil.which('mpirun'):
            environment = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'}
            said = run('mpirun', '--oversubscribe', '-np', 4, OUT / 'shift', **environment).stdout
            self.assertEqual(sorted(said.splitlines()), SHIFTED)

    def test_host_programs_without_mcc(self):
        source = OUT / 'plain.c'
        source.write_text('#include <nvshmem.h>\n#include <stdio.h>\nint main(void) { nvshmem_init(); int* p = (int*)nvshmem_calloc(1, 4);\n'
                          'nvshmem_int_atomic_inc(p, 0); nvshmem_barrier_all(); int n = nvshmem_int_g(p, 0); nvshmem_free(p);\n'
                          'printf("%d\\n", n); nvshmem_finalize(); return 0; }\n')
        run('gcc', source, f'-I{SDK}/cuda/include', f'-L{SDK}/cuda/lib64', '-lnvshmem_host', f'-Wl,-rpath,{SDK}/lib', '-o', OUT / 'plain')
        self.assertEqual(run(SDK / 'bin/mtshmrun', '-np', 3, OUT / 'plain').stdout.split(), ['3'] * 3)
        run('gcc', source, f'-I{SDK}/cuda/include', SDK / 'lib/libmtshmem.a', f'-L{SDK}/lib', '-lmusart', '-lstdc++', '-lm',
            f'-Wl,-rpath,{SDK}/lib', '-o', OUT / 'static')
        self.assertEqual(run(SDK / 'bin/mtshmrun', '-np', 3, OUT / 'static').stdout.split(), ['3'] * 3)

    def test_launcher(self):
        launcher = SDK / 'bin/mtshmrun'
        self.assertIn('Usage:', run(launcher, '--help').stdout)
        for arguments, said in ((['-np', '0', 'true'], '1 to 256'), (['true'], 'how many PEs'), (['-np', '2'], 'which program'),
                                (['--what', 'true'], 'no option')):
            result = run(launcher, *arguments, ok=False)
            self.assertEqual(result.returncode, 2)
            self.assertIn(said, result.stderr)
        self.assertEqual(run(launcher, '-np', 3, 'sh', '-c', 'exit $((MTSHMEM_PE == 1 ? 7 : 0))', ok=False).returncode, 7)
        self.assertEqual(run(launcher, '-np', 2, '/nowhere/x', ok=False).returncode, 127)
        start = time.monotonic()
        result = run(launcher, '-np', 3, 'sh', '-c', 'if [ $MTSHMEM_PE = 1 ]; then kill -9 $$; fi; exec sleep 100', ok=False)
        self.assertEqual(result.returncode, 128 + signal.SIGKILL)
        self.assertLess(time.monotonic() - start, 20)

    def test_who_does_not_come_is_named(self):
        result = run(OUT / 'host', ok=False, MTSHMEM_PE='0', MTSHMEM_NPES='2', MTSHMEM_JOB=f'test-{os.getpid()}',
                     MTSHMEM_BOOTSTRAP_TIMEOUT='0.3')
        self.assertEqual(result.returncode, 1)
        self.assertIn('PE 1 of 2 did not come', result.stderr)
        self.assertIn('4 of 2', run(OUT / 'host', ok=False, MTSHMEM_PE='4', MTSHMEM_NPES='2').stderr.replace('only 2 PEs', '4 of 2'))

    def test_nothing_stays(self):
        self.pes(4, 'host')
        self.assertEqual([path.name for path in pathlib.Path('/dev/shm').glob(f'mtshmem-{os.getuid()}-mtshmrun-*')], [])


if __name__ == '__main__':
    SDK, OUT = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
