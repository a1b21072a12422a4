#pragma once

// NVIDIA's architectures as build files write them, and MUSA's in their place.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace musashim::translator {

/// MUSA's architectures for an NVIDIA one. PTX runs on every later device, too, and MUSA has no such code: so
/// what asks for PTX becomes the architecture and all later ones. 80-real: 22; 80, 80-virtual and 8.0+PTX: 22
/// and 31. Empty if the word is no architecture.
std::vector<int> architecturesOf(std::string_view word);

/// Likewise for the value of -gencode or -arch: "arch=compute_80,code=sm_80" (22), "sm_80" (22 and 31),
/// "[sm_80,compute_80]". Empty for one that leaves it to the compiler (native, all); none for what is
/// computed, or no architecture.
std::optional<std::vector<int>> architecturesOfOption(std::string_view value);

/// A list with semicolons or spaces, "70-real;80-real;90a" => "21;22;31", none twice; words that are none
/// stay. None if the list holds no architecture.
std::optional<std::string> architectureList(std::string_view list);

}  // namespace musashim::translator
