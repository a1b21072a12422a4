// What calls of the runtime cost beside the same on an H200, and how fast copies are beside memcpy.
//
//   bench_overhead [--calls] [--copies] [--all-sizes]
#include <cstring>

#include "bench.h"

int main(int argc, char** argv) {
  bool calls = false, copies = false, everything = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--calls") == 0) {
      calls = true;
    } else if (std::strcmp(argv[i], "--copies") == 0) {
      copies = true;
    } else if (std::strcmp(argv[i], "--all-sizes") == 0) {
      everything = true;
    } else {
      std::fprintf(stderr, "usage: %s [--calls] [--copies] [--all-sizes]\n", argv[0]);
      return 2;
    }
  }
  if (calls || !copies) musashim::bench::benchCalls();
  if (copies || !calls) musashim::bench::benchCopies(everything);
  return 0;
}
