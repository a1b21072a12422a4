#include "mtshmem/remote/words.h"

#include <cstring>

#include "mtshmem/include/mtshmem_detail/layout.h"

namespace musashim::mtshmem {
namespace {

template <typename Word>
void writeWord(char* to, const char* from) {
  Word value;
  std::memcpy(&value, from, sizeof value);
  __atomic_store_n(reinterpret_cast<Word*>(to), value, __ATOMIC_RELEASE);
}

template <typename Word>
uint64_t atomic(char* place, uint32_t operation, uint64_t operand, uint64_t compare) {
  Word* const word = reinterpret_cast<Word*>(place);
  const Word value = static_cast<Word>(operand);
  Word expected = static_cast<Word>(compare);
  switch (operation) {
    case MTSHMEMI_FETCH:
      return __atomic_load_n(word, __ATOMIC_ACQUIRE);
    case MTSHMEMI_SET:
    case MTSHMEMI_SWAP:
      return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
    case MTSHMEMI_COMPARE_SWAP:
      __atomic_compare_exchange_n(word, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
      return expected;
    case MTSHMEMI_ADD:
      return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
    case MTSHMEMI_AND:
      return __atomic_fetch_and(word, value, __ATOMIC_SEQ_CST);
    case MTSHMEMI_OR:
      return __atomic_fetch_or(word, value, __ATOMIC_SEQ_CST);
    default:
      return __atomic_fetch_xor(word, value, __ATOMIC_SEQ_CST);
  }
}

}  // namespace

void writeWords(char* to, const char* from, size_t bytes) {
  const bool isWord = reinterpret_cast<uintptr_t>(to) % bytes == 0;
  switch (isWord ? bytes : 0) {
    case 2:
      return writeWord<uint16_t>(to, from);
    case 4:
      return writeWord<uint32_t>(to, from);
    case 8:
      return writeWord<uint64_t>(to, from);
    default:
      std::memcpy(to, from, bytes);
      __atomic_thread_fence(__ATOMIC_RELEASE);
  }
}

uint64_t atomicWord(char* place, uint32_t width, uint32_t operation, uint64_t operand, uint64_t compare) {
  return width == 4 ? atomic<uint32_t>(place, operation, operand, compare)
                    : atomic<uint64_t>(place, operation, operand, compare);
}

}  // namespace musashim::mtshmem
