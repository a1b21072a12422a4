// error: a tile has 1, 2, 4, 8, 16 or 32 threads
#include <cooperative_groups.h>
__global__ void kernel() { cooperative_groups::tiled_partition<48>(cooperative_groups::this_thread_block()).sync(); }
