#include "translator/lib/ptx/ptx_expression.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

namespace musashim::translator {
namespace {

std::size_t uses(std::string_view text, std::size_t source) {
  const std::string mark = "$" + std::to_string(source);
  std::size_t count = 0;
  for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 2)) ++count;
  return count;
}

/// Does writing the operand `count` times evaluate each asm operand once (or harmlessly)?
bool isOnce(const PtxOperand& operand, const std::vector<AsmOperand>& operands, std::size_t count,
            std::vector<bool>& used) {
  if (operand.kind == PtxOperand::Kind::Argument && operand.number < used.size()) {
    const bool again = used[operand.number] || count != 1;
    used[operand.number] = true;
    return !again || isSimple(operands[operand.number].expression);
  }
  return std::all_of(operand.parts.begin(), operand.parts.end(),
                     [&](const PtxOperand& part) { return isOnce(part, operands, count, used); });
}

}  // namespace

bool isSimple(std::string_view expression) {
  return !expression.empty() && std::all_of(expression.begin(), expression.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  });
}

bool isOneExpression(const PtxProgram& program, const std::vector<AsmOperand>& operands) {
  if (program.instructions.size() != 1 || !program.variables.empty()) return false;
  const PtxInstruction& instruction = program.instructions[0];
  const PtxMatcher matcher(operands);
  const std::optional<PtxRule> rule = matcher.ruleFor(instruction);
  if (!rule || instruction.guarded) return false;
  const std::string becomes = matcher.templateOf(*rule, instruction);
  if (becomes.find(';') != std::string::npos || rule->to.starts_with('v')) return false;
  const std::size_t first = rule->to.empty() ? 0 : 1;
  std::size_t written = 0;
  for (const AsmOperand& operand : operands) {
    if (operand.constraint.starts_with('+')) return false;
    written += operand.constraint.starts_with('=') ? 1 : 0;
  }
  if (written != first || (first == 1 && instruction.operands[0].kind != PtxOperand::Kind::Argument))
    return false;
  std::vector<bool> used(operands.size());
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const std::size_t count = i < first ? 1 : uses(becomes, i - first + 1);
    if (!isOnce(instruction.operands[i], operands, count, used)) return false;
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i] && !isSimple(operands[i].expression)) return false;
  }
  return true;
}

}  // namespace musashim::translator
