#include <array>

#include "translator/lib/lex/block_vectors_impl.h"

// On top of the above.
#include "translator/lib/lex/block_lex_impl.h"
#include "translator/lib/lex/block_search_impl.h"

namespace musashim::translator {

constinit const MaskFunctions kPortableMasks = {lexPlain, nextPlaces, findBytes};

namespace {

struct Available {
  Available() {
#ifdef __x86_64__
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi") &&
                        __builtin_cpu_supports("avx512vbmi2");
    if (avx512) all[count++] = &kAvx512Masks;
    if (avx2) all[count++] = &kAvx2Masks;
#endif
    all[count++] = &kPortableMasks;
  }

  std::array<const MaskFunctions*, 3> all{};
  std::size_t count = 0;
};

const Available& available() {
  static const Available result;
  return result;
}

}  // namespace

std::span<const MaskFunctions* const> allMasks() { return {available().all.data(), available().count}; }

const MaskFunctions& kMasks = *available().all[0];

}  // namespace musashim::translator
