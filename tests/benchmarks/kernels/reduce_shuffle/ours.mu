#include "../reduce_shared/musa_reduce.h"
#include "kernel.h"

using Ours = MusaReduce<reduceShuffle>;
BENCH_MAIN(Reduce, Ours)
