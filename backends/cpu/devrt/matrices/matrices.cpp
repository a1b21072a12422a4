// What device code calls for products of matrices.
#include "cpu/devrt/export.h"
#include "cpu/devrt/host_thread.h"
#include "cpu/devrt/matrices/products.h"
#include "cpu/devrt/matrices/warp_exchange.h"

namespace musashim::devrt {

namespace {

WarpExchange& warpExchange() {
  HostThread& thread = HostThread::current();
  if (!thread.exchange) thread.exchange = std::make_unique<WarpExchange>();
  return *thread.exchange;
}
matrices::ProductScratch& productScratch() {
  auto& scratch = warpExchange().scratch;
  if (!scratch) scratch = std::make_unique<matrices::ProductScratch>();
  return *scratch;
}

}  // namespace

}  // namespace musashim::devrt

extern "C" {

MUSADEVRT_API char* __musa_warp_exchange(void) { return musashim::devrt::warpExchange().memory; }

MUSADEVRT_API char* __musa_squad_memory(uint32_t squad) {
  using namespace musashim::devrt;
  auto& memory = warpExchange().squads[squad % WarpExchange::kSquads];
  if (!memory) memory = std::make_unique<WarpExchange::Squad>();
  return memory->memory;
}

MUSADEVRT_API void __musa_multiply_matrices(uint64_t packed, uint32_t* words) {
  using namespace musashim::devrt::matrices;
  const Product product = Product::of(packed);
  if (product.a == MUSA_MATRIX_F64) return multiplyDoubles(product, words);
  product.a < MUSA_MATRIX_F64 ? multiplyFloats(product, words) : multiplyIntegers(product, words);
}

MUSADEVRT_API void __musa_multiply_whole(uint64_t packed, const void* a, const void* b, void* sums) {
  using namespace musashim::devrt;
  multiplyWhole(matrices::Product::of(packed), a, b, sums, productScratch());
}

MUSADEVRT_API void __musa_multiply_shared(uint64_t packed, uint64_t a, uint64_t b, const char* shared,
                                          uint64_t bytes, void* sums) {
  using namespace musashim::devrt;
  using matrices::SharedFactor;
  multiplyShared(matrices::Product::of(packed), SharedFactor::of(a), SharedFactor::of(b), {shared, bytes},
                 sums, productScratch());
}
}
