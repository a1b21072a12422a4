// Sizes of blocks by which a kernel is looked at.
#pragma once

#include <optional>
#include <vector>

#include "footprint.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Value.h"
#include "mcc/device_plugin/source_facts/launch_sizes.h"

namespace musashim::mcc {

constexpr size_t kMostSizes = 2;  // that are looked at

// Those that the source launches the kernel with.
std::vector<BlockSize> launchedSizes(llvm::StringRef kernel);

// Usual ones of so many dimensions, large ones first.
std::vector<BlockSize> usualSizes(unsigned axes);

// Of these, leaves those in which all threads that come to an access have their element in its shared
// variable, and elements of their own, if they have such in any. `elements` tells them; nullopt: they are not
// known.
void keepFitting(std::vector<BlockSize>& sizes,
                 llvm::function_ref<std::optional<ThreadElements>(const BlockSize&)> elements);

// So many dimensions of the thread's index a value is made of, as far as memory has no part in it; 1 at
// least.
unsigned axesOf(const llvm::Value& value);

}  // namespace musashim::mcc
