#include "options.h"
#include "vendor_options.h"

namespace musashim::mcc {

std::string helpText() {
  return std::string(R"(mcc - compiles MUSA source for emulated MUSA devices

Usage: mcc [options] file...

  mcc p2p.mu -o p2p -lmusart
  mcc allreduce.mu -o allreduce -lmusart -lmccl
  mcc -c kernels.mu -o kernels.o --offload-arch=mp_22

Files named .mu, files named .cu that do not have CUDA's names, and all files after '-x musa',
are MUSA source; others (.c, .cpp, .o, .a) are compiled or linked as clang does, .c as C.

Options of MUSA compilation:
  --offload-arch=ARCH[,ARCH]  make device images for mp_21, mp_22, mp_31 (default: all)
  --cuda-gpu-arch=ARCH        the same
  -x musa                     the files that follow are MUSA source
  -x cuda                     they are CUDA source, which musaport ports as they are compiled,
                              with the headers beside them and in the folders of -I; what is
                              named .c or .cpp is ported as well, but is the host's C or C++, as
                              to nvcc without -x
  -x cu                       the same, and .c and .cpp files are CUDA source, too
  -Od0, -Od1, -Od2, -Od3, -Ods  how much device code is optimized (default: as -O says, or -Od3)
  -rdc=true, -fgpu-rdc        device functions and variables are shared by the files of a
                              program: each file's device code waits for the link
  -dc, --device-c             -rdc=true -c
  -dlink, --device-link       link the device code of such objects only; the result is an
                              object for a host linker (default: a_dlink.o)
  --musa-no-device-link       link without the device code of such objects (nvcc's -nodlink)
  --musa-device-only          compile the device code only
  --musa-module=SUFFIX        write the device code of a source, or with -dlink of objects, as
                              a module that muModuleLoad takes (nvcc's -fatbin, -cubin)
  --musa-host-only            compile the host code only
  --musa-path=DIR             take headers and libraries from the SDK at DIR
  --musa-path-ignore-env      ignore MUSA_PATH and MUSA_HOME
  -fdefault-stream=per-thread  launches and calls without a stream use the thread's own
                              (default: legacy), as -DMUSA_API_PER_THREAD_DEFAULT_STREAM does
  -fmusa-cpu=LEVEL[,LEVEL]    make device code for x86-64, x86-64-v2, x86-64-v3 (AVX2), x86-64-v4
                              (AVX-512) processors; of several, the widest that the machine has is
                              chosen at load (default: the building machine's, at most x86-64-v3,
                              and for x86-64-v4 as well kernels that calculate much or work in
                              shared memory)
  -fmusa-flush-denormals-to-zero   denormal floats are zero in kernels that read and write no doubles
  -fno-musa-code-cache        compile device code anew that was compiled before (MUSASHIM_CACHE_PATH)
  -fmusa-fibers               run every device thread on a stack of its own (slow)
  -Wmusa-fibers               name the kernels that cannot run otherwise, and why
  -Wmusa-warp-synchronous     name the lines at which lanes of a warp exchange data as if they moved
                              together: __syncwarp() is missing there (right here as on GPUs of old);
                              and those that write what other warps of the block read since its last
                              barrier: __syncthreads() is missing there
  -Wvendor                    name what works here and, as far as public sources tell, not with the
                              vendor's SDK: calls, headers, forms of code and options, each with the
                              remedy and the source
  -fmusa-profile              count what kernels do, for musashim-prof metrics
  -fmusa-check[=TOOL,...]     check device code as it runs: memcheck, racecheck,
                              initcheck, synccheck; all when none is named
  -Wmusa-nvcc-options         say at each command what became of nvcc's options (default: of each
                              option once a build); -Wno-musa-nvcc-options: never
  --musa-output-directory=DIR  write what has no -o to DIR (nvcc's -odir)
  --musa-list-architectures   print the architectures that --offload-arch knows
  --musa-library              make a library of the objects (nvcc's -lib), by --musa-archiver=PROGRAM
                              (default: ar) with --musa-archive-option=WORD
  --musa-run                  run the program that was linked (nvcc's -run), or the one that is the
                              only input, with --musa-run-argument=WORD
  --musa-clean                remove what the command would write (nvcc's -clean)
  --musa-times=FILE           add a table of the steps' times to FILE, or print it for '-' (nvcc's -time)
  --musa-unknown-to-linker    what clang does not know goes to the linker (nvcc's
                              -forward-unknown-to-host-linker)
  --save-temps[=obj|cwd]      keep device images (a.mp_22.so) beside the output, or in the
                              working folder
  --musa-save-directory=DIR   keep them there (nvcc's -keep-dir)
  -v, --dryrun                print the commands that run; --dryrun runs none

Options of gcc and clang (-c -E -S -M* -o -O* -g -I -D -std= -l -L -Wl, -f* -W* ...)
mean what they mean there. Device code is compiled with -O3 unless -O is given.
Options of nvcc (-Xcompiler, -gencode, -lineinfo ...) are taken as what does the same here,
or left out, with a warning: the vendor's compiler does not know them.
)") + vendorOptionsHelp();
}

}  // namespace musashim::mcc
