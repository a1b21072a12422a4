#pragma once

#include <cstddef>
#include <functional>

namespace musashim::translator {

/// Calls work(i) for each i below `count` on up to `threads` threads. The first exception ends the rest
/// early and is thrown here.
void parallelFor(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work);

}  // namespace musashim::translator
