"""What the device's pass alone reads counts for builds: in rules for make, in what the preprocessor prints, and so for ccache."""
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import unittest

SDK = FOLDER = None

SOURCE = '''
#include <cstdio>
#ifdef __MUSA_ARCH__
#include "only device.h"
#else
#include "only_host.h"
#endif
__global__ void fill(int* data) { *data = VALUE; }
int main() {
  int* data = nullptr;
  musaMallocManaged(reinterpret_cast<void**>(&data), sizeof(int));
  fill<<<1, 1>>>(data);
  musaDeviceSynchronize();
  std::printf("%d %d\\n", VALUE, *data);
}
'''
# Of what a rule for make names, nothing but the project's.
OURS = r'(?<= )(?:a\.mu|a\.cu|only(?:\\ |_)[a-z]+\.h)(?=\s|$)'
BOTH = ['a.mu', 'only\\ device.h', 'only_host.h']


class Dependencies(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        self.write('a.mu', SOURCE)
        self.write('only_host.h', '#define VALUE 1\n')
        self.write('only device.h', '#define VALUE 2\n')

    def write(self, name, text):
        (FOLDER / name).write_text(text)

    def run_in(self, *command, **environment):
        result = subprocess.run(command, cwd=FOLDER, env=dict(os.environ, **environment), capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def mcc(self, *options):
        return self.run_in(SDK / 'bin/mcc', *options)

    def of_rules(self, text):
        first = re.sub(r'\\\n', ' ', text).split('\n')[0]
        return sorted(re.findall(OURS, first))

    def test_rules_have_what_both_passes_read(self):
        self.mcc('-MMD', '-c', 'a.mu')
        self.assertEqual(self.of_rules((FOLDER / 'a.d').read_text()), BOTH)
        self.mcc('-MD', '-MF', 'b.d', '-MT', 'target', '-c', 'a.mu')
        rules = (FOLDER / 'b.d').read_text()
        self.assertEqual(self.of_rules(rules), BOTH)
        self.assertTrue(rules.startswith('target: '))
        self.assertIn('musa_runtime.h', rules)
        self.assertEqual(self.of_rules(self.mcc('-MM', 'a.mu')), BOTH)
        self.assertEqual(self.mcc('-MM', '-MF', 'c.d', 'a.mu'), '')
        self.assertEqual(self.of_rules((FOLDER / 'c.d').read_text()), BOTH)
        self.mcc('-E', '-MMD', '-MF', 'd.d', 'a.mu', '-o', 'a.i')
        self.assertEqual(self.of_rules((FOLDER / 'd.d').read_text()), BOTH)
        self.assertEqual(self.of_rules(self.mcc('-fsyntax-only', '-MMD', '-MF', '-', 'a.mu')), BOTH)
        self.assertEqual(self.of_rules(self.mcc('--musa-host-only', '-MM', 'a.mu')), ['a.mu', 'only_host.h'])

    def test_rules_of_several_sources_are_printed(self):
        shutil.copy(FOLDER / 'a.mu', FOLDER / 'b.mu')
        for options in (['-MM'], ['-fsyntax-only', '-MMD', '-MF', '-']):
            printed = self.mcc(*options, 'a.mu', 'b.mu')
            self.assertEqual(re.findall(r'^(\w+\.o): ', printed, re.MULTILINE), ['a.o', 'b.o'])
            self.assertEqual(printed.count('only\\ device.h'), 2)

    def test_devices_pipes_and_links_stay_what_they_are(self):
        (FOLDER / 'link.d').symlink_to('real.d')
        self.mcc('-MMD', '-MF', 'link.d', '-c', 'a.mu')
        self.assertTrue((FOLDER / 'link.d').is_symlink())
        self.assertEqual(self.of_rules((FOLDER / 'real.d').read_text()), BOTH)
        os.mkfifo(FOLDER / 'pipe')
        with subprocess.Popen(['cat', 'pipe'], cwd=FOLDER, stdout=subprocess.PIPE, text=True) as reader:
            self.mcc('-MMD', '-MF', 'pipe', '-c', 'a.mu')
            self.assertEqual(self.of_rules(reader.stdout.read()), BOTH)
        self.assertTrue((FOLDER / 'pipe').is_fifo())
        # A device of one's own, as it would be replaced otherwise.
        try:
            os.mknod(FOLDER / 'null', stat.S_IFCHR | 0o666, os.makedev(1, 3))
        except PermissionError:
            self.skipTest('only root makes devices')
        self.mcc('-MD', '-MF', 'null', '-c', 'a.mu')
        self.mcc('-MM', 'a.mu', '-o', 'null')
        self.assertTrue((FOLDER / 'null').is_char_device())

    def test_headers_have_rules_of_their_own_once(self):
        self.mcc('-MMD', '-MP', '-c', 'a.mu')
        rules = (FOLDER / 'a.d').read_text()
        for header in ('only\\ device.h:', 'only_host.h:'):
            self.assertEqual(rules.count('\n' + header), 1, rules)

    def test_headers_that_are_still_to_be_made(self):
        (FOLDER / 'only device.h').unlink()
        self.assertEqual(self.of_rules(self.mcc('-MM', '-MG', 'a.mu')), BOTH)

    def test_make_builds_again(self):
        self.write('Makefile', f'program: a.o\n\t{SDK}/bin/mcc a.o -o program -lmusart\na.o: a.mu\n\t{SDK}/bin/mcc -MMD -MP -c a.mu -o a.o\n-include a.d\n')
        self.run_in('make')
        self.assertEqual(self.run_in('./program'), '1 2\n')
        self.write('only device.h', '#define VALUE 3\n')
        later = (FOLDER / 'program').stat().st_mtime + 1
        os.utime(FOLDER / 'only device.h', (later, later))
        self.run_in('make')
        self.assertEqual(self.run_in('./program'), '1 3\n')

    def test_preprocessed_text_is_of_both_sides(self):
        printed = self.mcc('-E', 'a.mu')
        self.mcc('-E', 'a.mu', '-o', 'a.i')
        self.assertEqual((FOLDER / 'a.i').read_text(), printed)
        self.assertEqual(re.findall(r'fill\(int\* data\) { \*data = (\d); }', printed), ['1', '2'])
        self.assertEqual(re.findall(r'fill\(int\* data\) { \*data = (\d); }', self.mcc('-E', '--musa-host-only', 'a.mu')), ['1'])
        self.assertEqual(self.mcc('-E', '-dM', 'a.mu').count('#define VALUE '), 1)
        self.write('a.mu', '#if __MUSA_ARCH__ == 310\nint of_310;\n#elif defined __MUSA_ARCH__\nint of_others;\n#endif\n')
        printed = self.mcc('-E', '--offload-arch=mp_21,mp_22,mp_31', 'a.mu')
        self.assertEqual((printed.count('int of_310;'), printed.count('int of_others;')), (1, 1))

    @unittest.skipUnless(shutil.which('ccache'), 'ccache is not installed')
    def test_ccache_sees_what_only_the_device_sees(self):
        """It knows no .mu."""
        shutil.copy(FOLDER / 'a.mu', FOLDER / 'a.cu')
        cache = dict(CCACHE_DIR=str(FOLDER / 'ccache'), CCACHE_CONFIGPATH='/dev/null')

        def says():
            self.run_in('ccache', SDK / 'bin/mcc', '-c', 'a.cu', '-o', 'a.o', **cache)
            self.mcc('a.o', '-o', 'program', '-lmusart')
            return self.run_in('./program')

        def hits():
            return sum(int(line.split('\t')[1]) for line in self.run_in('ccache', '--print-stats', **cache).splitlines()
                       if line.startswith(('direct_cache_hit\t', 'preprocessed_cache_hit\t')))

        self.assertEqual((says(), hits()), ('1 2\n', 0))
        self.assertEqual((says(), hits()), ('1 2\n', 1))
        self.write('only device.h', '#define VALUE 4\n')
        self.assertEqual((says(), hits()), ('1 4\n', 1))


if __name__ == '__main__':
    SDK, FOLDER = map(pathlib.Path, sys.argv[1:3])
    unittest.main(argv=sys.argv[:1])
