#include "translator/lib/ptx/ptx_values.h"

#include <cctype>

#include "translator/lib/ptx/ptx_types.h"

namespace musashim::translator {
namespace {

using Kind = PtxOperand::Kind;

std::string specialValue(const std::string& name, std::string_view type) {
  const PtxRegister* found = findPtxRegister(name);
  if (!found) throw PtxStop{"the special register %" + name + " has no counterpart"};
  const bool oneWord = found->is.find(' ') == std::string_view::npos;
  return converted(oneWord ? std::string(found->is) : "(" + std::string(found->is) + ")", found->type, type,
                   true);
}

}  // namespace

std::string variableOf(std::string_view registerName) {
  std::string result = "ptx_";
  for (const char c : registerName) result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return result;
}

const std::vector<PtxOperand>& componentsOf(const PtxOperand& operand, std::string_view type) {
  if (operand.parts.size() != elementsOf(type)) throw PtxStop{"a vector has the wrong number of elements"};
  return operand.parts;
}

const AsmOperand& PtxValues::argument(std::size_t number) const {
  if (number >= operands_.size()) throw PtxStop{"it has more operands than the statement"};
  return operands_[number];
}

std::string_view PtxValues::typeOfArgument(std::size_t number) const {
  const std::string_view type = typeOfConstraint(argument(number).constraint);
  if (type.empty()) throw PtxStop{"a constraint is not r, l, h, f, d or n"};
  return type;
}

std::string_view PtxValues::typeOf(const std::string& registerName) const {
  for (const PtxVariable& variable : program_.variables) {
    if (variable.name == registerName) return variable.type;
  }
  throw PtxStop{"it uses a register that is not declared"};
}

std::string PtxValues::value(const PtxOperand& operand, std::string_view type) {
  std::string result;
  switch (operand.kind) {
    case Kind::Argument:
      result = argumentValue(operand.number, type);
      break;
    case Kind::Register:
      result = converted(variableOf(operand.text), typeOf(operand.text), type, true);
      break;
    case Kind::Special:
      result = specialValue(operand.text, type);
      break;
    case Kind::Immediate:
      result = literalOf(operand.text, type);
      break;
    default:
      break;
  }
  if (result.empty()) throw PtxStop{"an operand is not of the instruction's type"};
  return operand.negated ? "!" + result : result;
}

std::string PtxValues::argumentValue(std::size_t number, std::string_view type) {
  const std::string_view own = typeOfArgument(number);
  if (own == "imm")
    return type == "pred" ? "" : "(" + std::string(cppOf(type)) + ")(" + argument(number).expression + ")";
  if (!block_) return converted(argument(number).expression, own, type, false);
  return converted(argumentVariable(number), own, type, true);
}

std::string PtxValues::argumentVariable(std::size_t number) {
  used_.insert(number);
  return "ptx" + std::to_string(number);
}

std::string PtxValues::rawValue(const PtxOperand& base) {
  if (base.kind == Kind::Register) return variableOf(base.text);
  return block_ ? argumentVariable(base.number) : argument(base.number).expression;
}

/// The address operand, or a register that holds one, as a pointer to `type`.
std::string PtxValues::pointer(const PtxOperand& operand, std::string_view type, bool shared) {
  const PtxOperand& base = operand.kind == Kind::Address ? operand.parts[0] : operand;
  if (base.kind != Kind::Argument && base.kind != Kind::Register)
    throw PtxStop{"an address is not in a register"};
  const std::string_view own = base.kind == Kind::Register ? typeOf(base.text) : typeOfArgument(base.number);
  const bool wide = own == "u64" || own == "b64" || own == "s64";
  if (!wide && !(shared && (own == "u32" || own == "b32")))
    throw PtxStop{"an address is not in a register of its size"};
  if (!wide) shortShared_ = true;
  std::string address;
  if (shared) {
    address = "__cvta_shared_to_generic((size_t)(" + rawValue(base) + "))";
  } else {
    address = base.kind == Kind::Register || block_ ? rawValue(base) : "(" + rawValue(base) + ")";
  }
  if (operand.kind == Kind::Address && !operand.text.empty()) address = displaced(operand, address);
  return "(" + std::string(cppOf(type)) + "*)" + address;
}

std::string PtxValues::displaced(const PtxOperand& operand, const std::string& address) const {
  const std::string sign = operand.text.substr(0, 1);
  const std::string by = operand.parts.size() > 1 ? "(" + argument(operand.parts[1].number).expression + ")"
                                                  : operand.text.substr(1);
  return "((char*)" + address + " " + sign + " " + by + ")";
}

std::string PtxValues::source(std::string_view type, const PtxOperand& operand) {
  if (type.starts_with("imm") || type == "nibbles") {
    if (operand.kind == Kind::Immediate) return literalOf(operand.text, "u32");
    return "(" + argument(operand.number).expression + ")";
  }
  if (type.starts_with("width")) return std::to_string(shuffleWidth(*matcher_.literal(operand)));
  if (type.starts_with("ptr(")) return pointer(operand, type.substr(4, type.size() - 5), false);
  if (type.starts_with("sptr(")) return pointer(operand, type.substr(5, type.size() - 6), true);
  if (!type.starts_with('v')) return value(operand, type);
  if (operand.kind != Kind::Vector) return value(operand, type.substr(3));
  if (elementsOf(type) == 1) return value(componentsOf(operand, type)[0], type.substr(3));
  std::string parts;
  for (const PtxOperand& part : componentsOf(operand, type))
    parts += (parts.empty() ? "" : ", ") + value(part, type.substr(3));
  if (elementsOf(type) == 8) return std::string(cppOf(type)) + "{{" + parts + "}}";
  return "make_" + std::string(cppOf(type)) + "(" + parts + ")";
}

}  // namespace musashim::translator
