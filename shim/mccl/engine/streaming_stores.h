// From how much work on results are written past the caches.
#pragma once

#include <cstddef>

namespace musashim::mccl {

// Bytes that are read and written in all, at least: then results push out of the caches what is read
// meanwhile, or are pushed out themselves before they are used. Less than the last cache's size, where other
// programs have their part of that.
size_t pastCacheTraffic();

}  // namespace musashim::mccl
