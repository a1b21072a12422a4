"""musify-text, the vendor's command line of the port. musify_test.py MUSAPORT"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

MUSAPORT = None
CUDA = '''#include <cuda_runtime.h>
#include "own.cuh"
// cudaFree
int main() { return cudaFree(0) == cudaSuccess ? OWN : 1; }
const char* kept = "cudaMalloc";  // MUSIFY_EXCL_LINE
'''
MUSA = CUDA.replace('cudaFree', 'musaFree').replace('cudaSuccess', 'musaSuccess').replace('cuda_runtime', 'musa_runtime')


class MusifyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='musify-')
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / 'musify-text').symlink_to(MUSAPORT)
        # Two files of one name, as find lists them.
        self.sources = [self.root / 'a/main.cu', self.root / 'b/main.cu']
        for source in self.sources:
            source.parent.mkdir()
            source.write_text(CUDA, 'utf-8')
            (source.parent / 'own.cuh').write_text('#define OWN 0\n', 'utf-8')

    def musify(self, *words, status=0):
        result = subprocess.run([self.root / 'musify-text', *words], cwd=self.root, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def files(self):
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob('*') if path.is_file() and path.name != 'musify-text')

    def test_in_place_and_back(self):
        before = self.files()
        said = self.musify('--inplace', '--', *self.sources).stderr
        self.assertNotIn('warning', said)
        self.assertIn('a/main.cu: 4 edits', said)
        self.assertEqual([source.read_text('utf-8') for source in self.sources], [MUSA, MUSA])
        self.musify('-i', '-d', 'm2c', 'a/main.cu', 'b/main.cu')
        self.assertEqual([source.read_text('utf-8') for source in self.sources], [CUDA, CUDA])
        self.assertEqual(self.files(), before)  # no copy, no record

    def test_a_new_file_by_default(self):
        for options in ([], ['-c'], ['--create']):
            self.musify(*options, 'a/main.cu')
            made = self.root / 'a/main.cu.mt'
            self.assertEqual(made.read_text('utf-8'), MUSA)
            made.unlink()
        self.assertEqual(self.sources[0].read_text('utf-8'), CUDA)

    def test_terminal(self):
        for option in ('-t', '--terminal'):
            self.assertEqual(self.musify(option, 'a/main.cu', 'b/main.cu').stdout, MUSA + MUSA)
        self.assertEqual(self.files(), ['a/main.cu', 'a/own.cuh', 'b/main.cu', 'b/own.cuh'])

    def test_any_file_that_is_named(self):
        for name, text, ported in (('notes.txt', 'see cudaFree', 'see musaFree'), ('old.mu', 'cudaFree(0);', 'musaFree(0);'),
                                   ('CMakeLists.txt', 'add_executable(a a.cu)', 'add_executable(a a.cu)')):
            (self.root / name).write_text(text, 'utf-8')
            self.assertEqual(self.musify('-t', name).stdout, ported)

    def test_mappings(self):
        (self.root / 'one.json').write_text(json.dumps({'mine': 'theirs', 'my/x.h': 'their/x.h'}), 'utf-8')
        (self.root / 'two.json').write_text(json.dumps({'other': 'another', 'mine_too': 'ours'}), 'utf-8')
        (self.root / 'c.cu').write_text('#include "my/x.h"\nint n = mine(other, mine_too, minefield, cudaFree(0));  // mine\n'
                                        'int k = other;  // MUSIFY_EXCL_LINE\n', 'utf-8')
        together = self.musify('-t', '-m', 'one.json', 'two.json', '--', 'c.cu').stdout
        self.assertEqual(together, '#include "their/x.h"\nint n = theirs(another, ours, minefield, musaFree(0));  // theirs\n'
                                   'int k = other;  // MUSIFY_EXCL_LINE\n')
        alone = self.musify('-t', '--clear-mapping', '-m', 'one.json', '-m', 'two.json', '--', 'c.cu').stdout
        self.assertEqual(alone, together.replace('musaFree', 'cudaFree'))
        (self.root / 'd.cu').write_text(alone, 'utf-8')
        back = self.musify('-t', '-d', 'm2c', '--clear-mapping', '-m', 'one.json', 'two.json', '--', 'd.cu').stdout
        self.assertEqual(back, (self.root / 'c.cu').read_text('utf-8'))

    def test_the_tables_of_the_vendor_s_tool_may_be_named(self):
        tables = [self.root / 'tools' / name for name in ('general.json', 'include.json', 'extra.json')]
        for clear in ([], ['--clear-mapping']):
            self.assertEqual(self.musify('-t', *clear, '-m', *tables, '--', 'a/main.cu').stdout, MUSA)

    def test_levels(self):
        said = {level: self.musify('-t', '-l', level, 'a/main.cu').stderr for level in ('DEBUG', 'INFO', 'WARNING')}
        self.assertEqual(said['WARNING'], '')
        self.assertIn('edits', said['INFO'])
        self.assertIn('a/main.cu:4: converted cudaFree', said['DEBUG'])

    def test_wrong_usage(self):
        self.assertIn('musify-text: ', self.musify('-t', '-i', 'a/main.cu', status=2).stderr)
        self.assertIn('no.cu', self.musify('-t', 'no.cu', status=2).stderr)
        self.assertIn('one.json', self.musify('-t', '-m', 'one.json', '--', 'a/main.cu', status=2).stderr)
        self.assertIn('--clear-mapping', self.musify('--help').stdout)
        self.musify()
        self.assertEqual(self.sources[0].read_text('utf-8'), CUDA)


if __name__ == '__main__':
    MUSAPORT = os.path.realpath(sys.argv.pop(1))
    unittest.main()
