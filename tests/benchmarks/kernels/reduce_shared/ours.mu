#include "kernel.h"
#include "musa_reduce.h"

using Ours = MusaReduce<reduceShared>;
BENCH_MAIN(Reduce, Ours)
