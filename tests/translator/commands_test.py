"""musaport query and musaport alias. commands_test.py MUSAPORT SDK"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

MUSAPORT, SDK = None, None
SOURCE = '''#include <cuda_runtime.h>
#include <nccl.h>
static int cudaHostAlloc(int size) { return size; }
// cudaGraphLaunch
int work(cudaStream_t stream, ncclComm_t comm) {
  void* memory = nullptr;
  if (cudaMalloc(&memory, cudaHostAlloc(8)) != cudaSuccess) return 1;
  return ncclAllReduce(memory, memory, 2, ncclFloat, ncclSum, comm, stream) == ncclSuccess;
}
'''


def run(*command):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=60, check=False)


class QueryTest(unittest.TestCase):
    def query(self, *names):
        return run(MUSAPORT, 'query', *names, '--musa-path', SDK)

    def test_function(self):
        text = self.query('cudaMemcpyPeerAsync').stdout
        for words in ('cudaMemcpyPeerAsync -> musaMemcpyPeerAsync', 'support   supported', 'since ', 'int dstDevice, const void* src',
                      'tested by peer.copies'):
            self.assertIn(words, text)

    def test_since_and_caveat(self):
        self.assertIn('SDK 5.2', self.query('ncclCommSplit').stdout)
        self.assertIn('caveat', self.query('CU_AD_FORMAT_AYUV').stdout)
        self.assertIn('with the number', self.query('__CUDA_ARCH__').stdout)

    def test_back_and_headers(self):
        self.assertEqual(self.query('musaMemcpyPeerAsync').stdout, self.query('cudaMemcpyPeerAsync').stdout)
        self.assertEqual(self.query('nccl.h').stdout, 'nccl.h -> mccl.h\n')
        self.assertIn('(no counterpart)', self.query('optix.h').stdout)

    def test_unknown(self):
        result = self.query('cudaMaloc', 'cudaFree')
        self.assertEqual(result.returncode, 1)
        self.assertIn('did you mean cudaMalloc', result.stderr)
        self.assertIn('musaFree', result.stdout)
        self.assertEqual(run(MUSAPORT, 'query').returncode, 2)


class AliasTest(unittest.TestCase):
    def test_compiles_what_it_was_made_for(self):
        with tempfile.TemporaryDirectory(prefix='musaport-') as name:
            root = pathlib.Path(name)
            (root / 'a.cu').write_text(SOURCE, encoding='utf-8')
            self.assertEqual(run(MUSAPORT, 'alias', root, '-o', root / 'alias.h').returncode, 0)
            header = (root / 'alias.h').read_text('utf-8')
            self.assertIn('#define cudaMalloc musaMalloc\n', header)
            self.assertNotIn('cudaHostAlloc', header)  # the project's
            self.assertNotIn('cudaGraphLaunch', header)  # not used
            self.assertEqual(run(MUSAPORT, 'alias', root / 'a.cu').stdout, header)
            body = SOURCE.split('\n', 2)[2]
            (root / 'a.cpp').write_text('#include "alias.h"\n' + body, encoding='utf-8')
            result = run('g++', '-std=c++17', '-fsyntax-only', f'-I{SDK}/include', root / 'a.cpp')
            self.assertEqual(result.returncode, 0, result.stderr)


class FilterTest(unittest.TestCase):
    def filter(self, text, *more):
        return subprocess.run([MUSAPORT, '-', *more], input=text, capture_output=True, text=True, timeout=60, check=False)

    def test_there_and_back(self):
        ported = self.filter(SOURCE)
        self.assertIn('musaMalloc(&memory, cudaHostAlloc(8)) != musaSuccess', ported.stdout)
        self.assertEqual(ported.returncode, 0)
        self.assertIn('+#include <musa_runtime.h>', self.filter(SOURCE, '--diff').stdout)
        self.assertEqual(self.filter('musaFree(0);\n', '--reverse').stdout, 'cudaFree(0);\n')

    def test_what_is_left(self):
        left = self.filter('#include <cutensor.h>\n', '--strict')
        self.assertEqual((left.returncode, left.stdout), (1, '#include <cutensor.h>\n'))
        self.assertIn('stdin:1:', left.stderr)
        self.assertEqual(self.filter('', '-o', 'x').returncode, 2)


if __name__ == '__main__':
    MUSAPORT, SDK = sys.argv[1:3]
    unittest.main(argv=[sys.argv[0]])
