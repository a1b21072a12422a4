#pragma once

// The MUSA SDK that musaport asks: its headers, and what it says of its own support.

#include <filesystem>

namespace musashim::translator {

/// The folder of this program.
std::filesystem::path ownFolder();

/// `wanted` if it is given; else musaport's own, $MUSA_HOME or $MUSA_PATH. Empty if none is an SDK.
std::filesystem::path findSdk(const std::filesystem::path& wanted);

}  // namespace musashim::translator
