// Memory that kernels look at while it is written, by words where they are.
#pragma once

#include <cstddef>
#include <cstdint>

namespace musashim::mtshmem {

// A copy that writes whole words where the place is one, and tells who sees a word what was written before.
void writeWords(char* to, const char* from, size_t bytes);

// One of mtshmemi_operation on the word of 4 or 8 bytes; what was there before.
uint64_t atomicWord(char* place, uint32_t width, uint32_t operation, uint64_t operand, uint64_t compare);

}  // namespace musashim::mtshmem
