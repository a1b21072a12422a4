"""Builds the benchmark programs with ninja, which rebuilds what changed: sources, flags or the compiler mcc."""
import fcntl
import os
import pathlib
import shutil
import subprocess

from . import table

# Errno and traps would keep sqrt and conditional arithmetic out of vectors; a programmer turns them off.
HOST_FLAGS = '-std=c++20 -O3 -march=native -fopenmp -fno-math-errno -fno-trapping-math'
CLANG = 'clang++-19'


class BuildError(Exception):
    pass


def opencl_reason():
    """Why the PoCL column cannot be had, or None."""
    if not pathlib.Path('/usr/include/CL/cl.h').exists() or not shutil.which('g++'):
        return 'no OpenCL headers'
    vendors = pathlib.Path('/etc/OpenCL/vendors')
    if not any(vendors.glob('pocl*')):
        return 'PoCL is not installed'
    return None


def find_tools():
    """The host compilers and OpenCL as far as they are installed, and a message for each that is not."""
    tools, missing = set(), []
    if shutil.which('g++'):
        tools.add('gcc')
    else:
        missing.append('no g++')
    probe = subprocess.run([CLANG, '-fopenmp', '-x', 'c++', '-', '-o', '/dev/null'], input=b'int main() {}',
                           capture_output=True) if shutil.which(CLANG) else None
    if probe and probe.returncode == 0:
        tools.add('clang')
    else:
        missing.append(f'no {CLANG} with OpenMP (packages clang-19 libomp-19-dev): its columns are left out')
    reason = opencl_reason()
    if reason:
        missing.append(f'{reason} (packages pocl-opencl-icd ocl-icd-opencl-dev opencl-headers): no PoCL column')
    else:
        tools.add('opencl')
    return tools, missing


class Builder:
    def __init__(self, folder, sdk):
        self.folder = pathlib.Path(folder).resolve()
        self.sdk = pathlib.Path(sdk).resolve()
        self.targets = {}

    def program(self, kernel, variant):
        """Where the program of a kernel's variant will be."""
        path = self.folder / f'{kernel.name}.{variant.column}.{variant.toolchain}'
        flags = ['-D' + define for define in kernel.defines]
        if kernel.fast_math and variant.column == 'best':
            flags += ['-ffast-math'] + (['-fveclib=libmvec'] if variant.toolchain == 'clang' else [])
        self.targets[path] = (variant.toolchain, variant.source, flags)
        return path

    def standalone(self, name, source, flags=()):
        """A program of mcc that is no kernel's variant."""
        path = self.folder / name
        self.targets[path] = ('mcc', source, flags)
        return path

    def host(self, name, source):
        """A program of the host's that is no kernel's variant."""
        path = self.folder / name
        self.targets[path] = ('clang' if shutil.which(CLANG) else 'gcc', source, ())
        return path

    def _rules(self):
        include = f'-I {table.ROOT}'
        depends = '-MD -MF $out.d $flags $in -o $out'
        return {
            'mcc': f'MUSA_PATH={self.sdk} {self.sdk}/bin/mcc -std=c++20 -O3 {include} {depends} -lmusart',
            'gcc': f'g++ {HOST_FLAGS} {include} {depends}',
            'clang': f'{CLANG} {HOST_FLAGS} {include} {depends}',
            'opencl': f'g++ -std=c++20 -O2 {include} {depends} -lOpenCL',
        }

    def build(self, jobs):
        self.folder.mkdir(parents=True, exist_ok=True)
        compiler = [self.sdk / 'bin/mcc'] + sorted((self.sdk / 'lib/musashim').glob('*.so'))
        lines = []
        for name, command in self._rules().items():
            lines += [f'rule {name}', f'  command = {command}', '  depfile = $out.d', '  deps = gcc',
                      '  description = $out']
        for path, (rule, source, flags) in self.targets.items():
            implicit = f" | {' '.join(map(str, compiler))}" if rule == 'mcc' else ''
            lines += [f'build {path}: {rule} {source}{implicit}',
                      f"  flags = {' '.join(flags)}"]
        with open(self.folder / 'lock', 'w') as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)   # two runs may share the folder
            self._ninja(lines, jobs)

    def _ninja(self, lines, jobs):
        (self.folder / 'build.ninja').write_text('\n'.join(lines) + '\n')
        result = subprocess.run(['nice', '-n', '10', 'ninja', '-C', self.folder, '-j', str(jobs), '-k', '0'],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                env=dict(os.environ, CCACHE_DISABLE='1'))
        if result.returncode != 0:
            raise BuildError(result.stdout)
