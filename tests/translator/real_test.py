"""Ports NVIDIA's public sources where they are at hand. real_test.py MUSAPORT THIRD_PARTY

Exit 77 (skipped) if neither cuda-samples nor nccl-tests is there. What is checked holds for any source:
nothing is lost, nothing but edits changes, a second run is idle, and no name of CUDA's API is left
except those that were reported.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import unittest

MUSAPORT, THIRD_PARTY = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
API = re.compile(rb'\b(?:cuda(?:Malloc|Free|Memcpy|Memset|Stream|Event|Device|Get|Set|Launch|Graph|Host|Success|Error_t)\w*'
                 rb'|nccl(?:Comm|Group|All|Reduce|Bcast|Broadcast|Send|Recv|Get|Mem)\w*|NCCL_VERSION\w*)\b')
# The programs' own names of that shape.
OWN = {b'cudaDevice', b'cudaDeviceInit', b'cudaDeviceInitDRV', b'cudaDeviceID', b'cudaDeviceId', b'cudaDeviceSelected',
       b'cudaDeviceCreateConsumer', b'cudaDeviceCreateProducer', b'cudaGetValueMismatch', b'cudaGraphLaunches', b'cudaGraphsManual',
       b'cudaGraphsUsingStreamCapture', b'cudaGraphicsD3D11RegisterResource'}


def code_of(data):
    """Without comments and literals, which have policies of their own."""
    pattern = rb'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
    return re.sub(pattern, b' ', data, flags=re.S)


class RealTest(unittest.TestCase):
    def port(self, project):
        source = THIRD_PARTY / project
        if not source.is_dir():
            self.skipTest(f'{source} is not here')
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        out = pathlib.Path(folder.name) / 'out'
        result = subprocess.run([MUSAPORT, source, '-o', out, '--summary', 'json', '-q'], capture_output=True, check=True)
        return source, out, json.loads(result.stdout)

    def check(self, project):
        source, out, report = self.port(project)
        self.assertGreater(report['counts']['runtime'], 100)
        for entry in report['files']:
            before, after = (source / entry['source']), (out / entry['target'])
            if entry['kind'] == 'link':
                continue
            if pathlib.Path(entry['source']).suffix in ('.txt', '.cmake', '.mk', '.py', '.sh') or 'Makefile' in entry['source']:
                continue  # build files gain and lose lines
            self.assertEqual(before.read_bytes().count(b'\n'), after.read_bytes().count(b'\n'), entry['source'])
            if entry['edits'] == 0:
                self.assertEqual(before.read_bytes(), after.read_bytes())
            if entry['kind'] == 'source':
                left = {m.group() for m in API.finditer(code_of(after.read_bytes()))} - OWN
                reported = {f['subject'].encode() for f in entry['findings'] if f['kind'] == 'unported'}
                members = {name for name in left if re.search(rb'(\.|->)\s*' + name + rb'\b', after.read_bytes())}
                self.assertEqual(left - reported - members, set(), entry['source'])
        again = subprocess.run([MUSAPORT, out, '--diff', '-q'], capture_output=True, check=True)
        self.assertEqual(again.stdout, b'')
        self.check_reverse(source, out)
        return out

    def check_reverse(self, source, out):
        """Back to CUDA: every file byte for byte."""
        back = out.parent / 'back'
        subprocess.run([MUSAPORT, '--reverse', out, '-o', back, '-q', '--summary', 'none'], check=True)
        for path in source.rglob('*'):
            if '.git' in path.relative_to(source).parts or path.is_dir() or path.is_symlink():
                continue
            self.assertEqual((back / path.relative_to(source)).read_bytes(), path.read_bytes(), path)

    def test_cuda_samples(self):
        self.check('cuda-samples')

    def test_nccl_tests(self):
        out = self.check('nccl-tests')
        verifiable = (out / 'verifiable/verifiable.mu').read_text()
        self.assertEqual(verifiable.count('atomicAdd((unsigned long long*)(bad_elt_n), (unsigned long long)(bad));'), 2)
        self.assertNotIn('asm', verifiable)
        multimem = (out / 'src/multimem_ops.h').read_text()
        self.assertNotIn('__MUSA_ARCH__', multimem, 'branches with PTX stay closed')
        common = (out / 'src/common.mu').read_text()
        self.assertIn('#if MUSART_VERSION >= 30100', common)
        self.assertIn('"musa_runtime.h"', (out / 'src/all_reduce.mu').read_text())
        self.assertIn('mcclCommInitRankConfig(', common)


if __name__ == '__main__':
    if not (THIRD_PARTY / 'cuda-samples').is_dir() and not (THIRD_PARTY / 'nccl-tests').is_dir():
        print(f'skipped: neither cuda-samples nor nccl-tests is in {THIRD_PARTY}')
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
