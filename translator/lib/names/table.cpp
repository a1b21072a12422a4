#include "translator/lib/names/table.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "translator/lib/lex/word_hash.h"
#include "translator/lib/names/packed_tables.h"

namespace musashim::translator {

using namespace packed;

namespace {

struct UnportedHeader {
  std::string_view prefix;
  std::uint16_t reason;
};
struct Family {
  std::string_view prefix;
  std::string_view becomes;
  std::uint8_t library;
};
struct Level {
  long cuda;
  long musa;  // 0: the number stays
};

#include "translator_tables.inc"

template <std::size_t N>
bool contains(const std::string_view (&list)[N], std::string_view text) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

constexpr Advice adviceOf(std::uint16_t index) { return {kReasons[index].left, kReasons[index].right}; }

template <std::size_t N>
GuardLevel levelFor(const Level (&levels)[N], long number, std::uint16_t beyond) {
  for (const Level& level : levels) {
    if (number <= level.cuda) return {true, level.musa ? level.musa : number, {}};
  }
  return {false, 0, adviceOf(beyond)};
}

std::string_view nameOf(const NameRow& row) { return {kPool + row.name, row.nameLength}; }
std::string_view targetOf(const NameRow& row) { return {kPool + row.target, row.targetLength}; }

/// libcu++'s headers have no suffix, but for those inside of it. "cuda/kernels.cuh" is a project's own.
bool isLibrarys(std::string_view prefix, std::string_view rest) {
  if (prefix != "cuda/" && prefix != "musa/") return true;
  return rest.substr(rest.rfind('/') + 1).find('.') == std::string_view::npos || rest.starts_with("std/") ||
         rest.starts_with("__") || rest.starts_with("experimental/");
}

template <std::size_t N>
std::string_view mapped(const TextPair (&prefixes)[N], std::string_view header, bool back,
                        std::string& scratch) {
  for (const TextPair& pair : prefixes) {
    const std::string_view from = back ? pair.right : pair.left;
    if (header.empty() || header[0] != from[0] || !header.starts_with(from) ||
        !isLibrarys(from, header.substr(from.size())))
      continue;
    scratch = std::string(back ? pair.left : pair.right) + std::string(header.substr(from.size()));
    return scratch;
  }
  return {};
}

}  // namespace

constexpr WordFilter kNameFilter(kBeginnings);
constexpr WordFilter kTargetFilter(kTargetBeginnings);

bool findName(std::string_view name, KnownName& found) {
  for (std::uint32_t slot = wordHash(name) & kSlotMask;; slot = (slot + 1) & kSlotMask) {
    if (kSlots[slot] == 0) return false;
    const NameRow& row = kRows[kSlots[slot] - 1];
    if (row.nameLength != name.size() || !sameBytes(kPool + row.name, name)) continue;
    found = {name, targetOf(row), kLibraries[row.library], row.kind, adviceOf(row.reason), true};
    return true;
  }
}

namespace {

/// The first eight characters as a number that compares as they do; zeros follow shorter texts.
std::uint64_t headOf(std::string_view text) {
  std::uint64_t head = 0;
  for (std::size_t i = 0; i < 8; ++i)
    head = head << 8U | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
  return head;
}

}  // namespace

bool beginsNames(std::string_view beginning) {
  // The rows are sorted.
  const auto [low, high] = std::equal_range(kHeads, kHeads + kHeadCount, headOf(beginning));
  const auto rowOf = [](auto head) {
    return kRows + std::min<std::size_t>(static_cast<std::size_t>(head - kHeads) * kStride, kRowCount);
  };
  const NameRow* const next =
      std::upper_bound(low == kHeads ? kRows : rowOf(low - 1), rowOf(high), beginning,
                       [](std::string_view text, const NameRow& row) { return text < nameOf(row); });
  return next != kRows + kRowCount && nameOf(*next).starts_with(beginning);
}

void expectNames(std::span<const std::uint32_t> hashes) {
  // One table leads to the next. All of a step are under way together.
  for (const std::uint32_t hash : hashes) __builtin_prefetch(&kSlots[hash & kSlotMask]);
  for (const std::uint32_t hash : hashes) __builtin_prefetch(&kRows[kSlots[hash & kSlotMask]] - 1);
  for (const std::uint32_t hash : hashes) {
    if (const std::uint16_t slot = kSlots[hash & kSlotMask]; slot != 0)
      __builtin_prefetch(kPool + kRows[slot - 1].name);
  }
}

bool findTarget(std::string_view target, KnownName& found) {
  for (std::uint32_t slot = wordHash(target) & kTargetMask;; slot = (slot + 1) & kTargetMask) {
    if (kTargetSlots[slot] == 0) return false;
    const NameRow& row = kRows[kTargetSlots[slot] - 1];
    if (targetOf(row) != target) continue;
    found = {target, nameOf(row), kLibraries[row.library], row.kind, {}, true};
    return true;
  }
}

void visitNames(void (*visit)(const KnownName& name, void* context), void* context) {
  for (const NameRow& row : std::span(kRows, kRowCount))
    visit({nameOf(row), targetOf(row), kLibraries[row.library], row.kind, {}}, context);
}

std::span<const NameFamily> nameFamilies() {
  static const auto families = [] {
    std::array<NameFamily, std::size(kFamilies)> result{};
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = {kFamilies[i].prefix, kFamilies[i].becomes, kLibraries[kFamilies[i].library]};
    return result;
  }();
  return families;
}

std::string_view mapHeader(std::string_view header, std::string& scratch) {
  for (const TextPair& pair : kHeaders) {
    if (pair.left == header) return pair.right;
  }
  return mapped(kHeaderPrefixes, header, false, scratch);
}

std::string_view unmapHeader(std::string_view header, std::string& scratch) {
  std::string_view found;
  for (const TextPair& pair : kHeaders) {
    if (pair.right == header && (found.empty() || contains(kPreferredHeaders, pair.left))) found = pair.left;
  }
  return found.empty() ? mapped(kHeaderPrefixes, header, true, scratch) : found;
}

namespace {

/// The advice of the row whose prefix the header has.
template <std::size_t N>
const Advice* adviceIn(const UnportedHeader (&rows)[N], std::string_view header) {
  static const auto advices = [&] {
    std::array<Advice, N> result{};
    for (std::size_t i = 0; i < N; ++i) result[i] = adviceOf(rows[i].reason);
    return result;
  }();
  for (std::size_t i = 0; i < N; ++i) {
    // Most differ at once.
    const std::string_view prefix = rows[i].prefix;
    if (!header.empty() && header[0] == prefix[0] && header.starts_with(prefix)) return &advices[i];
  }
  return nullptr;
}

}  // namespace

const Advice* unportedHeader(std::string_view header) { return adviceIn(kUnportedHeaders, header); }
const Advice* notedHeader(std::string_view header) { return adviceIn(kNotedHeaders, header); }

std::span<const std::string_view> unportedHeaders() {
  static const auto beginnings = [] {
    std::array<std::string_view, std::size(kUnportedHeaders) + std::size(kNotedHeaders)> result{};
    std::size_t i = 0;
    for (const UnportedHeader& header : kUnportedHeaders) result[i++] = header.prefix;
    for (const UnportedHeader& header : kNotedHeaders) result[i++] = header.prefix;
    return result;
  }();
  return beginnings;
}

bool isNamespaceMember(std::string_view name) { return contains(kNamespaceMembers, name); }
bool isNamespaceQualifier(std::string_view name) { return contains(kNamespaceQualifiers, name); }
std::span<const std::string_view> namespacesWithOwn() { return kNamespacesWithOwn; }

GuardLevel mapAtLeast(GuardKind kind, long number) {
  if (kind == GuardKind::Architecture) return levelFor(kArchitectureLevels, number, kArchitectureBeyond);
  return levelFor(kVersionLevels, kind == GuardKind::Release ? 1000 * number : number, kVersionBeyond);
}

GuardLevel unmapAtLeast(GuardKind kind, long number) {
  if (kind == GuardKind::Architecture && number <= 100) return {true, number, {}};
  const std::span<const Level> levels = kind == GuardKind::Architecture
                                            ? std::span<const Level>(kArchitectureBack)
                                            : std::span<const Level>(kVersionBack);
  for (const Level& level : levels) {
    if (level.cuda == number) return {true, level.musa, {}};
  }
  return {false, 0, guardExact()};
}

std::span<const std::string_view> faceNames() { return kFaceNames; }
std::string_view faceReason() { return kFaceReason; }

Advice guardRelease() { return adviceOf(kGuardRelease); }
Advice guardExact() { return adviceOf(kGuardExact); }
Advice guardOpaque() { return adviceOf(kGuardOpaque); }
Advice guardTogether() { return adviceOf(kGuardTogether); }
Advice guardEncoding() { return adviceOf(kGuardEncoding); }
Advice guardPtx() { return adviceOf(kGuardPtx); }
Advice guardCapability() { return adviceOf(kGuardCapability); }
Advice guardLibrary() { return adviceOf(kGuardLibraries); }
Advice guardRunning() { return adviceOf(kGuardRunning); }

std::vector<PtxRule> findPtxRules(std::string_view opcode) {
  const auto text = [](const PackedText& packed) {
    return std::string_view(kPtxPool + packed.at, packed.size);
  };
  const auto first =
      std::partition_point(kPtxRules, kPtxRules + kPtxRuleCount,
                           [&](const PackedPtxRule& rule) { return text(rule.opcode) < opcode; });
  std::vector<PtxRule> rules;
  for (auto rule = first; rule != kPtxRules + kPtxRuleCount && text(rule->opcode) == opcode; ++rule) {
    rules.push_back({text(rule->opcode), text(rule->to), text(rule->sources), text(rule->becomes),
                     text(rule->note), rule->carry});
  }
  return rules;
}

const PtxRegister* findPtxRegister(std::string_view name) {
  const auto* found = std::find_if(std::begin(kPtxRegisters), std::end(kPtxRegisters),
                                   [&](const PtxRegister& row) { return row.name == name; });
  return found == std::end(kPtxRegisters) ? nullptr : found;
}

std::span<const PtxHeader> ptxHeaders() { return kPtxHeaders; }

const PtxMeaning* findPtxMeaning(std::string_view opcode) {
  for (const PtxMeaning& row : kPtxMeanings) {
    const bool whole = opcode.size() == row.opcode.size() ||
                       (opcode.size() > row.opcode.size() &&
                        !std::islower(static_cast<unsigned char>(opcode[row.opcode.size()])));
    if (opcode.starts_with(row.opcode) && whole) return &row;
  }
  return nullptr;
}

bool isPtxInstruction(std::string_view word) {
  return std::binary_search(std::begin(kPtxInstructions), std::end(kPtxInstructions), word);
}

bool isForeignModifier(std::string_view modifier) {
  return std::binary_search(std::begin(kForeignModifiers), std::end(kForeignModifiers), modifier);
}

Advice unportedAssembly() { return adviceOf(kUnportedAssembly); }

std::span<const TextPair> headerNames() {
  static const auto all = [] {
    std::array<TextPair, std::size(kHeaders) + std::size(kHeaderPrefixes)> result{};
    std::copy(std::begin(kHeaderPrefixes), std::end(kHeaderPrefixes),
              std::copy(std::begin(kHeaders), std::end(kHeaders), result.begin()));
    return result;
  }();
  return all;
}
std::span<const TextPair> symbolTexts() { return kSymbols; }

std::span<const Target> targets() { return kTargets; }

std::span<const MissingName> missingNames(std::string_view target) {
  const auto [first, last] =
      std::equal_range(std::begin(kMissing), std::end(kMissing), MissingName{target, 0, 0, 0},
                       [](const MissingName& a, const MissingName& b) { return a.name < b.name; });
  return {first, last};
}
Advice adviceOn(const MissingName& missing) { return adviceOf(missing.reason); }

std::span<const IdiomEvidence> idiomEvidence() { return kIdiomEvidence; }

const PlainWord* findPlainWord(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kPlainWords), std::end(kPlainWords),
                                         [&](const PlainWord& word) { return word.name == name; });
  return found != std::end(kPlainWords) ? found : nullptr;
}

const NotedUse* findNotedUse(std::string_view name) {
  const auto found =
      std::lower_bound(std::begin(kNotedUses), std::end(kNotedUses), name,
                       [](const NotedUse& use, std::string_view text) { return use.name < text; });
  return found != std::end(kNotedUses) && found->name == name ? &*found : nullptr;
}
Advice adviceOn(const NotedUse& use) { return adviceOf(use.reason); }

std::size_t knownNames() { return kRowCount; }

}  // namespace musashim::translator
