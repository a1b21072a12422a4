#include "harness/opencl.h"
#include "problem.h"

// A level's part of the block sums as a buffer of its own; `first` a multiple of the device's alignment.
static cl_mem subBuffer(cl_mem whole, size_t first, size_t count) {
  const cl_buffer_region region{first * sizeof(unsigned), count * sizeof(unsigned)};
  cl_int error;
  cl_mem made = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  bench::must(error, "clCreateSubBuffer");
  return made;
}

struct Launch {
  void operator()(const Scan& p, Scan::Data<bench::ClBuffer>& d) {
    scan(p.n, d.in.data(), d.out.data(), d.sums.data(), d.scanned.data(), 0);
  }

  void scan(int n, cl_mem in, cl_mem out, cl_mem sums, cl_mem scanned, size_t first) {
    const size_t blocks = Scan::blocks(n), next = first + (blocks + 63) / 64 * 64;
    cl_mem levelSums = subBuffer(sums, first, blocks), levelScanned = subBuffer(scanned, first, blocks);
    scanBlocks({blocks}, {Scan::kThreads}, n, in, out, levelSums);
    if (blocks > 1) {
      scan(int(blocks), levelSums, levelScanned, sums, scanned, next);
      addSums({blocks}, {Scan::kThreads}, n, levelScanned, out);
    }
    clReleaseMemObject(levelSums);
    clReleaseMemObject(levelScanned);
  }

  bench::ClKernel scanBlocks{"scanBlocks"}, addSums{"addSums"};
};

BENCH_CL_MAIN(Scan, Launch, "")
