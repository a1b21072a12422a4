"""--semantic: names resolved and portability audited by clang. semantic_test.py MUSAPORT SDK

Each case is a small project and what must, or must not, be said about it. SDK: a folder whose include/ has
MUSA's headers. Exit 77 (skipped) if the module with clang was not built.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

MUSAPORT, SDK = None, None
HEAD = '#include <cuda_runtime.h>\n'


class SemanticTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix='musaport-'))
        self.addCleanup(shutil.rmtree, self.root, True)

    def audit(self, files, *flags):
        """Ports and audits; [(file, line, kind, subject, reason)], {new name: text}."""
        source = self.root / 'in'
        for name, text in files.items():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_text(text)
        shutil.rmtree(self.root / 'out', True)
        result = subprocess.run([MUSAPORT, source, '-o', self.root / 'out', '--semantic', '--musa-path', SDK, '--summary', 'json', *map(str, flags)],
                                capture_output=True, text=True, timeout=120, check=False, cwd=self.root)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.said = result.stderr
        report = json.loads(result.stdout)
        found = [(file['source'], f['line'], f.get('library', ''), f['subject'], f['reason']) for file in report['files']
                 for f in file['findings'] if f['kind'] == 'audit']
        texts = {file['target']: (self.root / 'out' / file['target']).read_text() for file in report['files'] if file['kind'] == 'source'}
        return found, texts

    def kinds(self, found):
        return sorted({(file, line, kind) for file, line, kind, _, _ in found})

    def test_warps(self):
        code = HEAD + '''#define WARP_SIZE 32
constexpr int kWarp = 32;
__global__ void k(int* p) {
  int lane = threadIdx.x & 31;
  int warp = threadIdx.x / kWarp;
  unsigned tid = threadIdx.x + blockIdx.x * blockDim.x;
  int part = tid >> 5;
  int n = p[0] % 32;
  for (int o = 16; o > 0; o >>= 1) n += __shfl_down_sync(0xffffffff, n, o, 32);
  __syncwarp(0x0000ffff);
  p[lane] = n + warp + part + n / 32;
}
int host(int x) { return (x & 31) + x / 32; }
'''
        found, _ = self.audit({'a.cu': code})
        lines = [line for _, line, kind, _, _ in found if kind == 'warp']
        self.assertEqual(sorted(set(lines)), [2, 3, 5, 6, 8, 10])
        self.assertEqual(lines.count(10), 3, 'the start, the mask and the width')
        self.assertEqual(self.audit({'a.cu': code}, '--target', 'mp_31')[0], [])

    def test_what_the_vendors_sdk_lacks(self):
        code = HEAD + '''#include <cuda_bf16.h>
__global__ void k(__nv_bfloat16* p) { p[0] = p[1] * p[2]; }
namespace own { cudaError_t cudaMallocAsync(void**, size_t, int); }
int main() {
  void* p;
  cudaMallocAsync(&p, 4, cudaStream_t());
  own::cudaMallocAsync(&p, 4, 0);
  cudaMalloc(&p, 4);
}
'''
        found, _ = self.audit({'a.cu': code})
        said = [(line, subject, reason) for _, line, kind, subject, reason in found if kind == 'vendor']
        self.assertEqual([(line, subject) for line, subject, _ in said], [(3, 'operator* of __mt_bfloat16'), (7, 'musaMallocAsync')])
        self.assertIn('unimplemented_functions.h', said[1][2])
        reports = [self.root / f'r.{suffix}' for suffix in ('json', 'sarif', 'html', 'csv')]
        self.audit({'a.cu': code}, *(word for report in reports for word in ('--report', report)))
        for report in reports:
            self.assertIn('is not in the vendor', report.read_text(), report.name)

    def test_warps_in_other_words(self):
        code = HEAD + '''__device__ float sum(float v) {
  unsigned mask = 0xffffffff;
  for (int m = 1; m < 32; m <<= 1) v += __shfl_xor_sync(mask, v, m);
  return v;
}
__global__ void k(int* p, int n) {
  int lane = threadIdx.x % warpSize;
  int warps = blockDim.x / 32;
  for (int i = lane; i < n; i += 32) p[i] = warps;
  if (threadIdx.x < 32) p[0] = 1;
  if (n < 32 || p[1] <= 31) p[2] = blockDim.x / 16;
  for (int i = threadIdx.x; i < 32; i += blockDim.x) p[i] = 0;
}
'''
        found, _ = self.audit({'a.cu': code})
        self.assertEqual([(line, s) for _, line, kind, s, _ in found if kind == 'warp'],
                         [(4, '32'), (4, '0xffffffff'), (9, '/ 32'), (10, '+= 32'), (11, '< 32')])

    def test_masks_of_lanes(self):
        code = HEAD + '''__device__ int rank(unsigned ballot) {
  const int lane = threadIdx.x % warpSize;
  unsigned below = (1u << lane) - 1;
  unsigned upTo = 0xffffffffu >> (31 - lane);
  bool set = (ballot >> lane) & 1;
  unsigned long long wide = 1ull << (threadIdx.x & 31);
  int id = threadIdx.x & 31;
  ballot &= ~(1u << id);
  below <<= static_cast<unsigned>(lane);
  return below + upTo + set + wide + ballot;
}
__device__ int none(int n, int lanes) {
  const int lane = threadIdx.x % warpSize, bit = n;
  int value = 1 << (lane & 7);
  value += n >> (lane / 8) | 1 << bit | 1 << lanes % 4;
  value += threadIdx.x >> 3 | lane << 2 | 1 << threadIdx.x % 8;
  return value;
}
int host(int lane) { return 1 << lane; }
'''
        found, _ = self.audit({'a.cu': code})
        self.assertEqual([(line, s) for _, line, kind, s, _ in found if kind == 'warp' and 'lane' in s],
                         [(4, '<< lane'), (5, '>> lane'), (6, '>> lane'), (7, '<< lane'), (9, '<< lane'), (10, '<<= lane')])
        self.assertIn('shifts 64 bits', next(r for _, line, _, s, r in found if line == 7 and 'lane' in s))
        self.assertEqual(self.audit({'a.cu': code}, '--target', 'mp_31')[0], [])

    def test_constant_memory(self):
        code = HEAD + '''__constant__ float table[12000];
extern __constant__ char elsewhere[70000];
__device__ const char large[70000] = {1};
__constant__ char more[17536];
__constant__ char last[1];
__constant__ char behind[5];
__global__ void k(float* p) { *p = table[0] + more[0] + last[0] + behind[0] + large[0]; }
'''
        found, _ = self.audit({'a.cu': code, 'b.cu': HEAD + '__constant__ char whole[65536];\n'})
        self.assertEqual([(f, l, s) for f, l, kind, s, _ in found if kind == 'constant-memory'], [('a.cu', 6, 'last')])
        self.assertIn('65537 bytes', next(r for _, _, kind, _, r in found if kind == 'constant-memory'))

    def test_compute_capability_without_its_record(self):
        files = {'dev.h': '#include <cuda_runtime_api.h>\ninline cudaDeviceProp* current() { static cudaDeviceProp p; return &p; }\n',
                 'a.cpp': '#include "dev.h"\nbool a() { return current()->major >= 9; }\nbool b() { int cc = current()->major * 10; return 80 <= cc; }\n'
                          'int f(int);\nbool c() { return f(current()->major) > 7 || current()->major > 0 || current()->warpSize > 32; }\n',
                 'b.cpp': '#include <cuda_runtime_api.h>\nbool d(cudaDeviceProp& p) { return p.major >= 7; }\n'}
        found, _ = self.audit(files)
        self.assertEqual([(f, l, s) for f, l, kind, s, _ in found if kind == 'capability'],
                         [('a.cpp', 2, '>= 9'), ('a.cpp', 3, '<= 80'), ('b.cpp', 2, 'p.major')])

    def test_compute_capability_that_flows(self):
        files = {'dev.h': '#include <cuda_runtime_api.h>\n#include <cuda.h>\n'
                          'struct Device {\n  explicit Device(int c) : cc(c) {}\n  bool newer() const { return cc >= 80; }\n  int cc, other = 0;\n};\n'
                          'inline int ask() { int v; cudaDeviceGetAttribute(&v, cudaDevAttrComputeCapabilityMajor, 0); return v; }\n'
                          'template <class T> bool atLeast(T value, int wanted) { return value > 7 && wanted > 7; }\n'
                          'template <class T> int sorted(const T& p) { switch (p) { case 80: return 1; } return 0; }\n',
                 'a.cpp': '#include "dev.h"\nstatic int chosen(int version);\n'
                          'int use(cudaDeviceProp* p, cudaFuncAttributes f) {\n'
                          '  Device d(p->major * 10);\n  int n = chosen(f.ptxVersion);\n  int unrelated = n > 70 ? 8 : 9;\n'
                          '  d.other = 5;\n  return atLeast(p->major, 9) + sorted(10 * p->major + p->minor) + (ask() == 8) + (unrelated > 70) + (d.other > 70);\n}\n'
                          'static int chosen(int version) { int v = version; return v >= 70 ? 256 : 128; }\n'}
        found, _ = self.audit(files)
        self.assertEqual(sorted((f, l) for f, l, kind, _, _ in found if kind == 'capability'),
                         [('a.cpp', 8), ('a.cpp', 10), ('dev.h', 5), ('dev.h', 9), ('dev.h', 10)])

    def test_launches_by_function(self):
        found, _ = self.audit({'a.cu': HEAD + '''__global__ void k(float* p) { *p = 1; }
void run(void** a) {
  cudaLaunchKernel((const void*)k, dim3(1), dim3(2048), a, 160 * 1024, 0);
  cudaLaunchKernel((const void*)k, dim3(1), dim3(128), a, 1024, 0);
}
'''})
        self.assertEqual(self.kinds(found), [('a.cu', 4, 'launch'), ('a.cu', 4, 'shared-memory')])

    def test_shared_memory_and_launches(self):
        code = HEAD + '''__global__ void __launch_bounds__(1024, 4) k(float* p) {
  __shared__ float tile[64][130];
  tile[0][0] = p[0]; p[1] = tile[0][0];
}
__global__ void __launch_bounds__(2048) big(float* p) { *p = 1; }
void run(float* p, int n) {
  k<<<1, 256, 100 * 1024>>>(p);
  k<<<1, dim3(32, 40)>>>(p);
  k<<<1, 64>>>(p);
  k<<<1, n, n>>>(p);
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 * 1024);
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, n);
  cudaFuncSetAttribute(k, cudaFuncAttributePreferredSharedMemoryCarveout, 99999);
}
'''
        found, _ = self.audit({'a.cu': code})
        self.assertEqual(self.kinds(found), [('a.cu', 2, 'launch'), ('a.cu', 2, 'shared-memory'), ('a.cu', 6, 'launch'), ('a.cu', 8, 'shared-memory'),
                                             ('a.cu', 9, 'launch'), ('a.cu', 10, 'launch'), ('a.cu', 12, 'shared-memory')])
        self.assertIn('33280 bytes', next(r for _, line, kind, _, r in found if line == 2 and kind == 'shared-memory'))
        found, _ = self.audit({'a.cu': code}, '--target', 'mp_31')
        self.assertEqual(self.kinds(found), [('a.cu', 2, 'launch'), ('a.cu', 6, 'launch'), ('a.cu', 9, 'launch')])

    def counts(self, understood, part, not_understood):
        self.assertIn(f'{understood} of {understood + part + not_understood} compilations without an error, {part} understood in part, '
                      f'{not_understood} not understood', self.said)

    def test_kernels_that_start_kernels_and_missing_names(self):
        launch = '__global__ void c() {}\n__global__ void p() { c<<<1, 1>>>(); }\n'
        found, _ = self.audit({'a.cu': HEAD + launch + 'int main() { return musaNoSuchThing(1); }\n', 'b.cu': HEAD + launch})
        self.assertEqual(self.kinds(found), [('a.cu', 3, 'nested-launch'), ('a.cu', 4, 'missing'), ('b.cu', 3, 'nested-launch')])
        self.assertIn('understood in part without musaNoSuchThing (this SDK has none): a.cu', self.said)
        self.counts(1, 1, 0)

    def test_kernel_templates_that_device_code_starts(self):
        code = HEAD + """template <int N> __global__ void c(int* p) { *p = N; }
template <class T> __global__ void d(T* p) { if (p) d<<<1, 1>>>(p); }
__global__ void p(int* q) { c<3><<<1, 1>>>(q);
  d<<<1, 1>>>(q); }
struct S { static __device__ void f(int* q) { p<<<1, 1>>>(q); } };
"""
        found, _ = self.audit({'a.cu': code, 'b.cu': HEAD + 'template <int N> __global__ void c(int* p);\n__global__ void k(int* p) { c<3>(p); c<4><<<1, 1>>>("no"); }\n'})
        self.assertEqual([(f, l, s) for f, l, k, s, _ in found if k == 'nested-launch'], [('a.cu', 3, 'd'), ('a.cu', 4, 'c'), ('a.cu', 5, 'd'), ('a.cu', 6, 'p')])
        self.assertIn('not understood by clang: b.cu: ', self.said)
        self.counts(1, 0, 1)

    def test_what_mcc_refuses_is_not_understood(self):
        self.audit({'host.cu': HEAD + 'void h();\n__global__ void k() { h(); }\n', 'pointer.cu': HEAD + '__global__ void c();\n__global__ void k() { auto f = &c; }\n',
                    'plain.cpp': 'int f() { return g(); }\n'})
        self.assertIn('not understood by clang: host.cu: no matching function for call', self.said)
        self.assertIn('not understood by clang: pointer.cu: reference to __global__ function', self.said)
        self.assertIn('not understood by clang: plain.cpp: use of undeclared identifier', self.said)
        self.counts(0, 0, 3)

    def test_headers_that_are_missing_do_not_end_the_file(self):
        code = '#include <cusolverMg.h>\n#include "no/such.h"\n#include <no/other.h>\n' + HEAD + '''
        __global__ void k(int* p) { p[threadIdx.x & 31] = 1; }
        cusolverMgHandle_t handle;
        Such such;
        void f(int* p) { k<<<1, 2048>>>(p); }
        '''
        found, _ = self.audit({'a.cu': code, 'b.cu': '#include <thrust/no_such.h>\n#include <cub/no_such.cuh>\n'})
        self.assertEqual(self.kinds(found), [('a.cu', 1, 'header'), ('a.cu', 6, 'warp'), ('a.cu', 7, 'missing'), ('a.cu', 9, 'launch'),
                                             ('b.cu', 1, 'header'), ('b.cu', 2, 'header')])
        self.assertIn('understood in part without musolverMg.h (this SDK has none): a.cu\n', self.said)
        self.assertIn('understood in part without no/other.h and 1 more (not found; -I names its folder): a.cu\n', self.said)
        self.assertIn('understood in part without thrust/no_such.h (this SDK has none): b.cu\n', self.said)
        self.counts(0, 2, 0)

    def test_headers_outside_of_the_input_are_found_and_ported_in_memory(self):
        tree = {'common/check.h': HEAD + '#include "deeper.cuh"\ninline void check(cudaError_t e) { if (e != cudaSuccess) die(); }\n',
                'common/deeper.cuh': 'inline void die() { cudaDeviceReset(); }\n',
                'samples/one/a.cu': '#include <check.h>\nint main() { check(cudaFree(0)); }\n', 'samples/one/b.cpp': '#include "check.h"\nvoid f() { check(cudaFree(0)); }\n'}
        for name, text in tree.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)

        def run(source, *flags):
            result = subprocess.run([MUSAPORT, source, '--dry-run', '--semantic', '--musa-path', SDK, '--summary', 'none', *flags],
                                    capture_output=True, text=True, timeout=120, check=False, cwd=self.root)
            self.assertEqual((result.returncode, result.stdout), (0, ''))
            self.said = result.stderr
        run('samples/one')
        self.assertIn(f'found outside of the input: {self.root}/common (check.h, deeper.cuh)', self.said)
        self.counts(2, 0, 0)
        run('samples/one/a.cu')
        self.counts(1, 0, 0)
        # Beyond the root of the version control is another project.
        (self.root / 'samples/.git').mkdir()
        run('samples/one')
        self.assertIn('understood in part without check.h (not found; -I names its folder): a.cu and 1 more', self.said)
        self.counts(0, 2, 0)
        run('samples/one', '-I', 'common')
        self.counts(2, 0, 0)
        self.assertEqual((self.root / 'common/check.h').read_text(), tree['common/check.h'])

    def test_what_others_include_need_not_stand_alone(self):
        self.audit({'a.cu': HEAD + 'constexpr int kSize = 4;\n#include "part.cu"\n', 'part.cu': '__global__ void k(int* p) { p[0] = kSize; }\n',
                    'alone.cu': '__global__ void k(int* p) { p[0] = kSize; }\n'})
        self.assertIn('not understood by clang: alone.cu', self.said)
        self.counts(1, 0, 1)

    def test_what_mcc_accepts_beyond_clang(self):
        self.audit({'a.cu': HEAD + '__global__ void k() { __shared__ alignas(16) float tile[4]; tile[0] = 1; }\n',
                    'b.cu': HEAD + 'texture<float, 2, cudaReadModeElementType> image;\n',
                    'c.c': '#include <stdlib.h>\nint main() { char* p = malloc(3); return p == 0; }\n'})
        self.counts(3, 0, 0)

    def test_the_sdk_comes_before_cudas_headers(self):
        # As where CUDA's are installed with the system's.
        other = self.root / 'cuda/include'
        other.mkdir(parents=True)
        for name in ('vector_types.h', 'cooperative_groups.h', 'builtin_types.h', 'cuda_runtime.h'):
            (other / name).write_text('#error CUDA\n')
        self.audit({'a.cu': '#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k() { cg::sync(cg::this_thread_block()); }\n',
                    'b.cpp': '#include <builtin_types.h>\n#include <vector_types.h>\n#include <cuda_runtime.h>\nfloat4 x;\n'}, '-I', other)
        self.counts(2, 0, 0)

    def test_sources_that_the_database_calls_cuda(self):
        database = self.root / 'compile_commands.json'
        entries = [{'directory': str(self.root / 'in'), 'file': f'{name}.cpp', 'command': f'nvcc -x {language} -c {name}.cpp'}
                   for name, language in (('a', 'cu'), ('b', 'c++'), ('c', 'cu'), ('d', 'cu'), ('e', 'cu'))]
        database.write_text(json.dumps(entries))
        kernel = '__global__ void k(int* p) { p[threadIdx.x & 31] = 1; }\nint main() { k<<<1, 128>>>(nullptr); }\n'
        found, _ = self.audit({f'{name}.cpp': kernel for name in 'acde'} | {'b.cpp': 'int global;\n'}, '-p', database)
        self.assertEqual([(f, l) for f, l, k, _, _ in found if k == 'warp'], [(f'{name}.cpp', 1) for name in 'acde'])
        self.counts(5, 0, 0)

    def test_guards_behind_macros(self):
        found, _ = self.audit({'a.h': '#define MY_ARCH __CUDA_ARCH__\n#define DEEP MY_ARCH\n', 'a.cu': HEAD + '#include "a.h"\n#if DEEP >= 800\n#elif defined(X)\n#endif\n'})
        self.assertEqual([(f, l, k) for f, l, k, _, _ in found], [('a.cu', 3, 'guard')])

    def test_names_across_macros_and_templates(self):
        code = HEAD + '''template <class T> struct Pool { void cudaFree(T* p) { last = p; } T* last; };
template <class T> struct Own : Pool<T> { void all(T* p) { this->cudaFree(p); } };
#define RELEASE(pool, p) (pool).cudaFree(p)
#define FREE(p) cudaFree(p)
template <class T> void f(T* p) { Own<T> own; RELEASE(own, p); FREE(p); cudaFree(p); }
void g(int* p) { f(p); }
namespace shapes { int cudaMemGetInfo(int a, int b) { return a + b; } }
using shapes::cudaMemGetInfo;
int h() { return cudaMemGetInfo(1, 2); }
'''
        _, texts = self.audit({'a.cu': code})
        self.assertIn('this->cudaFree(p)', texts['a.mu'])
        self.assertIn('(pool).cudaFree(p)', texts['a.mu'])
        self.assertIn('#define FREE(p) musaFree(p)', texts['a.mu'])
        self.assertIn('FREE(p); musaFree(p);', texts['a.mu'])
        self.assertIn('return cudaMemGetInfo(1, 2)', texts['a.mu'])

    def test_compile_commands_of_nvcc(self):
        files = {'src/a.cu': '#include "lib.h"\n' + HEAD + '#ifndef FROM_XCOMPILER\n#error no option\n#endif\nstatic_assert(__cplusplus >= 202002L);\n'
                             '#ifndef QUOTED\n#error no quoted option\n#endif\nint x = kLib;\n',
                 'other/lib.h': 'constexpr int kLib = 1;\n', 'src/unused.cu': '#error not in the database\n'}
        command = ('/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler -ccbin=g++ -I../other -isystem=/usr/local/cuda/include '
                   '"--generate-code=arch=compute_80,code=[compute_80,sm_80]" -std=c++20 -rdc=true --expt-relaxed-constexpr -lineinfo -Xcudafe '
                   '--diag_suppress=20012 -Xcompiler=-fPIC,-DFROM_XCOMPILER -D\'QUOTED="a b"\' -x cu -c a.cu -o a.o')
        database = self.root / 'compile_commands.json'
        database.write_text(json.dumps([{'directory': str(self.root / 'in/src'), 'file': 'a.cu', 'command': command}]))
        self.audit(files, '-p', database)
        self.assertIn('1 of 1 compilations without an error', self.said)
        self.audit(files, '-p', self.root)
        self.assertIn('1 of 1 compilations without an error', self.said)

    def test_without_a_database_include_folders_are_found(self):
        self.audit({'src/a.cu': '#include <lib/deep.h>\n' + HEAD + 'int x = kDeep;\n', 'include/lib/deep.h': 'constexpr int kDeep = 1;\n',
                    'src/b.cpp': '#include "lib/deep.h"\nint y = kDeep;\n'})
        self.assertIn('2 of 2 compilations without an error', self.said)

    def test_texture_references(self):
        found, _ = self.audit({'b.cu': 'texture<float, 2, cudaReadModeElementType> image;\nauto x = std::texture<int>();\n'})
        self.assertEqual([(f, l, s) for f, l, k, s, _ in found if k == 'texture-reference'], [('b.cu', 1, 'texture')])

    def test_errors_for_the_user(self):
        (self.root / 'x.cu').write_text('int x;\n')
        for flags, words in ((('--musa-path', 'nowhere'), 'no MUSA SDK'), (('--musa-path', SDK, '-p', 'none.json'), 'none.json'),
                             (('--musa-path', SDK, '-p', 'x.cu'), 'no compilation database')):
            result = subprocess.run([MUSAPORT, 'x.cu', '--dry-run', '--semantic', *map(str, flags)], capture_output=True, text=True, cwd=self.root, check=False)
            self.assertEqual(result.returncode, 2)
            self.assertIn(words, result.stderr)


if __name__ == '__main__':
    MUSAPORT, SDK = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
    if not (pathlib.Path(MUSAPORT).parent / 'musaport-semantic.so').exists():
        print('skipped: musaport-semantic.so was not built')
        sys.exit(77)
    unittest.main()
