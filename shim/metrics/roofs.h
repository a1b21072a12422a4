// What products reach at most: the lines of a roofline.
#pragma once

#include <array>

namespace musashim::metrics {

// `operations`: of 32-bit floats, a second, a fused multiply and add as two; 0: no public figure. `bytes`: of
// device memory, a second. Sources: the maker's product figures as reported in the press in November 2022
// (S80, S3000), December 2023 (S4000) and February 2026 (S5000, without 32-bit floats).
struct Roof {
  const char* product;
  double operations, bytes;
};
inline constexpr std::array<Roof, 4> kRoofs = {{
    {"MTT S80", 14.4e12, 448e9},
    {"MTT S3000", 15.2e12, 448e9},
    {"MTT S4000", 25e12, 768e9},
    {"MTT S5000", 0, 1600e9},
}};

}  // namespace musashim::metrics
