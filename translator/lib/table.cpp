#include "translator/lib/table.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace musashim::translator {
namespace {

struct NameRow {
  std::uint32_t name;
  std::uint32_t target;
  std::uint16_t nameLength;
  std::uint16_t targetLength;
  NameKind kind;
  std::uint8_t library;
  std::uint16_t reason;
};
struct TextPair {
  std::string_view left;
  std::string_view right;
};
struct UnportedHeader {
  std::string_view prefix;
  std::uint16_t reason;
};
struct Level {
  long cuda;
  long musa;  // 0: the number stays
};
using AssemblyRow = AssemblyRule;

#include "translator_tables.inc"

constexpr std::array<std::uint8_t, 65536 / 8> makePairFilter() {
  std::array<std::uint8_t, 65536 / 8> filter{};
  for (std::size_t i = 0; i + 1 < kPairs.size(); i += 2) {
    const unsigned pair =
        static_cast<unsigned char>(kPairs[i]) * 256U + static_cast<unsigned char>(kPairs[i + 1]);
    filter[pair / 8] = static_cast<std::uint8_t>(filter[pair / 8] | (1U << (pair % 8)));
  }
  return filter;
}

/// The same function as in gen_tables.py.
std::uint32_t hashOf(std::string_view text) {
  std::uint32_t value = 0x811C9DC5U;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x01000193U;
  return value ^ (value >> 15);
}

template <std::size_t N>
bool contains(const std::string_view (&list)[N], std::string_view text) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

template <std::size_t N>
GuardLevel levelFor(const Level (&levels)[N], long number, std::uint16_t beyond) {
  for (const Level& level : levels) {
    if (number <= level.cuda) return {true, level.musa ? level.musa : number, 0};
  }
  return {false, 0, beyond};
}

}  // namespace

constexpr std::array<std::uint8_t, 65536 / 8> kPairFilter = makePairFilter();

bool findName(std::string_view name, KnownName& found) {
  for (std::uint32_t slot = hashOf(name) & kSlotMask;; slot = (slot + 1) & kSlotMask) {
    if (kSlots[slot] == 0) return false;
    const NameRow& row = kRows[kSlots[slot] - 1];
    if (std::string_view(kPool + row.name, row.nameLength) != name) continue;
    found = {name, {kPool + row.target, row.targetLength}, kLibraries[row.library], row.kind, row.reason};
    return true;
  }
}

std::string_view reasonText(std::uint16_t reason) { return kReasons[reason].left; }
std::string_view remedyText(std::uint16_t reason) { return kReasons[reason].right; }

std::string_view mapHeader(std::string_view header, std::string& scratch) {
  for (const TextPair& pair : kHeaders) {
    if (pair.left == header) return pair.right;
  }
  for (const TextPair& pair : kHeaderPrefixes) {
    if (!header.starts_with(pair.left)) continue;
    scratch = std::string(pair.right) + std::string(header.substr(pair.left.size()));
    return scratch;
  }
  return {};
}

std::uint16_t unportedHeader(std::string_view header) {
  for (const UnportedHeader& row : kUnportedHeaders) {
    if (header.starts_with(row.prefix)) return row.reason;
  }
  return 0;
}

bool isNamespaceMember(std::string_view name) { return contains(kNamespaceMembers, name); }
bool isNamespaceQualifier(std::string_view name) { return contains(kNamespaceQualifiers, name); }

GuardLevel mapAtLeast(GuardKind kind, long number) {
  return kind == GuardKind::Architecture ? levelFor(kArchitectureLevels, number, kArchitectureBeyond)
                                         : levelFor(kVersionLevels, number, kVersionBeyond);
}

std::uint16_t guardExactReason() { return kGuardExact; }
std::uint16_t guardOpaqueReason() { return kGuardOpaque; }
std::uint16_t guardEncodingReason() { return kGuardEncoding; }
std::uint16_t guardPtxReason() { return kGuardPtx; }

const AssemblyRule* findAssembly(std::string_view text, std::string_view constraints) {
  for (const AssemblyRule& rule : kAssembly) {
    if (rule.text == text && rule.constraints == constraints) return &rule;
  }
  return nullptr;
}
std::uint16_t unportedAssemblyReason() { return kUnportedAssembly; }

std::size_t knownNames() { return std::size(kRows); }

}  // namespace musashim::translator
