// All that the result of a compilation depends on, in one text.
#pragma once

#include <string>

#include "mtrtc/compiler/compiler.h"

namespace musashim::mtrtc {

// `request.sdk` is set. What the source includes from disk is not in it: CachedResult::files.
std::string cacheKey(const CompileRequest& request);

}  // namespace musashim::mtrtc
