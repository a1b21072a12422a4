#include <algorithm>

#include "libs/ducc/transform.h"

extern "C" {
void musashim_ducc_baseline(const musashim::libs::Transform* description, const void* in, void* out);
#if defined(__x86_64__)
void musashim_ducc_v3(const musashim::libs::Transform* description, const void* in, void* out);
void musashim_ducc_v4(const musashim::libs::Transform* description, const void* in, void* out);
#endif
}

namespace musashim::libs {
namespace {

auto bestOfProcessor() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4")) return musashim_ducc_v4;
  if (__builtin_cpu_supports("x86-64-v3")) return musashim_ducc_v3;
#endif
  return musashim_ducc_baseline;
}

}  // namespace

bool canBeInPlace(const Transform& t) {
  if (t.kind == TransformKind::kComplex) return std::equal(t.in, t.in + t.dimensions, t.out);
  const size_t last = t.dimensions - 1;
  const bool takesReal = t.kind == TransformKind::kRealToComplex;
  const ptrdiff_t* const real = takesReal ? t.in : t.out;
  const ptrdiff_t* const complex = takesReal ? t.out : t.in;
  for (size_t axis = 0; axis < last; ++axis)
    if (t.length[axis] > 1 && real[axis] != 2 * complex[axis]) return false;
  return t.length[last] == 1 || (real[last] == 1 && complex[last] == 1);
}

void transform(const Transform& description, const void* in, void* out) {
  static const auto kRun = bestOfProcessor();
  kRun(&description, in, out);
}

}  // namespace musashim::libs
