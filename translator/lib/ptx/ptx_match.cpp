#include "translator/lib/ptx/ptx_match.h"

#include <algorithm>

#include "translator/lib/ptx/ptx_logic.h"
#include "translator/lib/ptx/ptx_types.h"

namespace musashim::translator {
namespace {

using Kind = PtxOperand::Kind;

constexpr std::string_view kCacheHint = ".L2::cache_hint";

/// Without modifiers that are hints; with one spelling for the block's own shared memory.
std::string plainOpcode(std::string_view opcode) {
  std::string result;
  while (!opcode.empty()) {
    const std::size_t next = std::min(opcode.find('.', 1), opcode.size());
    std::string_view part = opcode.substr(0, next);
    opcode.remove_prefix(next);
    if (part.starts_with(".L1::") || part.starts_with(".L2::")) continue;
    // Without clusters, a block's shared memory is all that there is.
    if (part == ".shared::cta" || part == ".shared::cluster") part = ".shared";
    result += part;
  }
  return result;
}

/// Without ".ftz"; the same if there is none.
std::string keepingDenormals(std::string opcode) {
  const std::size_t at = opcode.find(".ftz");
  return at == std::string::npos ? opcode : opcode.erase(at, 4);
}

constexpr std::string_view kDenormals =
    "denormal numbers are flushed to zero only where the whole file is compiled so";

/// "12", "12u", "0x10" => value; nothing for names.
std::optional<unsigned long long> constantOf(std::string_view expression) {
  while (!expression.empty() && expression.front() == ' ') expression.remove_prefix(1);
  while (!expression.empty() && expression.back() == ' ') expression.remove_suffix(1);
  return integerOf(expression);
}

/// One number need not be in braces.
bool fitsVector(std::string_view type, const PtxOperand& operand) {
  const std::size_t elements = elementsOf(type);
  if (operand.kind == Kind::Vector) return operand.parts.size() == elements;
  return elements <= 1;
}

}  // namespace

PtxInstruction withoutHint(PtxInstruction instruction) {
  if (instruction.opcode.find(kCacheHint) != std::string::npos && !instruction.operands.empty())
    instruction.operands.pop_back();
  return instruction;
}

std::vector<std::string_view> sourcesOf(const PtxRule& rule) {
  std::string_view sources = rule.sources;
  std::vector<std::string_view> result;
  while (!sources.empty()) {
    const std::size_t end = std::min(sources.find(' '), sources.size());
    result.push_back(sources.substr(0, end));
    sources.remove_prefix(std::min(end + 1, sources.size()));
  }
  return result;
}

std::pair<std::string_view, std::string_view> targetsOf(const PtxRule& rule) {
  const std::size_t bar = rule.to.find('|');
  return {rule.to.substr(0, bar),
          bar == std::string_view::npos ? std::string_view() : rule.to.substr(bar + 1)};
}

unsigned shuffleWidth(unsigned long long packed) {
  const auto width = static_cast<unsigned>(32 - (packed >> 8 & 31));
  return (width & (width - 1)) == 0 ? width : 0;
}

std::optional<PtxRule> PtxMatcher::ruleFor(const PtxInstruction& instruction) const {
  const std::string opcode = plainOpcode(instruction.opcode);
  if (auto rule = ruleFor(opcode, instruction)) return rule;
  const std::string other = keepingDenormals(opcode);
  auto rule = other == opcode ? std::nullopt : ruleFor(other, instruction);
  if (rule && rule->note.empty()) rule->note = kDenormals;
  return rule;
}

std::optional<PtxRule> PtxMatcher::ruleFor(const std::string& opcode,
                                           const PtxInstruction& instruction) const {
  for (const PtxRule& rule : findPtxRules(opcode)) {
    if (fits(rule, instruction)) return rule;
  }
  return std::nullopt;
}

bool PtxMatcher::fits(const PtxRule& rule, const PtxInstruction& instruction) const {
  const auto sources = sourcesOf(rule);
  const std::size_t first = rule.to.empty() ? 0 : 1;
  if (instruction.operands.size() != first + sources.size()) return false;
  if (first == 1 && !fitsVector(rule.to, instruction.operands[0])) return false;
  if (first == 1 && (instruction.operands[0].kind == Kind::Pair) == targetsOf(rule).second.empty())
    return false;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!fits(sources[i], instruction.operands[first + i])) return false;
  }
  return true;
}

bool PtxMatcher::fits(std::string_view source, const PtxOperand& operand) const {
  if (source == "imm") return isImmediate(operand);
  const auto value = literal(operand);
  if (source.starts_with("imm<")) return value && *value < *integerOf(source.substr(4));
  if (source.starts_with("imm=")) return value && *value == *integerOf(source.substr(4));
  if (source == "nibbles") return value && (*value & 0x8888U) == 0;
  if (source == "width31") return value && (*value & 0x1F) == 0x1F && shuffleWidth(*value) != 0;
  if (source == "width0") return value && (*value & 0x1F) == 0 && shuffleWidth(*value) != 0;
  if (source.starts_with("ptr(void)")) return operand.kind != Kind::Vector;
  if (source.starts_with("ptr(") || source.starts_with("sptr(")) return operand.kind == Kind::Address;
  if (source.starts_with('v')) return operand.kind != Kind::Address && fitsVector(source, operand);
  return operand.kind != Kind::Vector && operand.kind != Kind::Address;
}

std::optional<unsigned long long> PtxMatcher::literal(const PtxOperand& operand) const {
  if (operand.kind == Kind::Immediate) return integerOf(operand.text);
  if (isImmediate(operand)) return constantOf(operands_[operand.number].expression);
  return std::nullopt;
}

std::string PtxMatcher::templateOf(const PtxRule& rule, const PtxInstruction& instruction) const {
  if (rule.becomes != "lop3") return std::string(rule.becomes);
  return logicOf(static_cast<unsigned>(*literal(instruction.operands[4])));
}

bool PtxMatcher::isImmediate(const PtxOperand& operand) const {
  return operand.kind == Kind::Immediate ||
         (operand.kind == Kind::Argument && operand.number < operands_.size() &&
          typeOfConstraint(operands_[operand.number].constraint) == "imm");
}

}  // namespace musashim::translator
