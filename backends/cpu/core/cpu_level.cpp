#include "cpu/core/cpu_level.h"

#include <algorithm>

#include "cpu/core/settings.h"

namespace musashim::backend::cpu {
namespace {

constexpr std::string_view kFirst = "x86-64";

unsigned machineLevel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v4")) return 4;
  if (__builtin_cpu_supports("x86-64-v3")) return 3;
  if (__builtin_cpu_supports("x86-64-v2")) return 2;
  return 1;
#else
  return 0;
#endif
}

}  // namespace

unsigned cpuLevel() {
  static const unsigned level = std::min(machineLevel(), settings().cpuLevel);
  return level;
}

bool isIntels() {
#if defined(__x86_64__)
  return __builtin_cpu_is("intel") != 0;
#else
  return false;
#endif
}

unsigned cpuLevelOf(std::string_view name) {
  if (name == kFirst) return 1;
  if (name.size() != kFirst.size() + 3 || !name.starts_with(kFirst) || name.substr(kFirst.size(), 2) != "-v")
    return 0;
  const char digit = name.back();
  return digit >= '2' && digit <= '4' ? static_cast<unsigned>(digit - '0') : 0;
}

}  // namespace musashim::backend::cpu
