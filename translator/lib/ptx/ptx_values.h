#pragma once

// Operands of PTX as C++ expressions: operands of the asm statement, registers, literals, addresses.

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/ptx/ptx_match.h"

namespace musashim::translator {

/// Thrown where there is no C++ for the statement.
struct PtxStop {
  std::string problem;
};

/// The variable that stands for a register which the PTX declares.
std::string variableOf(std::string_view registerName);

/// Elements of a vector operand of the type.
const std::vector<PtxOperand>& componentsOf(const PtxOperand& operand, std::string_view type);

class PtxValues {
 public:
  /// `block`: the asm operands are evaluated into variables first; else they are written as they are.
  PtxValues(const PtxProgram& program, const std::vector<AsmOperand>& operands, bool block)
      : program_(program), operands_(operands), matcher_(operands), block_(block) {}

  const AsmOperand& argument(std::size_t number) const;
  std::string_view typeOfArgument(std::size_t number) const;
  std::string_view typeOf(const std::string& registerName) const;

  /// An operand as an expression of a plain type.
  std::string value(const PtxOperand& operand, std::string_view type);
  /// An operand as a rule's source, whose type may be a pointer, a vector, or of what must be a literal.
  std::string source(std::string_view type, const PtxOperand& operand);

  /// In a block, the variable of an asm operand, which has one from now on.
  std::string argumentVariable(std::size_t number);
  bool hasVariable(std::size_t number) const { return used_.contains(number); }
  /// Was a shared address taken from a register of 32 bits?
  bool shortShared() const { return shortShared_; }

 private:
  std::string argumentValue(std::size_t number, std::string_view type);
  std::string rawValue(const PtxOperand& base);
  std::string pointer(const PtxOperand& operand, std::string_view type, bool shared);
  std::string displaced(const PtxOperand& operand, const std::string& address) const;

  const PtxProgram& program_;
  const std::vector<AsmOperand>& operands_;
  const PtxMatcher matcher_;
  const bool block_;
  bool shortShared_ = false;
  std::set<std::size_t> used_;  // asm operands that need a variable
};

}  // namespace musashim::translator
