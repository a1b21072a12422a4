/* The public headers are C: this file only has to compile and link as such. */
#include <musa.h>
#include <musa_profiler_api.h>
#include <musa_runtime.h>

int musashimHeadersInC(void);
int musashimHeadersInC(void) {
  struct musaDeviceProp properties;
  musaStream_t stream = 0;
  dim3 grid = {1, 1, 1};
  musaError_t error = musaGetDeviceProperties(&properties, (int)grid.x);
  MUresult result = muStreamQuery(stream);
  struct musaExtent extent = make_musaExtent(1, 2, 3);
  return (int)error + (int)result + (int)extent.depth;
}
