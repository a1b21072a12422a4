#pragma once

// Is a string of a Python source a device or a backend? By what is done with it.

#include <cstddef>
#include <string_view>
#include <vector>

#include "translator/lib/python/names.h"
#include "translator/lib/python/tree.h"

namespace musashim::translator {

/// Devices: "cuda", "cuda:0", "cuda:{}", "cuda:%d". Where the text alone says so, as with a number, or where
/// it is given to something that takes a device, compared with one, or is the value of a name for one.
bool isDevice(const PythonNode& string, std::string_view text, const PythonNames& imports);

/// Backends of torch.distributed: "nccl", by the same means.
bool isBackend(const PythonNode& string, const PythonNames& imports);

/// Is a formatted string of these parts one word that names a source for nvcc, as f"{name}_kernels.cu"? `at`:
/// the c of its suffix.
bool namesFormattedSource(const std::vector<PythonNode>& parts, std::size_t& at);

}  // namespace musashim::translator
