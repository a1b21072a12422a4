#pragma once

// Which rule of mappings/ptx.yml an instruction goes by.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "translator/lib/names/table.h"
#include "translator/lib/ptx/ptx_parser.h"

namespace musashim::translator {

/// An operand of the asm statement.
struct AsmOperand {
  std::string constraint;  // "=r", "+l", "n"
  std::string expression;
};

/// The instruction without the operand that holds a cache policy.
PtxInstruction withoutHint(PtxInstruction instruction);

/// A rule's sources.
std::vector<std::string_view> sourcesOf(const PtxRule& rule);

/// A rule's destinations: "b32|pred" => "b32" and "pred".
std::pair<std::string_view, std::string_view> targetsOf(const PtxRule& rule);

/// The width of a shuffle whose operand packs it; 0 if that is no power of two.
unsigned shuffleWidth(unsigned long long packed);

class PtxMatcher {
 public:
  explicit PtxMatcher(const std::vector<AsmOperand>& operands) : operands_(operands) {}

  std::optional<PtxRule> ruleFor(const PtxInstruction& instruction) const;
  /// The C++ of a rule that is the instruction's, with $d, $1, ... for its operands.
  std::string templateOf(const PtxRule& rule, const PtxInstruction& instruction) const;
  /// The value of an immediate operand that is a plain number.
  std::optional<unsigned long long> literal(const PtxOperand& operand) const;

 private:
  std::optional<PtxRule> ruleFor(const std::string& opcode, const PtxInstruction& instruction) const;
  bool fits(const PtxRule& rule, const PtxInstruction& instruction) const;
  bool fits(std::string_view source, const PtxOperand& operand) const;
  bool isImmediate(const PtxOperand& operand) const;

  const std::vector<AsmOperand>& operands_;
};

}  // namespace musashim::translator
