"""Small whole projects: untouched by the CUDA face, and ported by musaport, each by its own build command.
projects_test.py SDK MUSAPORT [PROJECT...]"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECTS = pathlib.Path(__file__).resolve().parent / 'projects'
SDK = MUSAPORT = None
CMAKE = 'cmake -S . -B build && cmake --build build'

# What builds a project, and what it makes.
BUILDS = {
    'alias_header': ('make', 'alias'),
    'cmake_exported': ('cmake -S . -B build -DCMAKE_INSTALL_PREFIX=$PWD/installed && cmake --build build --target install && '
                       'cmake -S consumer -B consumer/build -DCMAKE_PREFIX_PATH=$PWD/installed && cmake --build consumer/build',
                       'consumer/build/consumer'),
    'cmake_fortran': (CMAKE, 'build/mixed'),
    'cmake_generated': (CMAKE, 'build/generated'),
    'cmake_modern': (CMAKE, 'build/modern'),
    'cmake_nccl': (CMAKE, 'build/collective'),
    'cmake_old': (CMAKE, 'build/old'),
    'cmake_optional': (CMAKE, 'build/optional'),
    'cmake_own_commands': (CMAKE, 'build/own'),
    'cmake_presets': ('cmake --preset gpu && cmake --build build', 'build/presets'),
    'cmake_solver': (CMAKE, 'build/solver'),
    'driver_c': ('make', 'driver'),
    'loader': (CMAKE, 'build/loader'),
    'make_crlf': ('make', 'crlf'),
    'make_generated': ('make', 'generated'),
    'make_plain': ('make', 'plain'),
    'make_separate': ('make', 'separate'),
    'own_header': ('make', 'own'),
    # Python's own flags ask for debug information, which takes long behind PyTorch's headers and which nothing here reads.
    'python_extension': ('CFLAGS=-g0 $PYTHON setup.py -q build_ext --inplace', 'check.py'),
    'script': ('./build.sh', 'script'),
}
NEEDS = {'cmake_fortran': 'gfortran'}
# The environment of scripts/torch_tests. Without PyTorch and torch_musa there, no more is looked at than the port.
BUILD = pathlib.Path(__file__).resolve().parents[2] / 'build'
PYTHON = max(BUILD.glob('torch-*/bin/python'), default=BUILD / 'torch/bin/python')
# What the port of such a project has to hold.
PORTS = {'python_extension': {
    'setup.py': ['from torch_musa.utils.musa_extension import MUSA_HOME, BuildExtension, MUSAExtension', 'description="Squares with CUDA"',
                 '"mcc": ["-O2", "-gline-tables-only", "--offload-arch=mp_22",', '"--offload-arch=mp_31"]', '"csrc/squares.mu"', 'if MUSA_HOME is None:'],
    'csrc/squares.mu': ['#include <torch_musa/csrc/aten/musa/MUSAContext.h>', '#include <torch_musa/csrc/core/MUSAGuard.h>',
                        'at::musa::OptionalMUSAGuard guard', 'at::musa::getCurrentMUSAStream()', 'x.is_privateuseone()'],
    'check.py': ['import torch_musa', 'default="musa", choices=["musa", "cpu"]', 'torch.musa.synchronize()']}}


class ProjectsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='projects-'))
        self.addCleanup(shutil.rmtree, self.folder, True)

    @staticmethod
    def environment(**more):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(('CUDA', 'MUSA', 'NVCC', 'NCCL', 'MCCL', 'LD_LIBRARY_PATH', 'CMAKE'))}
        return {**kept, 'MUSASHIM_DEVICES': '2', **more}

    def command(self, folder, command, environment):
        result = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 0, f'{command}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}')
        return result.stdout

    def build_and_run(self, name, folder, environment):
        build, program = BUILDS[name]
        self.command(folder, build, environment)
        run = f'$PYTHON {program}' if program.endswith('.py') else f'./{program}'
        self.assertEqual(self.command(folder, run, environment).strip(), '0 wrong')

    def untouched(self, name):
        folder = shutil.copytree(PROJECTS / name, self.folder / 'untouched')
        face = SDK / 'cuda'
        path = f'{face}/bin:{os.environ["PATH"]}'
        self.build_and_run(name, folder, self.environment(
            CUDA_HOME=str(face), CUDA_PATH=str(face), CUDAToolkit_ROOT=str(face), NCCL_ROOT=str(face),
            LD_LIBRARY_PATH=f'{face}/lib64', PATH=path))

    def ported(self, name):
        folder = self.folder / 'ported'
        result = subprocess.run([MUSAPORT, PROJECTS / name, '-o', folder, '--strict'], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        for file, texts in PORTS.get(name, {}).items():
            for text in texts:
                self.assertIn(text, (folder / file).read_text('utf-8'), file)
        if name in PORTS and (not PYTHON.exists() or subprocess.run([PYTHON, '-c', 'import torch, torch_musa'], env=self.environment(MUSA_HOME=str(SDK)),
                                                                    capture_output=True).returncode != 0):
            self.skipTest('there is no PyTorch with torch_musa: the port alone was looked at')
        path = f'{SDK}/bin:{os.environ["PATH"]}'
        self.build_and_run(name, folder, self.environment(
            PYTHON=str(PYTHON), MUSA_HOME=str(SDK), MUSA_PATH=str(SDK), MCCL_ROOT=str(SDK), LD_LIBRARY_PATH=f'{SDK}/lib', PATH=path))

    def test_every_project_is_listed(self):
        self.assertEqual(sorted(path.name for path in PROJECTS.iterdir() if path.is_dir()), sorted(BUILDS))


def add(name, kind):
    def test(self):
        if name in NEEDS and not shutil.which(NEEDS[name]):
            self.skipTest(f'there is no {NEEDS[name]}')
        getattr(self, kind)(name)
    setattr(ProjectsTest, f'test_{name}_{kind}', test)


if __name__ == '__main__':
    SDK, MUSAPORT = (pathlib.Path(path).resolve() for path in (sys.argv.pop(1), sys.argv.pop(1)))
    for project in BUILDS:
        if project not in PORTS:
            add(project, 'untouched')
        add(project, 'ported')
    unittest.main()
