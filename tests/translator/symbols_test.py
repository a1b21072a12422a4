"""The project's own names, collisions, skip markers, rules, --reverse: whole runs. symbols_test.py MUSAPORT"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

MUSAPORT = None


class RunTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix='musaport-'))
        self.addCleanup(shutil.rmtree, self.root, True)

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def run_tool(self, *arguments, status=0):
        result = subprocess.run([MUSAPORT, *map(str, arguments)], capture_output=True, text=True, timeout=60, cwd=self.root, check=False)
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def ported(self, files, *flags):
        """Ports a tree; {new name: text}, and what was said."""
        for name, text in files.items():
            self.put('in/' + name, text)
        shutil.rmtree(self.root / 'out', True)
        said = self.run_tool('in', '-o', 'out', *flags).stderr
        out = self.root / 'out'
        return {str(p.relative_to(out)): p.read_bytes().decode('latin-1') for p in out.rglob('*') if p.is_file() and p.name != '.musaport'}, said

    # --- names of the project -------------------------------------------------------------------

    def test_a_name_defined_in_one_file_stays_in_all(self):
        out, said = self.ported({'a.h': 'inline int cudaMemcpyPeer(int a) { return a; }\n',
                                 'b.cu': '#include "a.h"\nint x = cudaMemcpyPeer(3); cudaFree(p);\n'})
        self.assertEqual(out['a.h'], 'inline int cudaMemcpyPeer(int a) { return a; }\n')
        self.assertIn('int x = cudaMemcpyPeer(3); musaFree(p);', out['b.mu'])
        self.assertIn('a.h:1:12: note: cudaMemcpyPeer', said)

    def test_static_stays_in_its_file(self):
        out, _ = self.ported({'a.cu': 'static int cudaMemcpyPeer(int a) { return a; }\nint x = cudaMemcpyPeer(3);\n',
                              'c.cu': 'namespace { int cudaMemGetInfo(int a) { return a; } }\nint y = cudaMemGetInfo(1);\n',
                              'b.cu': 'cudaMemcpyPeer(a, b, c, d, e); cudaMemGetInfo(a, b);\n'})
        self.assertNotIn('musa', out['a.mu'] + out['c.mu'])
        self.assertEqual(out['b.mu'], 'musaMemcpyPeer(a, b, c, d, e); musaMemGetInfo(a, b);\n')

    def test_a_part_of_the_api_in_one_source_stays_there(self):
        out, said = self.ported({'compat.cc': 'enum cudaError_t { cudaSuccess = 0 };\nstruct cudaDeviceProp { int n; };\nextern "C" const char* text(cudaError_t);\n',
                                 'main.cu': '#include <cuda_runtime.h>\nint main() { cudaError_t e = cudaDeviceSynchronize(); cudaDeviceProp p; return e != cudaSuccess; }\n'})
        self.assertNotIn('musa', out['compat.cc'])
        self.assertEqual(out['main.mu'], '#include <musa_runtime.h>\nint main() { musaError_t e = musaDeviceSynchronize(); musaDeviceProp p; return e != musaSuccess; }\n')
        self.assertIn('compat.cc:1:6: note: cudaError_t needs a look: this file defines the name itself, so it stays here', said)

    def test_namespace(self):
        out, _ = self.ported({'a.h': 'namespace mine {\nint cudaFree(int);\nint cudaFree(int a) { return cudaFree(a - 1); }\n}\n',
                              'b.cu': 'cudaFree(p); mine::cudaFree(1);\nnamespace mine { int f() { return cudaFree(2); } }\n',
                              'c.cu': 'using namespace mine;\nint x = cudaFree(1);\n'})
        self.assertEqual(out['b.mu'], 'musaFree(p); mine::cudaFree(1);\nnamespace mine { int f() { return cudaFree(2); } }\n')
        self.assertIn('int x = cudaFree(1)', out['c.mu'])

    def test_members(self):
        out, _ = self.ported({'pool.h': 'struct Pool : Base {\n  void cudaFree(void* p);\n  void all() { cudaFree(a); ::cudaFree(b); }\n};\n',
                              'pool.cu': '#include "pool.h"\nvoid Pool::cudaFree(void* p) { ::cudaFree(p); }\nvoid Pool::f() { cudaFree(q); }\n'
                                         'void g(Pool& pool) { pool.cudaFree(p); cudaFree(p); }\n'})
        self.assertEqual(out['pool.h'], 'struct Pool : Base {\n  void cudaFree(void* p);\n  void all() { cudaFree(a); ::musaFree(b); }\n};\n')
        self.assertIn('void Pool::cudaFree(void* p) { ::musaFree(p); }\nvoid Pool::f() { cudaFree(q); }\n', out['pool.mu'])
        self.assertIn('{ pool.cudaFree(p); musaFree(p); }', out['pool.mu'])

    def test_headers_of_the_project_with_names_of_the_toolkit(self):
        out, _ = self.ported({'a.cu': '#include "compat/cuda.h"\nCUresult r;\n', 'b.cu': '#include <cuda.h>\n#include "compat/cuda_runtime.h"\n',
                              'compat/cuda.h': '#pragma once\n#include <cuda.h>\n', 'compat/cuda_fp16.h': '#include_next <cuda_fp16.h>\n',
                              'compat/cuda_runtime.h': '#include "cuda.h"\n#if __has_include(<cuda_bf16.h>)\n#include <cuda_runtime.h>\n#endif\n', 'compat/cuda_bf16.h': ''})
        self.assertEqual(out['a.mu'], '#include "compat/cuda.h"\nMUresult r;\n')
        self.assertEqual(out['b.mu'], '#include <musa.h>\n#include "compat/cuda_runtime.h"\n')
        self.assertEqual(out['compat/cuda.h'], '#pragma once\n#include <musa.h>\n')
        self.assertEqual(out['compat/cuda_fp16.h'], '#include_next <musa_fp16.h>\n')
        self.assertEqual(out['compat/cuda_runtime.h'], '#include "cuda.h"\n#if __has_include(<musa_bf16.h>)\n#include <musa_runtime.h>\n#endif\n')

    def test_headers_without_a_suffix(self):
        out, _ = self.ported({'a.cu': '#include "nv/target"\n', 'nv/target': '// a header\n#pragma once\n#ifdef __CUDA_ARCH__\n#endif\n',
                              'LICENSE': '# cudaFree\ncudaFree\n', 'run': '#!/bin/sh\ncudaFree\n', 'BUILD': '#include cudaFree\n'})
        self.assertEqual(out['nv/target'], '// a header\n#pragma once\n#ifdef __MUSA_ARCH__\n#endif\n')
        for name in ('LICENSE', 'run', 'BUILD'):
            self.assertIn('cudaFree', out[name])

    def test_text_of_assembly_by_macros_of_other_files(self):
        out, said = self.ported({'ops.h': '#define LOAD_OP "ld.global.nc" TYPE\n#define TYPE ".u32"\n#ifdef __LP64__\n#define POINTER "l"\n#else\n#define POINTER "r"\n#endif\n',
                                 'a.cu': '#include "ops.h"\nasm(LOAD_OP " %0, [%1];" : "=r"(v) : POINTER(p));\n'
                                         '#define BOTH UNKNOWN\nasm("ld.global" BOTH ".u32 %0, [%1];" : "=r"(v) : "l"(p));\n'})
        self.assertIn('v = __ldg((unsigned int*)(p));\n', out['a.mu'])
        self.assertIn('asm("ld.global" BOTH', out['a.mu'])
        self.assertIn('a macro makes part of its text', said)

    def test_what_is_pytorchs_for_cuda(self):
        out, said = self.ported({'a.cu': '#include <ATen/cuda/CUDAContext.h>\n#include <c10/cuda/CUDAGuard.h>\n#include <torch/extension.h>\n'
                                         'void f(torch::Tensor t) {\n  CHECK(t.is_cuda());\n  const c10::cuda::CUDAGuard guard(t.device());\n'
                                         '  k<<<1, 2, 0, at::cuda::getCurrentCUDAStream()>>>();\n  C10_CUDA_KERNEL_LAUNCH_CHECK();\n}\n'
                                         'TORCH_LIBRARY_IMPL(mine, CUDA, m) {}\nauto d = c10::DeviceType::CUDA, e = torch::kCUDA;\nat::CUDAGeneratorImpl* g;\n',
                                 'b.cc': 'bool is_cuda(int); int kCUDA; class CUDAStream;\n'}, '--list-unported')
        self.assertEqual(out['a.mu'], '#include <torch_musa/csrc/aten/musa/MUSAContext.h>\n'
                         '#include <torch_musa/csrc/core/MUSAGuard.h>\n#include <torch/extension.h>\n'
                         'void f(torch::Tensor t) {\n  CHECK(t.is_privateuseone());\n  const c10::musa::MUSAGuard guard(t.device());\n'
                         '  k<<<1, 2, 0, at::musa::getCurrentMUSAStream()>>>();\n  C10_MUSA_KERNEL_LAUNCH_CHECK();\n}\n'
                         'TORCH_LIBRARY_IMPL(mine, PrivateUse1, m) {}\nauto d = c10::DeviceType::PrivateUse1, e = torch::kPrivateUse1;\n'
                         'at::CUDAGeneratorImpl* g;\n')
        self.assertIn('a.cu:12:5: warning: CUDAGeneratorImpl', said)
        self.assertEqual(out['b.cc'], 'bool is_cuda(int); int kCUDA; class CUDAStream;\n')
        self.assertNotIn('b.cc', said)

    def test_nothing_is_left_is_only_said_where_nothing_is(self):
        for code, wanted in (('cudaFree(p);', 'nothing is left unported'),
                             ('cuCtxCreate(&c, 0, d); cuMemPrefetchAsync(p, n, d, s);', 'nothing is left unported'),
                             ('cuCtxCreate(&c, nullptr, 0, d);', 'no place is left as it was, but 1 need a look'),
                             ('cuMemPrefetchAsync(p, f(n, 1), {1, 2}, 0, s);', 'no place is left as it was, but 1 need a look'),
                             ('a.id = cudaLaunchAttributeClusterDimension;', 'no place is left as it was, but 1 need a look'),
                             ('#include <cooperative_groups.h>\nauto c = cooperative_groups::this_cluster();', '1 places are left unported'),
                             ('__global__ void __cluster_dims__(2) k() {}', '1 places are left unported'),
                             ('__global__ void __cluster_dims__(1, 2) k() {}', '1 places are left unported'),
                             ('__global__ void __cluster_dims__(1, 1, 1) k() {}', 'nothing is left unported'),
                             ('struct cluster_group { int this_cluster; };', 'nothing is left unported'),
                             ('#include "nccl_device.h"\n', 'nothing is left unported'),
                             ('#include <cuda_fp4.h>\n', '1 places are left unported')):
            self.put('one/a.cu', code + '\n')
            self.assertIn(wanted, self.run_tool('one', '--dry-run').stdout, code)

    def test_computed_includes(self):
        out, said = self.ported({'a.cu': '#define STR_(x) #x\n#define STR(x) STR_(x)\n#define CONFIG sub/config.cuh\n#include STR(CONFIG)\n#include STR(sub/config.cuh)\n'
                                         '#define QUOTED "sub/config.cuh"\n#include QUOTED\n#include STR(DIR/other.cuh)\n',
                                 'sub/config.cuh': '#pragma once\n'})
        self.assertEqual(out['a.mu'], '#define STR_(x) #x\n#define STR(x) STR_(x)\n#define CONFIG sub/config.muh\n#include STR(CONFIG)\n#include STR(sub/config.muh)\n'
                                      '#define QUOTED "sub/config.muh"\n#include QUOTED\n#include STR(DIR/other.cuh)\n')
        self.assertIn('a.cu:8:14: warning: DIR/other.cuh is left as it is', said)

    def test_arguments_that_macros_of_other_files_join(self):
        macros = '#define T(x) x##Malloc\n#define U(x) x##Free(#x)\n#define V(x) x##EGLStreamNothing\n'
        out, said = self.ported({'macros.h': macros, 'a.cu': '#include "macros.h"\nT(cuda)(&p, 4);\nU(cuda); V(cuda); W(cuda);\n'})
        self.assertEqual(out['a.mu'], '#include "macros.h"\nT(musa)(&p, 4);\nU(cuda); V(cuda); W(cuda);\n')
        self.assertEqual(out['macros.h'], macros)
        self.assertIn('a.cu:3:3: warning: cuda is left as it is: the macro U joins it to cudaFree', said)
        self.assertEqual(said.count('warning'), 1)
        out, said = self.ported({'macros.h': '#define COPY(x) x##cpy\n#define SHOW(x) x##cpy(#x)\n', 'a.cu': 'COPY(cudaMem)(a, b);\nSHOW(cudaMem);\n'})
        self.assertEqual(out['a.mu'], 'COPY(musaMem)(a, b);\nSHOW(cudaMem);\n')
        self.assertIn('a.cu:2:6: warning: cudaMem is left as it is: the macro SHOW joins it to cudaMemcpy', said)

    def test_files_that_are_ported_again_in_place(self):
        self.put('in/macros.h', '#define T(x) x##Malloc\n')
        self.put('in/a.cu', '#include "macros.h"\nvoid f() { T(cuda)(&p, 4); }\n')
        self.put('in/own.h', 'inline int cudaMemcpyPeer(int a) { return a; }\n')
        self.put('in/b.cc', 'int x = cudaMemcpyPeer(3);\n')
        self.put('in/c.cu', 'int x = cudaMemcpyPeer(3); T(cuda)(&p, 4);\n')
        self.run_tool('--in-place', 'in')
        files = {p.name: p.read_text() for p in (self.root / 'in').iterdir() if p.name != '.musaport'}
        self.assertEqual(files, {'macros.h': '#define T(x) x##Malloc\n',
                                 'a.mu': '#include "macros.h"\nvoid f() { T(musa)(&p, 4); }\n',
                                 'a.cu.orig': '#include "macros.h"\nvoid f() { T(cuda)(&p, 4); }\n',
                                 'own.h': 'inline int cudaMemcpyPeer(int a) { return a; }\n',
                                 'b.cc': 'int x = cudaMemcpyPeer(3);\n',
                                 'c.mu': 'int x = cudaMemcpyPeer(3); T(musa)(&p, 4);\n',
                                 'c.cu.orig': 'int x = cudaMemcpyPeer(3); T(cuda)(&p, 4);\n'})
        self.run_tool('--reverse', '--in-place', '--no-backup', 'in')
        self.assertEqual((self.root / 'in/a.cu').read_text(), files['a.cu.orig'])

    def test_what_takes_the_place_of_the_api_follows_it(self):
        out, said = self.ported({
            'hook.cpp': 'extern "C" cudaError_t cudaMalloc(void** p, size_t n) { return next(p, n); }\n',
            'dyn.c': 'tcuInit *cuInit;\nint cuDeviceGet = 0;\n',
            'stub.h': '#ifndef STUB_H\n#define STUB_H\n#ifdef NO_CUDA\ninline int cudaDeviceReset() { return 0; }\n#endif\n#endif\n',
            'table.cpp': 'PFN_cuInit cuInit; int cuCtxDetach = 1;\n',
            'alias.h': 'typedef struct CUstream_st* cudaStream_t;\n',
            'use.cu': 'cudaMalloc(&p, 4); cuInit(0); cudaDeviceReset(); cudaStream_t s;\n'})
        self.assertEqual(out['use.mu'], 'musaMalloc(&p, 4); muInit(0); musaDeviceReset(); musaStream_t s;\n')
        self.assertIn('musaError_t musaMalloc(', out['hook.cpp'])
        self.assertIn('musaDeviceReset()', out['stub.h'])
        self.assertIn('musaStream_t;', out['alias.h'])
        self.assertIn('takes the place of the API', said)

    def test_a_copy_of_an_api_header_is_no_user(self):
        out, _ = self.ported({'third/nccl.h': 'inline int ncclFoo1; struct ncclComm { int x; };\n', 'a.cu': '#include "third/nccl.h"\nncclComm* c;\n'})
        self.assertIn('mcclComm* c;', out['a.mu'])

    def test_collision(self):
        _, said = self.ported({'a.h': 'inline void musaFree(void*) {}\n#define musaMalloc mine\n', 'b.cu': 'cudaFree(p);\n'})
        self.assertIn('a.h:1:13: warning: musaFree collides', said)
        self.assertNotIn('musaMalloc collides', said, 'cudaMalloc does not occur')
        self.run_tool('in', '--dry-run', '--strict', status=1)

    def test_namespace_called_as_libcuxx(self):
        out, _ = self.ported({'a.h': 'namespace mine { namespace cuda { int f(); } }\n',
                              'b.cu': 'namespace mine { int g() { return cuda::f() + ::cuda::ipow(2, 3); } }\nint x = cuda::ceil_div(7, 2);\n',
                              'c.cu': 'using namespace mine;\nint x = cuda::f();\ncuda::std::array<int, 2> a;\n'})
        self.assertEqual(out['b.mu'], 'namespace mine { int g() { return cuda::f() + ::musa::ipow(2, 3); } }\nint x = musa::ceil_div(7, 2);\n')
        self.assertEqual(out['c.mu'], 'using namespace mine;\nint x = cuda::f();\nmusa::std::array<int, 2> a;\n')
        out, _ = self.ported({'a.h': 'namespace cuda { int f(); }\n', 'b.cu': 'int x = cuda::f();\n'})
        self.assertEqual(out['b.mu'], 'int x = cuda::f();\n')

    def test_vendored_cutlass_keeps_its_namespace(self):
        out, _ = self.ported({'cutlass_like.h': 'namespace cutlass { struct A {}; }\n', 'a.cu': 'cutlass::A a;\n'})
        self.assertEqual(out['a.mu'], 'cutlass::A a;\n')
        shutil.rmtree(self.root / 'in')
        out, _ = self.ported({'a.cu': '#include <cutlass/cutlass.h>\nusing namespace cute;\ncutlass::A a; CUTLASS_DEVICE void f();\nint cutlass = 1;\n'})
        self.assertEqual(out['a.mu'], '#include <mutlass/cutlass.h>\nusing namespace mute;\nmutlass::A a; MUTLASS_DEVICE void f();\nint cutlass = 1;\n')

    # --- markers ------------------------------------------------------------------------------

    def test_skip_markers(self):
        out, _ = self.ported({'a.h': 'cudaFree(a); // MUSAPORT_EXCL_LINE\n// MUSAPORT_EXCL_START\ncudaFree(b);\n// MUSAPORT_EXCL_STOP\ncudaFree(c);\n',
                              'b.h': '// MUSAPORT_EXCL_FILE: taken from upstream\ncudaFree(a);\n',
                              'c.h': '// LCOV_EXCL_LINE\ncudaFree(a); // LCOV_EXCL_LINE\n'})
        self.assertEqual(out['a.h'].replace('musaFree(c)', 'cudaFree(c)').count('musa'), 0)
        self.assertIn('musaFree(c)', out['a.h'])
        self.assertNotIn('musa', out['b.h'])
        self.assertEqual(out['c.h'].count('musaFree'), 1)

    # --- rules --------------------------------------------------------------------------------

    def test_rules(self):
        self.put('rules.yaml', 'names:\n  cudaMalloc: poolMalloc\n  cudaFree: {keep: ours}\n  cudaMemset: {unported: not allowed, remedy: use fill}\n'
                               '  MyKernel: MyMusaKernel\nheaders:\n  ATen/cuda/CUDAContext.h: ATen/musa/MUSAContext.h\nprefixes:\n  ACME_CUDA_: ACME_MUSA_\n')
        out, said = self.ported({'a.cu': '#include <ATen/cuda/CUDAContext.h>\ncudaMalloc(&p, 1); cudaFree(p); cudaMemset(p); MyKernel(); ACME_CUDA_X; cudaDeviceReset();\n'},
                                '--rules', 'rules.yaml')
        self.assertEqual(out['a.mu'], '#include <ATen/musa/MUSAContext.h>\npoolMalloc(&p, 1); cudaFree(p); cudaMemset(p); MyMusaKernel(); ACME_MUSA_X; musaDeviceReset();\n')
        self.assertIn('cudaMemset is left as it is: not allowed; use fill', said)

    def test_vendor_json(self):
        self.put('extra.json', '{"CUDAStream": "MUSAStream", "CUDAConfig.h": "MUSAConfig.h", "#ifdef CUDART_VERSION": "#if 0"}')
        self.put('later.json', '{"CUDAStream": "OtherStream"}')
        files = {'a.cu': '#include <ATen/cuda/CUDAConfig.h>\nCUDAStream s;\n'}
        out, _ = self.ported(files, '--rules', 'extra.json')
        self.assertEqual(out['a.mu'], '#include <ATen/cuda/MUSAConfig.h>\nMUSAStream s;\n')
        out, _ = self.ported(files, '--rules', 'extra.json', '--rules', 'later.json')
        self.assertIn('OtherStream s;', out['a.mu'])

    def test_wrong_rules(self):
        for name, text, word in (('a.yaml', 'names: [1', 'YAML'), ('b.json', '[1]', 'JSON object'), ('c.yaml', 'bogus: {a: b}', 'bogus'),
                                 ('d.yaml', 'names: {"a b": c}', 'no name'), ('e.json', '{"a": 1}', 'not a string'), ('f.yaml', 'names: {ab: {x: y}}', 'neither')):
            self.put(name, text)
            self.put('x.cu', 'int x;\n')
            result = self.run_tool('x.cu', '--dry-run', '--rules', name, status=2)
            self.assertIn(word, result.stderr)
            self.assertIn(name, result.stderr)
        self.assertIn('none.yaml', self.run_tool('x.cu', '--dry-run', '--rules', 'none.yaml', status=2).stderr)

    # --- what is only compiled ----------------------------------------------------------------

    def test_cuda_face_keeps_the_architecture_and_who_tells_of_it(self):
        source = arch = ('#if __CUDA_ARCH__ >= 800 && CUDART_VERSION >= 11000\n#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750\n#endif\n'
                  'int arch = __CUDA_ARCH__ / 10;\n__device__ void f() {\n#if __CUDA_ARCH__ >= 900\n  asm("wgmma.fence.sync.aligned;");\n#endif\n}\n'
                  'cudaGetDeviceProperties(&p, 0); cudaDeviceGetAttribute(&v, a, 0); cudaFree(q);\nenum cudaJitOption own;\n'
                  'void* e = dlsym(h, "cudaFuncGetAttributes"), *m = dlsym(h, "cudaMalloc");\n')
        out, said = self.ported({'a.cu': source}, '--cuda-face')
        self.assertEqual(out['a.cu'], source.replace('cudaFree', 'musaFree')
                         .replace('"cudaMalloc"', '"musaMalloc"'))
        self.assertNotIn('__CUDA_ARCH__ is left', said)
        # Files keep their names, and so does what includes them.
        source = '#include "b.cuh"\n#include STRING(sub/c.cuh)\n#define FILE "sub/c.cuh"\n'
        out, _ = self.ported({'a.cu': source, 'b.cuh': 'cudaError_t e;\n', 'sub/c.cuh': ''}, '--cuda-face')
        self.assertEqual((out['a.cu'], out['b.cuh']), (source, 'musaError_t e;\n'))
        self.assertIn('sub/c.cuh', out)
        # A port has MUSA's numbers, as ever.
        out, said = self.ported({'a.cu': arch})
        self.assertIn('#if __MUSA_ARCH__ >= 220 && MUSART_VERSION >= 30100', out['a.mu'])
        self.assertIn('musaGetDeviceProperties(&p, 0); musaDeviceGetAttribute(', out['a.mu'])
        self.assertIn('__CUDA_ARCH__ is left', said)

    # --- and back -----------------------------------------------------------------------------

    FILES = {
        'a.cu': '#include <cublas_v2.h>\r\n#include <cublas.h>\r\n#if __CUDA_ARCH__ >= 750 && CUDART_VERSION >= 9020\r\n#endif\r\n#ifdef __NVCC__\r\n#endif\r\n'
                'nv_half h; cudaGridDependencySynchronize();\r\n'
                'asm volatile("bfind.u32 %0, %1;"\r\n   : "=r"(r)\r\n : "r"(x));\r\n',
        'k.cuh': b'\xef\xbb\xbf// \xe9\ncuda\\\nFree(p); musaAlready(q); __half x;\n',
        'native.mu': 'musaFree(p); __MUSACC__\n',
        'same.h': 'int x = mublas; musaFree(1);\n',
        'data/blob.h': b'cudaFree\x00cudaFree',
    }

    def tree(self, folder):
        return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob('*'))
                if p.is_file() and p.parent.name != '.musaport-state'}

    def test_reverse_gives_back_the_bytes(self):
        for name, text in self.FILES.items():
            self.put('in/' + name, text)
        before = self.tree(self.root / 'in')
        self.run_tool('in', '-o', 'out')
        self.assertIn('data/blob.h', self.tree(self.root / 'out'))
        self.assertEqual((self.root / 'out/data/blob.h').read_bytes(), self.FILES['data/blob.h'])
        self.run_tool('--reverse', 'out', '-o', 'back')
        self.assertEqual(self.tree(self.root / 'back'), before)
        self.run_tool('out', '-o', 'again')
        self.assertEqual(self.tree(self.root / 'again'), self.tree(self.root / 'out'), 'a second run changes nothing, not even the record')
        self.run_tool('--reverse', 'again', '-o', 'back2')
        self.assertEqual(self.tree(self.root / 'back2'), before)

    def test_reverse_in_place(self):
        for name, text in self.FILES.items():
            self.put('in/' + name, text)
        before = self.tree(self.root / 'in')
        self.run_tool('--in-place', '--no-backup', 'in')
        ported = self.tree(self.root / 'in')
        self.run_tool('--in-place', '--no-backup', 'in')
        self.assertEqual(self.tree(self.root / 'in'), ported)
        self.run_tool('--reverse', '--in-place', '--no-backup', 'in')
        after = self.tree(self.root / 'in')
        after.pop('.musaport')
        self.assertEqual(after, before)

    def test_reverse_of_a_changed_file_goes_by_the_tables(self):
        self.put('in/a.cu', '#include <cublas_v2.h>\n#if __CUDA_ARCH__ >= 800\n#endif\n#if defined(__CUDACC__)\ncudaMalloc(&p, 1); cuInit(0); ncclSend(); nv_half x;\n#endif\n')
        self.run_tool('in', '-o', 'out')
        path = self.root / 'out/a.mu'
        path.write_text(path.read_text() + 'musaFree(p); mcclRecv(); // musaMemcpy\n')
        self.run_tool('--reverse', 'out', '-o', 'back')
        self.assertEqual((self.root / 'back/a.cu').read_text(),
                         '#include <cublas_v2.h>\n#if __CUDA_ARCH__ >= 800\n#endif\n#if defined(__CUDACC__)\ncudaMalloc(&p, 1); cuInit(0); ncclSend(); nv_half x;\n#endif\n'
                         'cudaFree(p); ncclRecv(); // cudaMemcpy\n')

    def test_damaged_or_hostile_records(self):
        self.put('in/a.cu', 'cudaFree(p);\n')
        self.run_tool('in', '-o', 'out')
        record = (self.root / 'out/.musaport').read_bytes()
        (self.root / 'out/.musaport').write_bytes(record[:-4])
        self.assertIn('damaged', self.run_tool('--reverse', 'out', '-o', 'back', status=2).stderr)
        evil = record.replace(b'4 4\na.cu', b'13 4\n../../evil.cu'.replace(b'13', b'13'))
        (self.root / 'out/.musaport').write_bytes(evil)
        self.run_tool('--reverse', 'out', '-o', 'back')
        self.assertEqual(sorted(p.name for p in self.root.iterdir()), ['back', 'in', 'out'])
        self.assertEqual((self.root / 'back/a.cu').read_text(), 'cudaFree(p);\n')

    def test_no_record(self):
        self.put('in/a.cu', 'cudaFree(p);\n')
        self.run_tool('in', '-o', 'out', '--no-record')
        self.assertEqual(sorted(p.name for p in (self.root / 'out').iterdir()), ['a.mu'])

    def test_time_stamps(self):
        self.put('in/a.cu', 'cudaFree(p);\n')
        self.put('in/b.txt', 'text')
        for name in ('a.cu', 'b.txt'):
            os.utime(self.root / 'in' / name, (1_000_000_000, 1_000_000_000.5))
        self.run_tool('in', '-o', 'out')
        for name in ('a.mu', 'b.txt'):
            self.assertEqual((self.root / 'out' / name).stat().st_mtime, 1_000_000_000.5, name)

    # --- targets ------------------------------------------------------------------------------

    def test_target_and_sdk(self):
        self.put('a.cu', 'ncclCommSplit(c, 0, 0, &d, 0); __nv_fp8_e4m3 x; cudaBindTexture(0, t, p); cuTexRefSetArray(r, a, 0); ncclAllReduce(a);\n')
        said = self.run_tool('a.cu', '--dry-run', '--list-unported', '--sdk', '4.3').stderr
        self.assertIn('ncclCommSplit is not portable: MCCL before SDK 5.2', said)
        self.assertNotIn('ncclAllReduce', said)
        said = self.run_tool('a.cu', '--dry-run', '--list-unported', '--target', 'mp_22').stderr
        self.assertIn('__nv_fp8_e4m3 is not portable', said)
        self.assertIn('cuTexRefSetArray is not portable', said)
        self.assertNotIn('cudaBindTexture', said)
        self.assertNotIn('ncclCommSplit', said)
        said = self.run_tool('a.cu', '--dry-run', '--list-unported', '--target', 'mp_21', '--target', 'mp_31').stderr
        self.assertIn('no MCCL library for mp_21', said)
        self.assertNotIn('not portable', self.run_tool('a.cu', '--dry-run', '--list-unported').stderr)
        for wrong in (('--sdk', 'x'), ('--sdk', '4'), ('--target', 'mp_99')):
            self.run_tool('a.cu', '--dry-run', *wrong, status=2)


if __name__ == '__main__':
    MUSAPORT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
