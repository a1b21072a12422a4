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

void transform(const Transform& description, const void* in, void* out) {
  static const auto kRun = bestOfProcessor();
  kRun(&description, in, out);
}

}  // namespace musashim::libs
