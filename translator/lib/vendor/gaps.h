#pragma once

// What public sources say that the vendor's SDK lacks: mappings/vendor.yml, compiled in by tools/vendor.py.

#include <cstdint>
#include <string_view>

namespace musashim::translator {

enum class VendorEvidence : std::uint8_t {
  Absent,    // a public source says that it is not there
  Limited,   // it is there, but not with all of its meaning, not everywhere, or not in every release
  Own,       // this SDK alone has it
  Unproven,  // in no public source
};

/// Forms of code that limit a gap's names and headers, or stand for them.
enum class VendorCode : std::uint8_t {
  None,
  InstantiatedInLoop,  // the names, called in a loop
  NarrowOperators,     // operators of the types that are named
  InlineAssembly,      // asm in device code, but for asm("trap;") and fences of the compiler
  RestrictMembers,     // members that are arrays of restricted pointers
  HeadersOfDefined,    // the headers, where __CUDA__ is defined
  SeveralStandards,    // more than one -std= in a command
};

struct VendorGap {
  std::string_view id;
  VendorEvidence evidence;
  VendorCode code;
  std::string_view reason;
  std::string_view remedy;
  std::string_view source;
};

/// Null: nothing says that the vendor's SDK lacks it. `name` is unqualified, or NAMESPACE::NAME,
/// RECORD::METHOD.
const VendorGap* vendorGapOfName(std::string_view name);
/// `header` as in #include.
const VendorGap* vendorGapOfHeader(std::string_view header);
/// `option` as in the command, with its value.
const VendorGap* vendorGapOfOption(std::string_view option);
/// The gap that a form of code makes.
const VendorGap& vendorGapOfCode(VendorCode code);

/// Words for whoever uses it: why, and what to do.
std::string_view wordsOf(VendorEvidence evidence);

}  // namespace musashim::translator
