"""NVSHMEM projects: ported by musaport, and untouched by the CUDA face; and other ways to begin. projects_test.py SDK OUTPUT"""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import unittest

import run_test
from run_test import HERE, SHIFT, SHIFTED, run

MPI = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'MTSHMEM_SYMMETRIC_SIZE': '16M'}


class ProjectsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sdk, cls.out = run_test.SDK, run_test.OUT
        cls.out.mkdir(parents=True, exist_ok=True)

    def project(self, name):
        folder = self.out / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(HERE / 'project', folder)
        (folder / 'shift.cu').write_text(SHIFT)
        return folder

    def ported(self, name):
        source, folder = self.project(name + '-cuda'), self.out / name
        shutil.rmtree(folder, ignore_errors=True)
        said = run(self.sdk / 'bin/musaport', source, '-o', folder).stdout
        self.assertIn('nothing is left unported', said)
        return folder

    def check(self, folder, command, **environment):
        result = subprocess.run(command, cwd=folder, shell=True, capture_output=True, text=True, timeout=240,
                                env={**os.environ, 'MUSASHIM_DEVICES': '4', 'MTSHMEM_SYMMETRIC_SIZE': '32M', **environment})
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(sorted(line for line in result.stdout.splitlines() if 'received' in line), SHIFTED, result.stdout)

    def test_ported(self):
        sdk = str(self.sdk)
        places = {'MUSA_PATH': sdk, 'MUSA_HOME': sdk, 'MTSHMEM_HOME': sdk, 'PATH': f'{sdk}/bin:{os.environ["PATH"]}',
                  'MUSASHIM_ARCH': 'mp_22'}  # which is what musaport makes of sm_80
        self.check(self.ported('make'), 'make -s run', **places)
        self.check(self.ported('script'), './run.sh', **places)
        folder = self.ported('cmake')
        build = 'cmake -S . -B build > cmake.log 2>&1 || { cat cmake.log; exit 1; }; cmake --build build > build.log 2>&1 || { cat build.log; exit 1; };'
        self.check(folder, build + 'mtshmrun -np 4 build/shift', **places)
        self.check(folder, 'mtshmrun -np 4 build/old', **places)

    def test_untouched(self):
        face = self.sdk / 'cuda'
        # CMake gives programs no rpath to the toolkit's own folder.
        places = {'CUDA_HOME': str(face), 'NVSHMEM_HOME': str(face), 'LD_LIBRARY_PATH': f'{face}/lib64'}
        self.check(self.project('make-untouched'), 'make -s run', **places)
        self.check(self.project('script-untouched'), './run.sh', **places)
        build = (f'cmake -S . -B build -DCMAKE_CUDA_COMPILER={face}/bin/nvcc > cmake.log 2>&1 || {{ cat cmake.log; exit 1; }};'
                 'cmake --build build > build.log 2>&1 || { cat build.log; exit 1; };')
        folder = self.project('cmake-untouched')
        self.check(folder, build + f'{face}/bin/nvshmrun -np 4 build/shift', **places)
        self.check(folder, f'{face}/bin/nvshmrun -np 4 build/old', **places)

    def test_an_mpi_communicator(self):
        if not shutil.which('mpicc') or not shutil.which('mpirun'):
            self.skipTest('no MPI here')
        words = shlex.split(subprocess.run(['mpicc', '--showme:compile'], capture_output=True, text=True, check=True).stdout)
        libraries = shlex.split(subprocess.run(['mpicc', '--showme:link'], capture_output=True, text=True, check=True).stdout)
        program = self.out / 'communicator'
        run(self.sdk / 'bin/mcc', '-std=c++17', '-O2', f'-I{HERE}/programs', *words, HERE / 'programs/communicator.mu', '-o', program, '-lmtshmem',
            *[word for word in libraries if not word.startswith('-Wl')])
        for pes in (3, 5):
            said = run('mpirun', '--oversubscribe', '-np', pes, program, **MPI).stdout
            self.assertEqual(said.count('passed'), pes - 1, said)

    def test_a_module_loaded_at_run_time(self):
        run(self.sdk / 'bin/mcc', '-std=c++17', '-O2', '--musa-module=.module', '-c', HERE / 'programs/module.mu', '-o', self.out / 'module.module')
        run(self.sdk / 'bin/mcc', '-std=c++17', '-O2', '-Wall', '-Werror', f'-I{HERE}/programs', HERE / 'programs/load.mu', '-o', self.out / 'load',
            '-lmtshmem', '-lmusa')
        result = run(self.sdk / 'bin/mtshmrun', '-np', 3, self.out / 'load', self.out / 'module.module', MTSHMEM_SYMMETRIC_SIZE='16M')
        self.assertEqual(result.stdout.count('passed'), 3, result.stdout + result.stderr)


if __name__ == '__main__':
    run_test.SDK, run_test.OUT = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
