#pragma once

// The mapping data, compiled in: generated from translator/mappings by tools/gen_tables.py.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace musashim::translator {

enum class NameKind : std::uint8_t {
  Rename,        // target is the MUSA name
  Call,          // NAME() becomes target
  Unported,      // stays, and is reported with the reason
  Architecture,  // __CUDA_ARCH__: renamed only together with the number it is compared with
  Version,       // CUDA_VERSION, CUDART_VERSION: likewise
  Word,          // cuda, nccl, ...: renamed beside ## and as libcu++'s namespace only
  Assembly,      // asm and its spellings
  HasInclude,    // __has_include
  Symbol,        // a text of strings only: environment variable, library file
};

struct KnownName {
  std::string_view name;
  std::string_view target;
  std::string_view library;
  NameKind kind;
  std::uint16_t reason;  // see reasonText(); 0: none
};

/// One bit for each pair of characters that a known name starts with.
extern const std::array<std::uint8_t, 65536 / 8> kPairFilter;

/// False for most identifiers that are no known name, from their first two characters.
inline bool mayBeKnown(char first, char second) {
  const unsigned pair = static_cast<unsigned char>(first) * 256U + static_cast<unsigned char>(second);
  return (kPairFilter[pair / 8] >> (pair % 8)) & 1U;
}

/// Looks `name` up; false if it is not known.
bool findName(std::string_view name, KnownName& found);

std::string_view reasonText(std::uint16_t reason);
std::string_view remedyText(std::uint16_t reason);

/// The MUSA name of a CUDA header as written in #include; empty if it has none.
/// `scratch` holds the result when it is composed of a prefix and the rest.
std::string_view mapHeader(std::string_view header, std::string& scratch);
/// Reason index if the header belongs to a library without a counterpart, else 0.
std::uint16_t unportedHeader(std::string_view header);

bool isNamespaceMember(std::string_view name);     // cuda::NAME of libcu++
bool isNamespaceQualifier(std::string_view name);  // NAME::cuda

enum class GuardKind : std::uint8_t { Architecture, Version };

/// What a comparison "at least `number`" becomes.
struct GuardLevel {
  bool mapped;
  long number;           // meaningful if mapped
  std::uint16_t reason;  // meaningful if not
};
GuardLevel mapAtLeast(GuardKind kind, long number);

std::uint16_t guardExactReason();
std::uint16_t guardOpaqueReason();
std::uint16_t guardEncodingReason();
std::uint16_t guardPtxReason();

struct AssemblyRule {
  std::string_view text;         // instruction text without blanks
  std::string_view constraints;  // comma-separated, outputs first
  std::string_view becomes;      // {N} is the expression of operand N
};
/// The rule for an instruction text without blanks and its constraints, or null.
const AssemblyRule* findAssembly(std::string_view text, std::string_view constraints);
std::uint16_t unportedAssemblyReason();

/// Number of known names, for --version.
std::size_t knownNames();

}  // namespace musashim::translator
