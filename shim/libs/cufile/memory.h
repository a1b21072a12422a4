// Memory that files are read into and written from.
#pragma once

#include <cufile.h>

#include <cstddef>

namespace musashim::cufile {

// Where `pointer` lies: in an allocation of the API's, or in other memory of the process.
struct Memory {
  bool isDevice = false;  // kept from host code
  // Bytes from the pointer on that are known to be there: SIZE_MAX for other memory, which nobody has asked
  // the API for.
  size_t bytes = SIZE_MAX;
};

// Calls the API.
Memory memoryAt(const void* pointer);

}  // namespace musashim::cufile
