// What device code calls for products of matrices.
#include "cpu/devrt/export.h"
#include "cpu/devrt/host_thread.h"
#include "cpu/devrt/matrices/products.h"
#include "cpu/devrt/matrices/warp_exchange.h"

extern "C" {

MUSADEVRT_API char* __musa_warp_exchange(void) {
  using namespace musashim::devrt;
  HostThread& thread = HostThread::current();
  if (!thread.exchange) thread.exchange = std::make_unique<WarpExchange>();
  return thread.exchange->memory;
}

MUSADEVRT_API void __musa_multiply_matrices(uint64_t packed, uint32_t* words) {
  using namespace musashim::devrt::matrices;
  const Product product = Product::of(packed);
  if (product.a == MUSA_MATRIX_F64) return multiplyDoubles(product, words);
  product.a < MUSA_MATRIX_F64 ? multiplyFloats(product, words) : multiplyIntegers(product, words);
}
}
