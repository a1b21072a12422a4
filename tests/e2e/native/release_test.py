"""One release of the vendor's SDK, by whatever tells it; programs of the release before; names that projects use.
release_test.py SDK"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SDK = RELEASE = None
BEFORE = '4'  # MUSA_RELEASE_BEFORE of cmake/Release.cmake
HEADERS = ('musart_version.h', 'internal/mublas_types.h', 'murand_philox4x32_10.h', 'murand_normal.h', 'murand_uniform.h', 'murand_poisson.h',
           'murand_discrete.h', 'murand_mrg32k3a.h', 'mupti_target.h', 'mupti_profiler_target.h')
WORDS = ('version', 'git branch', 'git tag', 'commit id', 'commit date')
PROGRAM = r'''
#include <dlfcn.h>
#include <musa_runtime.h>

#include <cstdio>
__global__ void add(int* p) { atomicAdd(p, 1 + threadIdx.x); }
int main() {
  int runtime = 0, driver = 0, *p = nullptr;
  musaRuntimeGetVersion(&runtime);
  musaDriverGetVersion(&driver);
  musaStream_t stream;
  if (musaStreamCreate(&stream) || musaMallocManaged(reinterpret_cast<void**>(&p), sizeof *p)) return 1;
  add<<<2, 32, 0, stream>>>(p);
  if (musaStreamSynchronize(stream)) return 2;
  // A library of either release that is loaded later finds the runtime that is there.
  const void* own = dlsym(RTLD_DEFAULT, "musaMalloc");
  for (const char* name : {"libmusart.so.%s", "libmusart.so.%s", "libmusart.so"}) {
    void* const library = dlopen(name, RTLD_NOW);
    if (!library || dlsym(library, "musaMalloc") != own) return 3;
  }
  std::printf("%%d %%d %%d %%d\n", MUSA_VERSION_OF_HEADERS, runtime, driver, *p);
}
'''


def number(release):
    major, minor, patch = map(int, release.split('.'))
    return 10000 * major + 100 * minor + patch


def run(*command, **more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(('MUSA', 'LD_'))}
    return subprocess.run([*map(str, command)], env={**kept, 'MUSASHIM_SESSION': 'none', **more}, capture_output=True, text=True, timeout=120,
                          check=False)


def blocks(text):
    """{part: its object} of what a version tool prints."""
    return {name: json.loads(block) for name, block in re.findall(r'(?m)^(\w+):\n(\{\n.*?\n\})', text + '\n', re.S)}


def soname(path):
    return re.search(r'\(SONAME\).*\[(.*)\]', run('readelf', '-d', path).stdout).group(1)


class ReleaseTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='release-')
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compile(self, text, *options, compiler='mcc', suffix='.mu'):
        source, program = self.folder / f'program{suffix}', self.folder / 'program'
        source.write_text(text, 'utf-8')
        result = run(SDK / 'bin/mcc' if compiler == 'mcc' else compiler, source, '-o', program, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return program

    def program(self):
        text = (PROGRAM % (RELEASE.split('.')[0], BEFORE)).replace('MUSA_VERSION_OF_HEADERS', 'MUSART_VERSION')
        return self.compile(text, '-lmusart', '-ldl')

    def test_headers_and_libraries(self):
        self.assertEqual(run(self.program()).stdout, f'{number(RELEASE)} {number(RELEASE)} {number(RELEASE)} 1056\n')
        text = (SDK / 'include/musart_version.h').read_text('utf-8')
        told = [re.search(rf'#define __MUSA_API_VER_{part}__ (\d+)\n', text).group(1) for part in ('MAJOR', 'MINOR', 'PATCH')]
        self.assertEqual('.'.join(told), RELEASE)
        self.compile('#include <musa.h>\n#include <musa_runtime.h>\n#include <musart_version.h>\n'
                     'static_assert(MUSA_VERSION == MUSART_VERSION);\nint main() {}\n')

    def test_files(self):
        major = RELEASE.split('.')[0]
        for name in ('libmusart.so', f'libmusart.so.{major}', f'libmusart.so.{BEFORE}'):
            path = SDK / 'lib' / name
            self.assertEqual((path.resolve().name, soname(path)), (f'libmusart.so.{RELEASE}', f'libmusart.so.{major}'), name)
        self.assertEqual(soname(SDK / 'lib/libmusa.so'), 'libmusa.so.1')
        self.assertEqual((SDK / 'cuda/lib64' / f'libmusart.so.{BEFORE}').resolve(), (SDK / 'lib/libmusart.so').resolve())

    def test_programs_of_the_release_before_run(self):
        program = self.program()
        data = program.read_bytes()
        now, before = f'libmusart.so.{RELEASE.split(".")[0]}\0'.encode(), f'libmusart.so.{BEFORE}\0'.encode()
        self.assertEqual(len(now), len(before))
        # In the table of names that the loader reads; the program's own texts come later.
        self.assertIn(now, data)
        program.write_bytes(data.replace(now, before, 1))
        self.assertIn(f'[libmusart.so.{BEFORE}]', run('readelf', '-d', program).stdout)
        result = run(program)
        self.assertEqual((result.returncode, result.stdout), (0, f'{number(RELEASE)} {number(RELEASE)} {number(RELEASE)} 1056\n'), result.stderr)

    def test_tools(self):
        version = run(SDK / 'bin/mcc', '--version').stdout.splitlines()
        self.assertIn('clang version', version[0])
        self.assertEqual([line for line in version if 'mcc version' in line], [f'mcc version {RELEASE}'])
        short = RELEASE.rsplit('.', 1)[0]
        info = run(SDK / 'bin/musaInfo').stdout
        self.assertEqual(set(re.findall(r'(?m)^(?:Driver|Runtime) Version: +(\S+)$', info)), {short})
        self.assertIn(f'Driver Version:{RELEASE}', run(SDK / 'bin/mthreads-gmi').stdout)

    def test_version_tools(self):
        told = blocks(run(SDK / 'bin/musa_version_query').stdout)
        self.assertEqual(list(told)[:3], ['musa_toolkits', 'mcc', 'musa_runtime'])
        self.assertEqual({told[part]['version'] for part in ('musa_toolkits', 'mcc', 'musa_runtime')}, {RELEASE})
        for part in ('mccl', 'mublas', 'mufft', 'murand', 'musolver', 'musparse', 'musify'):
            self.assertIn(part, told)
        for part, block in told.items():
            self.assertEqual(tuple(block), WORDS, part)
            self.assertRegex(block['version'], r'^\d+\.\d+\.\d+$')
            result = run(SDK / f'bin/{part}_version')
            self.assertEqual((result.returncode, blocks(result.stdout)), (0, {part: block}), part)
        self.assertEqual(json.loads((SDK / 'version.json').read_text('utf-8')), told)
        # The first line behind the part's name is the version: scripts read it so.
        self.assertRegex((SDK / 'version.json').read_text('utf-8'), rf'"musa_toolkits": \{{\n +"version": "{RELEASE}",\n')

    def test_a_part_that_is_not_there_is_not_told(self):
        for name in ('lib', 'include'):
            (self.folder / name).symlink_to(SDK / name)
        (self.folder / 'bin').mkdir()
        tool = self.folder / 'bin/musa_version_query'
        tool.write_bytes((SDK / 'bin/musa_version_query').read_bytes())
        tool.chmod(0o755)
        (self.folder / 'bin/mcc_version').symlink_to('musa_version_query')
        told = blocks(run(tool, LD_LIBRARY_PATH=str(SDK / 'lib')).stdout)
        self.assertIn('musa_runtime', told)
        self.assertNotIn('mcc', told)
        result = run(self.folder / 'bin/mcc_version', LD_LIBRARY_PATH=str(SDK / 'lib'))
        self.assertEqual((result.returncode, result.stdout), (1, ''))
        self.assertIn('mcc is not installed', result.stderr)

    def test_headers_that_projects_include(self):
        for header in HEADERS:
            self.compile(f'#include <musa_runtime.h>\n#include <{header}>\nint main() {{ return 0; }}\n', '-Wall', '-Werror')
        self.compile('#include <internal/mublas_types.h>\nint main() { mublasHandle_t h = nullptr; return h ? MUBLAS_STATUS_SUCCESS : 0; }\n',
                     f'-I{SDK}/include', compiler='g++', suffix='.cpp')
        self.compile('#include <murand_philox4x32_10.h>\n__global__ void k(float* p) { murandStatePhilox4_32_10_t s;\n'
                     '  murand_init(1, 2, 3, &s); *p = murand_uniform(&s); }\nint main() {}\n')

    def test_the_plugin_of_mtshmem_is_linked_by_its_file(self):
        program = self.compile('#include <mtshmem.h>\nint main() { int major, minor; mtshmem_info_get_version(&major, &minor); return !major; }\n',
                               f'-I{SDK}/include', f'-L{SDK}/lib', '-l:mtshmem_bootstrap_uid.so', f'-Wl,-rpath,{SDK}/lib', compiler='g++',
                               suffix='.cpp')
        self.assertEqual(run(program).returncode, 0)
        # As MT-DeepEP does: the library linked in, and the plugin.
        program = self.compile('#include <mtshmem.h>\n#include <mtshmemx.h>\nint main() { return mtshmemx_init_status() != MTSHMEM_STATUS_NOT_INITIALIZED; }\n',
                               '-l:libmtshmem.a', '-l:mtshmem_bootstrap_uid.so', '-lmusart')
        self.assertEqual(run(program).returncode, 0)

    def test_musify_in_both_places(self):
        for tool in ('bin/musify-text', 'tools/musify-text'):
            source = self.folder / 'a.cpp'
            source.write_text('int main() { cudaFree(0); }\n', 'utf-8')
            self.assertEqual(run(SDK / tool, '--inplace', '--', source).returncode, 0)
            self.assertEqual(source.read_text('utf-8'), 'int main() { musaFree(0); }\n')


if __name__ == '__main__':
    SDK = pathlib.Path(sys.argv.pop(1)).resolve()
    line = re.search(r'(?m)^#define MUSA_VERSION (\d+)', (SDK / 'include/musa.h').read_text('utf-8')).group(1)
    RELEASE = f'{int(line) // 10000}.{int(line) // 100 % 100}.{int(line) % 100}'
    unittest.main()
