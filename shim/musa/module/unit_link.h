// Device code of several sources as one image: units of MTRTC's (-rdc=true) and objects of mcc -dc, which
// the SDK's mcc links.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "musa/api/result.h"

namespace musashim::musa {

struct UnitInput {
  std::string name;  // in messages
  std::vector<std::byte> data;
};

// A library of objects (ar).
bool isArchive(const void* data, size_t size);

// The unit that a bundle has in place of images; empty for other bundles.
std::span<const std::byte> unitOf(const void* bundle, size_t limit);

// A bundle of images. What is wrong with the units (symbols defined twice or nowhere) is the error's text;
// without an SDK it is MUSA_ERROR_JIT_COMPILER_NOT_FOUND.
Result linkUnits(const std::vector<UnitInput>& units, std::vector<std::byte>& bundle);

}  // namespace musashim::musa
