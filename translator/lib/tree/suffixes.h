#pragma once

// Names of source files in CUDA and in MUSA.

#include <string_view>

#include "translator/lib/names/lexicon.h"

namespace musashim::translator {

/// Is it the name of a source whose suffix the port changes: .cu, .cuh, or back .mu, .muh?
inline bool isPortedSource(std::string_view name, Direction direction) {
  return direction == Direction::ToMusa ? name.ends_with(".cu") || name.ends_with(".cuh")
                                        : name.ends_with(".mu") || name.ends_with(".muh");
}

}  // namespace musashim::translator
