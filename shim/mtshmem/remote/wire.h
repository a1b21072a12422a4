// What goes between PEs of different hosts: one message for one piece of work, in order for each pair of PEs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace musashim::mtshmem {

enum class Kind : uint32_t {
  kPut,         // data to `offset`
  kGet,         // asks for `bytes` of `offset`, which the answer brings to `operand` of what was asked for
  kAtomic,      // on the word at `offset`
  kFlush,       // asks for an answer once all before it is done
  kGetAnswer,   // data
  kWordAnswer,  // of an atomic: the word before; of a flush: nothing
  kBye,         // nothing follows
};

struct Message {
  Kind kind = Kind::kPut;
  uint32_t operation = 0;  // of an atomic; see mtshmemi_operation
  uint32_t width = 0;      // of its word
  uint32_t isAnswered = 0;
  uint64_t offset = 0;  // in the heap of who gets it
  uint64_t bytes = 0;
  uint64_t operand = 0;
  uint64_t compare = 0;
  uint64_t request = 0;  // where it was asked for, there
};

// The most data of a message; more goes in several.
constexpr size_t kPiece = 64 << 10;

}  // namespace musashim::mtshmem
