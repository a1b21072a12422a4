// A plan's transform, on the thread that calls and whoever helps.
#pragma once

#include "libs/ducc/transform.h"

namespace musashim::mufft {

// The sides may have memory in common.
void runTransform(const libs::Transform& transform, const void* in, void* out);

}  // namespace musashim::mufft
