// Network layers of other people: plugins by NCCL's published tables, see mccl_net.h.
#pragma once

#include <memory>
#include <string>

#include "mccl/net/net.h"

namespace musashim::mccl {

// Loads the plugin that `name` stands for: a file, or the NAME of libmccl-net-NAME.so; empty: libmccl-net.so,
// where it exists. Null when there is none that works, with the reason in `why`; empty when there is simply
// none.
std::unique_ptr<Net> loadPlugin(const std::string& name, std::string& why);

}  // namespace musashim::mccl
