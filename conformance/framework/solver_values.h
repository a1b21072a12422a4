// What the cases of cuSOLVER share: codes, results rounded to what any good algorithm gives.
#pragma once

#include <cusolverDn.h>
#include <math.h>

#include <string>
#include <vector>

#include "device_values.h"

inline int code(cusolverStatus_t status) { return static_cast<int>(status); }

// To three decimals; signs are kept unless `plain`.
template <typename T>
std::string rounded(const std::vector<T>& values, bool plain = false) {
  std::string all;
  for (const T& value : values) {
    double number = round(static_cast<double>(value) * 1000) / 1000 + 0.0;
    if (plain) number = fabs(number);
    all += (all.empty() ? "" : " ") + observedText(number == 0 ? 0.0 : number);
  }
  return all;
}
template <typename T>
std::string first(std::vector<T> values, size_t count, bool plain = false) {
  values.resize(count);
  return rounded(values, plain);
}
