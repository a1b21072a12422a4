// Several images as one: what muLinkComplete makes of its inputs. Each is linked in itself, so that they
// share no symbols; kernels and variables are found by name in any of them.
#pragma once

#include <memory>
#include <vector>

#include "interface/device.h"
#include "musa/api/result.h"

namespace musashim::musa {

// A bundle whose entries are inputs, each a bundle or an ELF image.
std::vector<std::byte> writeLinked(const std::vector<std::vector<std::byte>>& inputs);

// True when `data`, a bundle, is one of those.
bool isLinked(const void* data, size_t limit);

Result loadLinked(const void* data, size_t limit, backend::Device& device,
                  std::unique_ptr<backend::Image>& image);

}  // namespace musashim::musa
