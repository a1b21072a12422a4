// The bytes of a file to memory and back.
#pragma once

#include <cufile.h>

#include <memory>

#include "libs/cufile/files.h"
#include "libs/cufile/memory.h"

namespace musashim::cufile {

struct Place {
  void* base = nullptr;
  size_t size = 0;  // bytes
  off_t fileOffset = 0;
  off_t bufferOffset = 0;
};

// Of `place`, whose memory from the base on is `memory`: 0, or a negative CUfileOpError.
ssize_t checked(const Place& place, const Memory& memory);

// Reads or writes, and returns what cuFileRead does: bytes, fewer at the end of the file; -1 with errno; or a
// negative CUfileOpError. Calls nothing of the API.
ssize_t transfer(CUfileOpcode_t operation, const File& file, const Place& place, const Memory& memory);

// The whole of an operation that waits.
ssize_t transferNow(CUfileOpcode_t operation, CUfileHandle_t handle, const Place& place);

}  // namespace musashim::cufile
