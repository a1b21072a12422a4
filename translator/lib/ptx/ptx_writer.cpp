// One instruction whose result is an expression of its operands becomes that expression. Everything else
// becomes a block: operands are evaluated once, in order, into variables; registers are variables; results
// are written back at the end.
//
//   asm("mul.lo.u32 %0, %1, %2;" : "=r"(x) : "r"(f()), "r"(y))   x = (unsigned int)(f()) * (unsigned int)(y)
//   asm("{.reg .b32 t; ...}" ...)                                do { unsigned int ptx1 = ...; ... x = ptx0;
//   } while (0)

#include "translator/lib/ptx/ptx_writer.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "translator/lib/ptx/ptx_logic.h"
#include "translator/lib/ptx/ptx_types.h"

namespace musashim::translator {
namespace {

using Kind = PtxOperand::Kind;

bool isSimple(std::string_view expression) {
  return !expression.empty() && std::all_of(expression.begin(), expression.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  });
}

struct Stop {
  std::string problem;
};

class Writer {
 public:
  Writer(const PtxProgram& program, const std::vector<AsmOperand>& operands)
      : program_(program), operands_(operands), matcher_(operands) {}

  PtxWriting run() {
    PtxWriting result;
    try {
      if (program_.instructions.empty()) throw Stop{"it holds no instruction"};
      block_ = !isOneExpression();
      for (const PtxInstruction& instruction : program_.instructions) {
        current_ = &instruction;
        if (instruction.opcode == ":") {
          body_.push_back(labelOf(instruction.operands[0].text) + ":;");
        } else if (instruction.opcode == "bra" || instruction.opcode == "bra.uni") {
          jump(instruction);
        } else {
          write(withoutHint(instruction));
        }
      }
      outerCarry_ = outerCarry_ || carryLeaves_;
      result.outerCarry = outerCarry_;
      result.pieces = block_ ? blockPieces() : body_;
      result.done = true;
      result.notes = notes_;
      result.shortShared = shortShared_;
    } catch (const Stop& stop) {
      result.problem = stop.problem;
      result.instruction = current_ ? current_->opcode : std::string();
    }
    return result;
  }

 private:
  // --- what it becomes ---------------------------------------------------------------------------

  std::string templateOf(const PtxRule& rule, const PtxInstruction& instruction) const {
    if (rule.becomes != "lop3") return std::string(rule.becomes);
    return logicOf(static_cast<unsigned>(*matcher_.literal(instruction.operands[4])));
  }

  static std::size_t uses(std::string_view text, std::size_t source) {
    const std::string mark = "$" + std::to_string(source);
    std::size_t count = 0;
    for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 2))
      ++count;
    return count;
  }

  bool isOneExpression() const {
    if (program_.instructions.size() != 1 || !program_.variables.empty()) return false;
    const PtxInstruction& instruction = program_.instructions[0];
    const std::optional<PtxRule> rule = matcher_.ruleFor(instruction);
    if (!rule || instruction.guarded) return false;
    const std::string becomes = templateOf(*rule, instruction);
    if (becomes.find(';') != std::string::npos || rule->to.starts_with('v')) return false;
    const std::size_t first = rule->to.empty() ? 0 : 1;
    std::size_t written = 0;
    for (const AsmOperand& operand : operands_) {
      if (operand.constraint.starts_with('+')) return false;
      written += operand.constraint.starts_with('=') ? 1 : 0;
    }
    if (written != first || (first == 1 && instruction.operands[0].kind != Kind::Argument)) return false;
    std::vector<bool> used(operands_.size());
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const std::size_t count = i < first ? 1 : uses(becomes, i - first + 1);
      if (!isOnce(instruction.operands[i], count, used)) return false;
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (!used[i] && !isSimple(operands_[i].expression)) return false;
    }
    return true;
  }

  /// Does writing the operand `count` times evaluate each asm operand once (or harmlessly)?
  bool isOnce(const PtxOperand& operand, std::size_t count, std::vector<bool>& used) const {
    if (operand.kind == Kind::Argument && operand.number < used.size()) {
      const bool again = used[operand.number] || count != 1;
      used[operand.number] = true;
      return !again || isSimple(operands_[operand.number].expression);
    }
    return std::all_of(operand.parts.begin(), operand.parts.end(),
                       [&](const PtxOperand& part) { return isOnce(part, count, used); });
  }

  // --- values -------------------------------------------------------------------------------------

  static std::string variableOf(std::string_view registerName) {
    std::string result = "ptx_";
    for (const char c : registerName) result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return result;
  }

  std::string_view typeOf(const std::string& registerName) const {
    for (const PtxVariable& variable : program_.variables) {
      if (variable.name == registerName) return variable.type;
    }
    throw Stop{"it uses a register that is not declared"};
  }

  const AsmOperand& argument(std::size_t number) const {
    if (number >= operands_.size()) throw Stop{"it has more operands than the statement"};
    return operands_[number];
  }

  std::string_view typeOfArgument(std::size_t number) const {
    const std::string_view type = typeOfConstraint(argument(number).constraint);
    if (type.empty()) throw Stop{"a constraint is not r, l, h, f, d or n"};
    return type;
  }

  std::string value(const PtxOperand& operand, std::string_view type) {
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
    if (result.empty()) throw Stop{"an operand is not of the instruction's type"};
    return operand.negated ? "!" + result : result;
  }

  std::string argumentValue(std::size_t number, std::string_view type) {
    const std::string_view own = typeOfArgument(number);
    if (own == "imm")
      return type == "pred" ? "" : "(" + std::string(cppOf(type)) + ")(" + argument(number).expression + ")";
    if (!block_) return converted(argument(number).expression, own, type, false);
    used_.insert({number, true});
    return converted("ptx" + std::to_string(number), own, type, true);
  }

  static std::string specialValue(const std::string& name, std::string_view type) {
    const PtxRegister* found = findPtxRegister(name);
    if (!found) throw Stop{"the special register %" + name + " has no counterpart"};
    const bool oneWord = found->is.find(' ') == std::string_view::npos;
    return converted(oneWord ? std::string(found->is) : "(" + std::string(found->is) + ")", found->type, type,
                     true);
  }

  /// The address operand, or a register that holds one, as a pointer to `type`.
  std::string pointer(const PtxOperand& operand, std::string_view type, bool shared) {
    const PtxOperand& base = operand.kind == Kind::Address ? operand.parts[0] : operand;
    if (base.kind != Kind::Argument && base.kind != Kind::Register)
      throw Stop{"an address is not in a register"};
    const std::string_view own =
        base.kind == Kind::Register ? typeOf(base.text) : typeOfArgument(base.number);
    const bool wide = own == "u64" || own == "b64" || own == "s64";
    if (!wide && !(shared && (own == "u32" || own == "b32")))
      throw Stop{"an address is not in a register of its size"};
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

  std::string displaced(const PtxOperand& operand, const std::string& address) {
    const std::string sign = operand.text.substr(0, 1);
    const std::string by = operand.parts.size() > 1 ? "(" + argument(operand.parts[1].number).expression + ")"
                                                    : operand.text.substr(1);
    return "((char*)" + address + " " + sign + " " + by + ")";
  }

  std::string rawValue(const PtxOperand& base) {
    if (base.kind == Kind::Register) return variableOf(base.text);
    if (!block_) return argument(base.number).expression;
    used_.insert({base.number, true});
    return "ptx" + std::to_string(base.number);
  }

  std::string source(std::string_view type, const PtxOperand& operand) {
    if (type.starts_with("imm") || type == "nibbles") {
      if (operand.kind == Kind::Immediate) return literalOf(operand.text, "u32");
      return "(" + argument(operand.number).expression + ")";
    }
    if (type.starts_with("width")) return std::to_string(shuffleWidth(*matcher_.literal(operand)));
    if (type.starts_with("ptr(")) return pointer(operand, type.substr(4, type.size() - 5), false);
    if (type.starts_with("sptr(")) return pointer(operand, type.substr(5, type.size() - 6), true);
    if (!type.starts_with('v')) return value(operand, type);
    std::string parts;
    for (const PtxOperand& part : components(operand, type))
      parts += (parts.empty() ? "" : ", ") + value(part, type.substr(3));
    return "make_" + std::string(cppOf(type)) + "(" + parts + ")";
  }

  static const std::vector<PtxOperand>& components(const PtxOperand& operand, std::string_view type) {
    if (operand.parts.size() != (type[1] == '2' ? 2U : 4U))
      throw Stop{"a vector has the wrong number of elements"};
    return operand.parts;
  }

  // --- statements ---------------------------------------------------------------------------------

  void write(const PtxInstruction& instruction) {
    const std::optional<PtxRule> rule = matcher_.ruleFor(instruction);
    if (!rule) throw Stop{""};
    if (rule->carry && !carrySet_) outerCarry_ = true;
    if (!rule->note.empty() && std::find(notes_.begin(), notes_.end(), rule->note) == notes_.end())
      notes_.push_back(rule->note);
    const std::size_t before = body_.size();
    apply(*rule, instruction);
    const bool several = body_.size() > before + 1;
    if (!instruction.guarded && !(several && program_.jumps)) return;
    // In brackets, for no jump may go past a variable's beginning.
    std::string whole;
    for (std::size_t i = before; i < body_.size(); ++i) whole += (whole.empty() ? "" : " ") + body_[i];
    body_.resize(before);
    const std::string guard =
        instruction.guarded ? "if (" + value(instruction.guard, "pred") + ") " : std::string();
    body_.push_back(guard + "{ " + whole + " }");
  }

  // Local to the block: what is inlined twice, or stands in a macro, has its labels twice.
  static std::string labelOf(const std::string& name) { return "ptxl" + variableOf(name).substr(3); }

  void jump(const PtxInstruction& instruction) {
    if (instruction.operands.size() != 1) throw Stop{"a jump has no label"};
    const std::string& name = instruction.operands[0].text;
    const bool known = std::any_of(
        program_.instructions.begin(), program_.instructions.end(),
        [&](const PtxInstruction& other) { return other.opcode == ":" && other.operands[0].text == name; });
    if (!known) throw Stop{"it jumps out of the statement"};
    const std::string text = "goto " + labelOf(name) + ";";
    body_.push_back(instruction.guarded ? "if (" + value(instruction.guard, "pred") + ") " + text : text);
  }

  // A carry that is set last may be read by the next statement; one that is read first was set by the last.
  void noteCarry(const std::string& becomes) {
    if (becomes.find("$c") == std::string::npos) return;
    usesCarry_ = true;
    carryLeaves_ = becomes.find("$c =") != std::string::npos;
    carrySet_ = carrySet_ || carryLeaves_;
  }

  // Two destinations: the template is a statement that sets $d and $e.
  void applyPair(const PtxRule& rule, const PtxInstruction& instruction) {
    const auto [first, second] = targetsOf(rule);
    const std::string number = std::to_string(temporaries_++);
    body_.push_back(std::string(cppOf(first)) + " ptxt" + number + "; " + std::string(cppOf(second)) +
                    " ptxe" + number + ";");
    body_.push_back(fill(rule.becomes, rule, instruction, "ptxt" + number));
    assign(instruction.operands[0].parts[0], "ptxt" + number, first, true);
    assign(instruction.operands[0].parts[1], "ptxe" + number, second, true);
  }

  void apply(const PtxRule& rule, const PtxInstruction& instruction) {
    if (!targetsOf(rule).second.empty()) return applyPair(rule, instruction);
    const std::string becomes = templateOf(rule, instruction);
    const bool statement = becomes.find(';') != std::string::npos;
    const bool hasTarget = !rule.to.empty();
    noteCarry(becomes);
    std::string temporary;
    if (hasTarget && (statement || rule.to.starts_with('v')) && becomes.find("$d.") == std::string::npos) {
      temporary = "ptxt" + std::to_string(temporaries_++);
      body_.push_back(std::string(cppOf(rule.to)) + " " + temporary +
                      (statement ? ";" : " = " + fill(becomes, rule, instruction, "") + ";"));
    }
    if (statement) body_.push_back(fill(becomes, rule, instruction, temporary));
    if (!hasTarget) {
      if (!statement) body_.push_back(fill(becomes, rule, instruction, "") + (block_ ? ";" : ""));
      return;
    }
    if (becomes.find("$d.") != std::string::npos) return;
    const PtxOperand& target = instruction.operands[0];
    if (rule.to.starts_with('v')) return assignVector(target, rule.to, temporary);
    if (!temporary.empty()) return assign(target, temporary, rule.to, true);
    assign(target, fill(becomes, rule, instruction, ""), rule.to, false);
  }

  void assignVector(const PtxOperand& target, std::string_view type, const std::string& from) {
    static constexpr const char* kNames[] = {".x", ".y", ".z", ".w"};
    const auto& parts = components(target, type);
    for (std::size_t i = 0; i < parts.size(); ++i) assign(parts[i], from + kNames[i], type.substr(3), true);
  }

  static bool isNarrow(std::string_view type) { return type.ends_with("16") || type.ends_with("8"); }

  /// target = value; `sure`: the value has the C++ type of `type` already.
  void assign(const PtxOperand& target, std::string value, std::string_view type, bool sure) {
    if (target.kind == Kind::Sink) return body_.push_back("(void)(" + value + ");");
    const bool isRegister = target.kind == Kind::Register;
    if (!isRegister && target.kind != Kind::Argument) throw Stop{"the destination is not a register"};
    const std::string_view own = isRegister ? typeOf(target.text) : typeOfArgument(target.number);
    if (own == "imm" || (own == "pred") != (type == "pred"))
      throw Stop{"the destination is not of the instruction's type"};
    const bool crosses = isFloating(own) != isFloating(type) && own != "pred";
    if (!sure && (crosses || isNarrow(type))) value = "(" + std::string(cppOf(type)) + ")(" + value + ")";
    if (crosses) {
      value = converted(value, type, own, true);
      if (value.empty()) throw Stop{"the destination is not of the instruction's type"};
    }
    if (isFloating(own) && own != type && !crosses)
      throw Stop{"the destination is not of the instruction's type"};
    if (isRegister) return body_.push_back(variableOf(target.text) + " = " + value + ";");
    if (!isOutput(target.number) && !isReadLater(target.number)) throw Stop{"it writes to an input operand"};
    if (block_) {
      used_.insert({target.number, true});
      return body_.push_back("ptx" + std::to_string(target.number) + " = " + value + ";");
    }
    const std::string& place = argument(target.number).expression;
    // A 64-bit register may hold a pointer.
    if (own == "u64") value = "(__typeof__(" + place + "))(" + value + ")";
    body_.push_back(place + " = " + value);
  }

  static bool names(const PtxOperand& operand, std::size_t number) {
    if (operand.kind == Kind::Argument && operand.number == number) return true;
    return std::any_of(operand.parts.begin(), operand.parts.end(),
                       [&](const PtxOperand& part) { return names(part, number); });
  }

  /// An input that is written to, and read again, serves as a register of the statement's own.
  bool isReadLater(std::size_t number) const {
    const auto* const end = program_.instructions.data() + program_.instructions.size();
    return block_ && std::any_of(current_ + 1, end, [&](const PtxInstruction& instruction) {
             return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                                [&](const PtxOperand& operand) { return names(operand, number); });
           });
  }

  bool isOutput(std::size_t number) const {
    const std::string& constraint = argument(number).constraint;
    return constraint.starts_with('=') || constraint.starts_with('+');
  }

  std::string fill(std::string_view becomes, const PtxRule& rule, const PtxInstruction& instruction,
                   const std::string& target) {
    static constexpr std::string_view kComponents = "xyzw";
    const auto sources = sourcesOf(rule);
    const std::size_t first = rule.to.empty() ? 0 : 1;
    std::string result;
    for (std::size_t i = 0; i < becomes.size(); ++i) {
      if (becomes[i] != '$') {
        result += becomes[i];
        continue;
      }
      const char mark = becomes[++i];
      const bool part = i + 2 < becomes.size() && becomes[i + 1] == '.' &&
                        kComponents.find(becomes[i + 2]) != std::string_view::npos;
      const std::size_t component = part ? kComponents.find(becomes[i + 2]) : 0;
      if (mark == 'c') {
        result += block_ ? "ptxc" : "musaportCarry()";
      } else if (mark == 'e') {
        result += "ptxe" + target.substr(4);
      } else if (mark == 'd') {
        result += part && target.empty() ? place(instruction.operands[0], component) : target;
        if (part && target.empty()) i += 2;
      } else {
        const auto index = static_cast<std::size_t>(mark - '1');
        const PtxOperand& operand = instruction.operands[first + index];
        const bool element = part && operand.kind == Kind::Vector && component < operand.parts.size();
        result += element ? value(operand.parts[component], sources[index].substr(3))
                          : source(sources[index], operand);
        if (element) i += 2;
      }
    }
    return result;
  }

  /// The variable of an element of a destination vector.
  std::string place(const PtxOperand& vector, std::size_t component) {
    if (component >= vector.parts.size()) throw Stop{"a vector has the wrong number of elements"};
    const PtxOperand& part = vector.parts[component];
    if (part.kind == Kind::Register) return variableOf(part.text);
    if (part.kind != Kind::Argument || !isOutput(part.number)) {
      const std::string sink = "ptxt" + std::to_string(temporaries_++);
      if (part.kind != Kind::Sink) throw Stop{"the destination is not a register"};
      body_.push_back("unsigned int " + sink + ";");
      return sink;
    }
    (void)typeOfArgument(part.number);
    used_.insert({part.number, true});
    return "ptx" + std::to_string(part.number);
  }

  std::vector<std::string> blockPieces() {
    std::vector<std::string> pieces = {"do {"};
    for (const PtxInstruction& instruction : program_.instructions) {
      if (instruction.opcode == ":")
        pieces.push_back("__label__ " + labelOf(instruction.operands[0].text) + ";");
    }
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const AsmOperand& operand = operands_[i];
      if (typeOfConstraint(operand.constraint) == "imm") continue;
      if (!used_.count(i)) {
        if (!isSimple(operand.expression) && !isOutput(i))
          pieces.push_back("(void)(" + operand.expression + ");");
        continue;
      }
      const std::string_view type = typeOfConstraint(operand.constraint);
      std::string piece = std::string(cppOf(type)) + " ptx" + std::to_string(i);
      if (!operand.constraint.starts_with('='))
        piece += " = (" + std::string(cppOf(type)) + ")(" + operand.expression + ")";
      pieces.push_back(piece + ";");
    }
    for (const PtxVariable& variable : program_.variables) {
      if (cppOf(variable.type).empty()) throw Stop{"a register's type is not known"};
      pieces.push_back(std::string(cppOf(variable.type)) + " " + variableOf(variable.name) + ";");
    }
    if (usesCarry_) pieces.emplace_back(outerCarry_ ? "bool& ptxc = musaportCarry();" : "bool ptxc = false;");
    pieces.insert(pieces.end(), body_.begin(), body_.end());
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      if (!isOutput(i) || !used_.count(i)) continue;
      const std::string& place = operands_[i].expression;
      const bool wide = typeOfConstraint(operands_[i].constraint) == "u64";
      pieces.push_back(place + " = " + (wide ? "(__typeof__(" + place + "))" : "") + "ptx" +
                       std::to_string(i) + ";");
    }
    pieces.emplace_back("} while (0)");
    return pieces;
  }

  const PtxProgram& program_;
  const std::vector<AsmOperand>& operands_;
  const PtxMatcher matcher_;
  const PtxInstruction* current_ = nullptr;
  bool block_ = false;
  bool carrySet_ = false;
  bool usesCarry_ = false;
  bool carryLeaves_ = false;
  bool outerCarry_ = false;
  bool shortShared_ = false;
  std::size_t temporaries_ = 0;
  std::map<std::size_t, bool> used_;  // asm operands that need a variable
  std::vector<std::string> body_;
  std::vector<std::string_view> notes_;
};

}  // namespace

PtxWriting writePtx(const PtxProgram& program, const std::vector<AsmOperand>& operands) {
  return Writer(program, operands).run();
}

}  // namespace musashim::translator
