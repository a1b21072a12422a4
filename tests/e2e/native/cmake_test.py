"""CMake projects written for the vendor's modules: cmake_test.py SDK"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROJECTS = pathlib.Path(__file__).resolve().parent / 'cmake'
SDK = None


class CMakeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='native-cmake-')
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)

    def run_in(self, *command):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(('MUSA', 'CUDA', 'CMAKE', 'LIBRARY_PATH'))}
        result = subprocess.run(command, env={**kept, 'MUSA_PATH': str(SDK), 'MUSASHIM_SESSION': 'none'}, text=True, timeout=300,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(result.returncode, 0, result.stdout[-3000:])
        return result.stdout

    def configure(self, project, *options):
        return self.run_in('cmake', '-S', PROJECTS / project, '-B', self.build, *options)

    def test_functions(self):
        for generator in ('Unix Makefiles', 'Ninja'):
            with self.subTest(generator), tempfile.TemporaryDirectory() as folder:
                self.build = pathlib.Path(folder)
                said = self.configure('functions', '-G', generator, '-DCMAKE_BUILD_TYPE=Release')
                self.assertNotIn('Warning', said)
                self.assertRegex(said, r'Found MUSA: .*\(found version "\d+\.\d+\.\d+"\)')
                self.assertNotIn('MUSAToolkit', said)
                built = self.run_in('cmake', '--build', self.build)
                # Each command of mcc is shown.
                shown = re.findall(r'(?m)^\S*/bin/mcc -x musa .* -c (\S+) -o .*$', built)
                self.assertEqual(len(shown), 9, built)
                self.assertEqual({pathlib.Path(path).name for path in shown}, {'kernels.cu', 'more.mu', 'named.cpp'})
                for program in ('app', 'with_library', 'with_objects'):
                    self.assertEqual(self.run_in(self.build / program), '0 wrong\n', program)

    def test_commands_are_shown_if_asked_for(self):
        source = self.build / 'source'
        source.mkdir()
        (source / 'CMakeLists.txt').write_text((PROJECTS / 'functions/CMakeLists.txt').read_text('utf-8')
                                               .replace('MUSA_VERBOSE_BUILD ON', 'MUSA_VERBOSE_BUILD OFF'), 'utf-8')
        for name in ('include', 'kernels.cu', 'more.mu', 'named.cpp', 'main.cpp'):
            (source / name).symlink_to(PROJECTS / 'functions' / name)
        self.run_in('cmake', '-S', source, '-B', self.build / 'b')
        self.assertNotIn('-x musa', self.run_in('cmake', '--build', self.build / 'b', '--target', 'app'))

    def test_a_changed_header_is_seen(self):
        source = self.build / 'source'
        self.run_in('cp', '-r', PROJECTS / 'functions', source)
        self.run_in('cmake', '-S', source, '-B', self.build / 'b')
        self.run_in('cmake', '--build', self.build / 'b', '--target', 'app')
        (source / 'include/value.h').write_text('#define VALUE 41\n', 'utf-8')
        self.assertEqual(self.run_in('cmake', '--build', self.build / 'b', '--target', 'app').count('-x musa'), 1)
        self.assertEqual(self.run_in(self.build / 'b/app'), '1 wrong\n')

    def test_language(self):
        self.assertNotIn('Warning', self.configure('language'))
        self.run_in('cmake', '--build', self.build)
        self.assertEqual(self.run_in(self.build / 'app'), '0 wrong\n')

    def test_what_is_left_out_is_told(self):
        said = ' '.join(self.configure('left_out').split())
        self.assertEqual(said.count('leaves out'), 1, said)
        self.assertIn('lost: CMake leaves out ../functions/kernels.cu, which no language of this project compiles', said)


if __name__ == '__main__':
    SDK = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
