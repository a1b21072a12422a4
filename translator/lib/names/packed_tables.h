// The large tables, without addresses in them: musaport has its own, others share a library of them
// (musaport-tables).
#pragma once

#include <cstdint>

#include "translator/lib/names/table.h"

namespace musashim::translator::packed {

struct NameRow {
  std::uint32_t name;  // places in kPool
  std::uint32_t target;
  std::uint16_t nameLength;
  std::uint16_t targetLength;
  NameKind kind;
  std::uint8_t library;
  std::uint16_t reason;
};
struct PackedText {
  std::uint32_t at;  // in kPtxPool
  std::uint16_t size;
};
struct PackedPtxRule {
  PackedText opcode, to, sources, becomes, note;
  bool carry;
};

#pragma GCC visibility push(default)
extern const char kPool[];
extern const NameRow kRows[];         // sorted by name
extern const std::uint64_t kHeads[];  // beginnings of some of them
extern const std::uint16_t kSlots[];  // by the hash of names: rows, from 1 on
extern const std::uint16_t kTargetSlots[];
extern const char kPtxPool[];
extern const PackedPtxRule kPtxRules[];  // sorted by opcode
#pragma GCC visibility pop

}  // namespace musashim::translator::packed
