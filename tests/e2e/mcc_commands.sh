#!/usr/bin/env bash
# The ways people call mcc, on small sources: mcc_commands.sh SDK
set -uo pipefail
sdk=$1
mcc=$sdk/bin/mcc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# What mcc keeps of a build, and of crashes.
mkdir tmp
export TMPDIR=$work/tmp
failures=0

# expect NAME STATUS PATTERN COMMAND...: exit status (0 or "fail") and output.
expect() {
  local name=$1 wanted=$2 pattern=$3 output status=0
  shift 3
  output=$("$@" 2>&1) || status=$?
  if { [ "$wanted" = 0 ] && [ $status -ne 0 ]; } || { [ "$wanted" = fail ] && [ $status -eq 0 ]; } ||
    ! grep -qE -- "$pattern" <<<"$output"; then
    failures=$((failures + 1))
    printf 'FAILED: %s (status %d)\n%s\n' "$name" "$status" "$output"
  else
    printf 'ok: %s\n' "$name"
  fi
}

cat >kernel.muh <<'EOT'
__device__ inline int twice(int x) { return 2 * x; }
EOT
cat >main.mu <<'EOT'
#include <cstdio>
#include "kernel.muh"
int hostPart(int);
__global__ void fill(int* out) { out[threadIdx.x] = twice(threadIdx.x); }
int main() {
  int* data;
  musaMalloc(&data, 4 * sizeof(int));
  fill<<<1, 4>>>(data);
  const musaError_t error = musaGetLastError();
  int host[4] = {};
  musaMemcpy(host, data, sizeof host, musaMemcpyDeviceToHost);
  printf("%s %d %d\n", musaGetErrorName(error), host[3], hostPart(1));
  return 0;
}
EOT
cat >host.cpp <<'EOT'
#include <musa_runtime.h>
int hostPart(int x) { int n = 0; return musaGetDeviceCount(&n) == musaSuccess ? x + n : -1; }
EOT
cat >saxpy.mu <<'EOT'
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
EOT

export MUSASHIM_DEVICES=2
expect "one step" 0 '^$' "$mcc" main.mu host.cpp -o one -lmusart
expect "program runs, without LD_LIBRARY_PATH" 0 'musaSuccess 6 3' env -u LD_LIBRARY_PATH ./one
expect "compile" 0 '^$' "$mcc" -c main.mu -MD -O2 -g
expect "dependencies are written beside the object" 0 'kernel.muh' cat main.d
expect "compile plain C++" 0 '^$' "$mcc" -c host.cpp -o host.o
expect "link plain objects" 0 '^$' "$mcc" main.o host.o -o two
expect "program of objects runs" 0 'musaSuccess 6 3' ./two
cat >second.mu <<'EOT'
__global__ void fillToo(int* out) { out[threadIdx.x] = 1; }
void launchToo(int* out) { fillToo<<<1, 1>>>(out); }
EOT
expect "several MUSA files in one program" 0 '^$' "$mcc" main.mu second.mu host.cpp -o several
expect "... and it runs" 0 'musaSuccess 6 3' ./several
cat >plain.c <<'EOT'
#include <murand.h>
#include <musa_runtime.h>
murandStatus_t good(void) { return MURAND_STATUS_SUCCESS; }
int cPart(int class) { int n = 0; return musaGetDeviceCount(&n) == musaSuccess ? class + (int)sizeof 'c' : -1; }
EOT
cat >usesC.mu <<'EOT'
#include <cstdio>
extern "C" int cPart(int);
__global__ void nothing() {}
int main() { nothing<<<1, 1>>>(); printf("C says %d\n", cPart(1)); }
EOT
expect "C is compiled as C, in a C++ program" 0 '^$' "$mcc" -std=c++17 plain.c host.cpp usesC.mu -o usesC -Werror
expect "... and it runs" 0 'C says 5' ./usesC
expect "C beside MUSA" 0 '^$' "$mcc" -std=c++17 -c -MD plain.c usesC.mu host.cpp -Werror
expect "... has its dependencies" 0 'musa_runtime.h' cat plain.d
expect "... which a link names after the program" 0 '^$' "$mcc" -MD plain.c usesC.o -o usesC
expect "... as clang does" 0 '^usesC: plain.c' cat usesC.d
expect "C is listed" 0 'plain.o: plain.c' "$mcc" -M plain.c
expect "C is preprocessed" 0 'cPart' "$mcc" -E plain.c
expect "C of 1989" 0 '^$' "$mcc" -std=c89 -c plain.c -o plain89.o
expect "C has no device code" fail "'plain.c' has no device code" "$mcc" --musa-device-only plain.c
expect "preprocess" 0 'saxpy' "$mcc" -E saxpy.mu
cat >graphs.cpp <<'EOF'
#include <musa_runtime_api.h>
musaError_t make(musaGraphExec_t* made, musaGraph_t graph) {  // as torch_musa does
  musaGraphExecUpdateResult result;
  musaError_t error = musaGraphInstantiate(made, graph, nullptr, nullptr, 0);
  return error ? error : musaGraphExecUpdate(*made, graph, nullptr, &result);
}
EOF
expect "graphs' older calls by musa_runtime_api.h alone" 0 '^$' "$mcc" -Wall -Wextra -Werror -c graphs.cpp
expect "list dependencies" 0 'main.o: main.mu' "$mcc" -M main.mu
echo 'pass __MUSA_ARCH__' >pass.mu
expect "preprocess for a device" 0 'pass 220' "$mcc" --cuda-device-only --offload-arch=mp_22 -E -P pass.mu
expect "... into a file" 0 '^$' "$mcc" --musa-device-only --offload-arch=mp_31 -E -P pass.mu -o pass.i
expect "... with the device's macros" 0 'pass 310' cat pass.i
expect "... and the host's without" 0 'pass __MUSA_ARCH__' "$mcc" --cuda-host-only -E -P pass.mu
expect "a device's dependencies" 0 'pass.o: pass.mu' "$mcc" --cuda-device-only -M pass.mu
expect "syntax only" 0 '^$' "$mcc" -fsyntax-only main.mu
cp saxpy.mu saxpy.cpp
expect "another suffix with -x musa" 0 '^$' "$mcc" -x musa -c saxpy.cpp -o saxpy.o
expect "loops over threads are vectorised" 0 'fmul contract <[0-9]+ x float>' "$mcc" --musa-device-only -S -emit-llvm saxpy.mu -o -
expect "vendor's macros" 0 'main.mu' "$mcc" -dM -E main.mu -v
expect "dryrun runs nothing" 0 'cc1' "$mcc" --dryrun -c main.mu -o never.o
expect "... and writes nothing" fail 'No such file' ls never.o

expect "nvcc's options, with a warning" 0 "'-Xcompiler -Wall' is taken as '-Wall'" "$mcc" -Wmusa-nvcc-options -gencode arch=compute_80,code=sm_80 \
  -Xcompiler -Wall --expt-relaxed-constexpr -lineinfo -Xptxas -v main.mu host.cpp -o nvccs -lcudart
expect "... and it runs" 0 'musaSuccess 6 3' ./nvccs
mkdir objects
echo '#define plainly 4' >early.h
echo 'int early[plainly];' >early.cpp
expect "nvcc's output directory" 0 'is taken as' "$mcc" -Wmusa-nvcc-options -odir objects -c main.mu host.cpp plain.c early.cpp -t4 --pre-include early.h \
  -Werror=cross-execution-space-call
expect "... has the objects" 0 '^early.o host.o main.o plain.o $' sh -c "ls objects | tr '\n' ' '"
expect "... which link" 0 'is taken as' "$mcc" -Wmusa-nvcc-options -odir objects objects/main.o objects/host.o
expect "... to a program that runs" 0 'musaSuccess 6 3' objects/a.out
expect "nvcc's list of architectures" 0 '^mp_22$' "$mcc" --list-gpu-arch
mkdir cuda
sed 's/musa/cuda/g; s/muh/cuh/' main.mu >cuda/main.cu
sed 's/musa/cuda/g' host.cpp >cuda/host.cpp
cp kernel.muh cuda/kernel.cuh
cp usesC.mu cuda/usesC.cu
sed 's/musa/cuda/g; s/murand/curand/g; s/MURAND/CURAND/; $a int release = __CUDACC_VER_MAJOR__;' plain.c >cuda/plain.c
cat >cuda/Makefile <<'EOT'
NVCC ?= nvcc
NVCCFLAGS = -std=c++14 -O2 -arch=sm_80 --use_fast_math -Xcompiler "-fPIC -Wall" -ccbin g++
all: app usesC
app: main.o host.o
	$(NVCC) $(NVCCFLAGS) $^ -o $@ -lcudart
usesC: usesC.o plain.o
	$(NVCC) $(NVCCFLAGS) $^ -o $@
%.o: %.cu
	$(NVCC) $(NVCCFLAGS) -c $< -o $@
host.o: host.cpp
	$(NVCC) $(NVCCFLAGS) -c $< -o $@
plain.o: plain.c
	$(NVCC) $(NVCCFLAGS) -c $< -o $@
EOT
expect "a CUDA project's Makefile as it is" 0 'mcc -x cuda' make --no-print-directory -C cuda NVCC="$mcc -x cuda"
expect "... and its program runs" 0 'musaSuccess 6 3' cuda/app
expect "... and the one with a C file" 0 'C says 5' cuda/usesC
cat >cuda/Options.mk <<'EOT'
all: a.o b.o
a.o b.o: host.cpp
	$(NVCC) -maxrregcount=32 -Xptxas -v -arch=sm_80 $(MORE) -c $< -o $@
EOT
# says COUNT PATTERN COMMAND...: how many lines of the output match.
says() {
  local wanted=$1 pattern=$2
  shift 2
  [ "$("$@" 2>&1 | grep -cE -- "$pattern")" = "$wanted" ]
}
options() { make -B --no-print-directory -C cuda -f Options.mk NVCC="$mcc -x cuda" "$@"; }
expect "options that are left out are told of once a build" 0 '^$' says 1 "warning.*'-maxrregcount=32' is left out" options
expect "... all of them at each command on request" 0 '^$' says 2 "warning.*'-arch=sm_80' is left out" options MORE=-Wmusa-nvcc-options
expect "... or never" 0 '^$' says 0 "is left out" options MORE=-Wno-musa-nvcc-options

printf 'extern "C" __global__ void fill(int* out) { out[threadIdx.x] = 2 * threadIdx.x; }\n' >cuda/module.cu
cat >cuda/load.cu <<'EOT'
#include <cuda.h>
#include <cstdio>
int main(int, char** names) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction fill;
  CUdeviceptr data;
  cuInit(0), cuDeviceGet(&device, 0), cuCtxCreate(&context, 0, device), cuMemAlloc(&data, 16);
  int status = cuModuleLoad(&module, names[1]);
  if (status == 0) status = cuModuleGetFunction(&fill, module, "fill");
  void* arguments[] = {&data};
  if (status == 0) status = cuLaunchKernel(fill, 1, 1, 1, 4, 1, 1, 0, 0, arguments, 0);
  int host[4] = {};
  cuMemcpyDtoH(host, data, 16);
  printf("module %d %d\n", status, host[3]);
}
EOT
expect "a program that loads modules" 0 '^$' "$mcc" -x cuda cuda/load.cu -o load -lcuda
expect "nvcc's -fatbin" 0 '^$' "$mcc" -x cuda -fatbin -MD cuda/module.cu
expect "... is such a module" 0 'module 0 6' ./load module.fatbin
expect "... with its dependencies" 0 'cuda/module.cu' cat module.d
expect "nvcc's -cubin" 0 '^$' "$mcc" -x cuda --cubin -arch=mp_31 cuda/module.cu -o image
expect "... is one, too" 0 'module 0 6' env MUSASHIM_ARCH=mp_31 ./load image
expect "... for its device" 0 'module 209 0' env MUSASHIM_ARCH=mp_21 ./load image
expect "device code for a later link" 0 '^$' "$mcc" -x cuda -dc cuda/module.cu -o module.o
expect "... may become a module as well" 0 '^$' "$mcc" -x cuda -dlink -fatbin module.o -o linked.fatbin
expect "... it is loaded" 0 'module 0 6' ./load linked.fatbin
expect "nvcc's -ptx is refused" fail "write a module.*with '-fatbin'" "$mcc" -x cuda -ptx cuda/module.cu
expect "nvcc's -cuda is refused" fail "write an object with '-c'" "$mcc" -x cuda -cuda cuda/module.cu
printf 'int main() {}\n' >empty.cu
expect "a link leaves device code to another" fail '__musa_linked_by_mcc' "$mcc" -x cuda -nodlink empty.cu module.o -o no
expect "... that was before" 0 '^$' "$mcc" -x cuda -dlink module.o -o module_dlink.o
expect "... and is named" 0 '^$' "$mcc" -x cuda -nodlink empty.cu module.o module_dlink.o -o yes

mkdir kept
expect "device images are kept" 0 '^$' "$mcc" --save-temps -c main.mu -o kept/part.o
expect "... beside the output" 0 '^part.mp_21.so part.mp_22.so part.mp_31.so part.o $' sh -c "ls kept | tr '\n' ' '"
expect "... or in a folder" 0 '^$' "$mcc" -keep -keep-dir=kept -arch=mp_22 -x cuda empty.cu module.o -o linked
expect "... of linked device code, too" 0 'linked.mp_22.so' ls kept
expect "an object whatever assembles it" 0 '^$' "$mcc" -fno-integrated-as -save-temps=cwd -c second.mu -o assembled.o
expect "... is one" 0 'launchToo' nm assembled.o
mkdir covered
expect "coverage of the host's code" 0 '^$' "$mcc" --coverage main.mu host.cpp -o covered/app
expect "... is counted" 0 'main.gcda|app.gcda' sh -c "covered/app; ls . covered"

cat >threads.cu <<'EOT'
#include <cstdio>
extern "C" int omp_get_thread_num();
__host__ __device__ int count(int n) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += i;
  return sum;
}
__global__ void onDevice(int* sum) { *sum = count(4); }
int main() {
  int sum = 0, *shared;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum += omp_get_thread_num();
  cudaMallocManaged(&shared, sizeof(int));
  onDevice<<<1, 1>>>(shared);
  cudaDeviceSynchronize();
  printf("threads %d %d %d\n", sum, count(4), *shared);
}
EOT
if [ -e "$(clang++-19 -print-file-name=libomp.so)" ]; then
  expect "OpenMP on the host" 0 '^$' "$mcc" -x cuda -Xcompiler -fopenmp,-Wall threads.cu -o threads
  expect "... and it runs" 0 'threads 3 6 6' ./threads
else
  expect "OpenMP on the host needs a package" fail 'install.*libomp-19-dev' "$mcc" -x cuda -Xcompiler -fopenmp threads.cu -o threads
fi

printf '#include <cstdio>\n#pragma clang __debug parser_crash\nint main() {}\n' >crash.cpp
crash() { "$mcc" -fcrash-diagnostics-dir=crashes "$@" crash.cpp; }
expect "crashes are for musashim's issue tracker" fail "musashim's issue tracker, https://.*crashes again by itself" crash -x musa -c
mv crashes/* sent
expect "... with what is needed" 0 '^command.txt files output.txt preprocessed-source reproduce.sh versions.txt $' \
  sh -c 'ls sent | tr "\n" " "'
expect "... and not for LLVM's" 0 '^$' says 0 'llvm-project' crash -x musa -c
expect "... of plain C++ as well" fail "musashim's issue tracker, https://.*crashes again beside" crash -o no
expect "... and not for LLVM's" 0 '^$' says 0 'llvm-project' crash -x cuda -c
rm crash.cpp
expect "what was written crashes elsewhere, too" fail 'Stack dump' sent/reproduce.sh
cat >warps.mu <<'EOT'
#include <cstdio>
__global__ void sums(int* sum) {
  __shared__ int part[64];
  part[threadIdx.x] = __reduce_add_sync(~0u, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) *sum = part[0] + part[63];
}
int main() {
  int* sum;
  musaMallocManaged(&sum, sizeof(int));
  sums<<<1, 64>>>(sum);
  musaDeviceSynchronize();
  printf("sum %d\n", *sum);
}
EOT
fault() { "$mcc" -fcrash-diagnostics-dir=faults --offload-arch=mp_31 -fmusa-fault="$@"; }
expect "invalid code of ours is not used" 0 "kernel run on stacks of their own, which is slow: .*musashim's issue tracker" \
  fault invalid -Wmusa-fibers warps.mu -o warps
expect "... and the kernel runs" 0 'sum 2016' env MUSASHIM_ARCH=mp_31 ./warps
expect "a crash of the block compiler costs speed alone" 0 "'warps.mu' were compiled as with -fmusa-fibers" \
  fault crash warps.mu -o warps
expect "... and the kernel runs" 0 'sum 2016' env MUSASHIM_ARCH=mp_31 ./warps
cat >cuda/CMakeLists.txt <<'EOT'
cmake_minimum_required(VERSION 3.18)
project(app LANGUAGES CXX CUDA)
set_source_files_properties(host.cpp PROPERTIES LANGUAGE CUDA)
add_library(host SHARED host.cpp)
add_executable(app main.cu)
set_target_properties(app PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
target_include_directories(app PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
target_link_libraries(app PRIVATE host)
EOT
expect "a CUDA project's CMakeLists.txt as it is" 0 'Generating done' \
  cmake -S cuda -B cuda/build -DCMAKE_TOOLCHAIN_FILE="$sdk/cmake/cuda_sources.cmake"
expect "... is built" 0 'Built target app' cmake --build cuda/build
expect "... and its program runs" 0 'musaSuccess 6 3' env -u LD_LIBRARY_PATH cuda/build/app

expect "per-thread default stream in objects" 0 '^$' "$mcc" -fdefault-stream=per-thread -c main.mu host.cpp
expect "... launches by the thread's entry" 0 'musaLaunchKernel_ptsz' nm -u main.o
expect "... linked with the same options" 0 '^$' "$mcc" -fdefault-stream=per-thread main.o host.o -o perthread
expect "... and it runs" 0 'musaSuccess 6 3' ./perthread

expect "no image for the device" 0 '^$' "$mcc" --offload-arch=mp_21 main.mu host.cpp -o old
expect "... is the hardware's error" 0 'musaErrorNoKernelImageForDevice' env MUSASHIM_ARCH=mp_31 ./old
expect "... but runs on its own device" 0 'musaSuccess 6' env MUSASHIM_ARCH=mp_21 ./old
expect "fat image" 0 '^$' "$mcc" --offload-arch=mp_21 --offload-arch=mp_31 main.mu host.cpp -o fat
expect "... runs on both" 0 'musaSuccess 6' env MUSASHIM_ARCH=mp_31 ./fat

cat >arch.mu <<'EOT'
#include <cstdio>
__global__ void ask(int* out) {
#ifdef __MUSA_ARCH__
  *out = __MUSA_ARCH__;
#endif
}
#if defined(__MUSA_ARCH__) && __MUSA_ARCH__ < 210
#error unexpected
#endif
#if !defined(__MUSACC__) || !defined(__MUSA__) || defined(__CUDACC__) || defined(__HIP__) || defined(__NVCC__)
#error "not the vendor's macros"
#endif
int main() {
  int* data;
  int arch = 0;
  musaMalloc(&data, sizeof arch);
  ask<<<1, 1>>>(data);
  musaMemcpy(&arch, data, sizeof arch, musaMemcpyDeviceToHost);
  printf("arch %d\n", arch);
}
EOT
expect "an image per architecture" 0 '^$' "$mcc" arch.mu -o arch
expect "... for mp_21" 0 'arch 210' env MUSASHIM_ARCH=mp_21 ./arch
expect "... for mp_22" 0 'arch 220' env MUSASHIM_ARCH=mp_22 ./arch
expect "... for mp_31" 0 'arch 310' env MUSASHIM_ARCH=mp_31 ./arch

printf '__global__ void k() {\n  int x = undeclared;\n}\n' >broken.mu
expect "errors name the user's file and line" fail 'broken.mu:2:11: error' "$mcc" -c broken.mu
printf '__device__ int elsewhere(int);\n__global__ void k(int* p) { *p = elsewhere(1); }\n' >undefined.mu
expect "undefined device functions are found at once" fail 'elsewhere' "$mcc" -c undefined.mu
expect "missing file" fail "no such file.*missing.mu" "$mcc" -c missing.mu
printf 'int main() { return cudaDeviceReset(); }\n' >cuda.cu
expect "CUDA source" fail "musaport" "$mcc" cuda.cu
expect "help" 0 'Usage: mcc' "$mcc" --help
expect "version" 0 'clang version 19' "$mcc" --version
expect "release" 0 '^mcc version [0-9]+\.[0-9]+\.[0-9]+$' "$mcc" --version
expect "separate compilation" 0 "" "$mcc" -dc main.mu
expect "full disk" fail 'No space|cannot|error' "$mcc" -c main.mu -o /dev/full/x.o

exit $((failures > 0))
