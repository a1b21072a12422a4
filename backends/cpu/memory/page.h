// The machine's pages.
#pragma once

#include <cstddef>

namespace musashim {

inline constexpr size_t kPage = 4096;

}  // namespace musashim
