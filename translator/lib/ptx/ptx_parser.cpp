#include "translator/lib/ptx/ptx_parser.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "translator/lib/names/table.h"

namespace musashim::translator {
namespace {

constexpr std::size_t kMostVariables = 256;

bool isBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool isWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }
bool isWord(char c) { return isWordStart(c) || isDigit(c); }

struct Failure {
  const char* what;
};

class Parser {
 public:
  Parser(std::string_view code, bool extended, PtxProgram& program)
      : code_(code), extended_(extended), program_(program) {}

  void run() {
    for (skip(); at_ < code_.size(); skip()) statement();
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < code_.size() ? code_[at_ + ahead] : '\0'; }

  void skip() {
    for (;;) {
      while (at_ < code_.size() && isBlank(code_[at_])) ++at_;
      if (code_.substr(at_).starts_with("//")) {
        at_ = std::min(code_.find('\n', at_), code_.size());
      } else if (code_.substr(at_).starts_with("/*")) {
        const std::size_t end = code_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? code_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  bool accept(char c) {
    skip();
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c, const char* what) {
    if (!accept(c)) throw Failure{what};
  }

  std::string word() {
    skip();
    const std::size_t from = at_;
    if (isWordStart(peek())) {
      while (isWord(peek())) ++at_;
    }
    return std::string(code_.substr(from, at_ - from));
  }

  void statement() {
    if (accept('{') || accept('}') || accept(';')) return;
    if (peek() == '.') return declaration();
    PtxInstruction instruction;
    if (accept('@')) {
      instruction.guarded = true;
      const bool negated = accept('!');
      instruction.guard = operand();
      instruction.guard.negated = negated;
    }
    instruction.opcode = opcode();
    if (accept(':')) {
      program_.jumps = true;
      PtxOperand label{PtxOperand::Kind::Label, std::move(instruction.opcode), 0, false, {}};
      instruction.opcode = ":";
      instruction.operands.push_back(std::move(label));
      program_.instructions.push_back(std::move(instruction));
      return;
    }
    if (instruction.opcode == "bra" || instruction.opcode == "bra.uni") program_.jumps = true;
    skip();
    if (at_ < code_.size() && peek() != ';') {
      do {
        instruction.operands.push_back(operand());
      } while (accept(','));
    }
    // The last instruction of a text may go without its semicolon.
    skip();
    if (at_ < code_.size()) expect(';', "an instruction does not end with a semicolon");
    program_.instructions.push_back(std::move(instruction));
  }

  std::string opcode() {
    skip();
    const std::size_t from = at_;
    if (!isWordStart(peek())) throw Failure{"an instruction does not begin with a name"};
    while (isWord(peek()) || peek() == '.' || (peek() == ':' && peek(1) == ':')) at_ += peek() == ':' ? 2 : 1;
    return std::string(code_.substr(from, at_ - from));
  }

  /// .reg .b32 a, %r<4>;
  void declaration() {
    ++at_;
    const std::string space = word();
    if (space != "reg") throw Failure{"it declares variables in memory"};
    std::string type;
    while (accept('.')) {
      type = word();
      if (type == "v2" || type == "v4") throw Failure{"it declares vector registers"};
    }
    do {
      skip();
      const bool percent = acceptPercent();
      std::string name = (percent ? "%" : "") + word();
      if (name.empty() || name == "%") throw Failure{"a declaration has no name"};
      if (accept('<')) {
        const std::size_t count = std::min<std::size_t>(numberAt(), kMostVariables);
        expect('>', "a range of registers is not closed");
        for (std::size_t i = 0; i < count; ++i) declare(name + std::to_string(i), type);
      } else {
        declare(name, type);
      }
    } while (accept(','));
    skip();
    if (at_ < code_.size()) expect(';', "a declaration does not end with a semicolon");
  }

  void declare(std::string name, const std::string& type) {
    if (program_.variables.size() >= kMostVariables) throw Failure{"it declares too many registers"};
    program_.variables.push_back({std::move(name), type});
  }

  std::size_t numberAt() {
    skip();
    std::size_t value = 0;
    if (!isDigit(peek())) throw Failure{"a number is missing"};
    while (isDigit(peek()))
      value = std::min<std::size_t>(value * 10 + static_cast<std::size_t>(code_[at_++] - '0'), 1U << 20);
    return value;
  }

  bool acceptPercent() {
    if (peek() != '%') return false;
    at_ += extended_ && peek(1) == '%' ? 2 : 1;
    return true;
  }

  PtxOperand operand() {
    if (++depth_ > 8) throw Failure{"brackets are nested too deeply"};
    PtxOperand result = single();
    if (accept('|')) {
      PtxOperand second = single();
      PtxOperand pair{PtxOperand::Kind::Pair, "", 0, false, {}};
      pair.parts.push_back(std::move(result));
      pair.parts.push_back(std::move(second));
      result = std::move(pair);
    }
    --depth_;
    return result;
  }

  PtxOperand single() {
    skip();
    if (accept('[')) return address();
    if (accept('{')) return vector();
    const bool negated = accept('!');
    PtxOperand result = simple();
    result.negated = negated;
    return result;
  }

  PtxOperand address() {
    PtxOperand result{PtxOperand::Kind::Address, "", 0, false, {}};
    result.parts.push_back(operand());
    skip();
    if (peek() == '+' || peek() == '-') {
      const char sign = code_[at_++];
      skip();
      if (peek() == '%' && !(extended_ && peek(1) == '%')) {
        ++at_;
        result.parts.push_back({PtxOperand::Kind::Argument, "", numberAt(), false, {}});
        result.text = sign;
      } else {
        if (accept('-')) throw Failure{"an address has two signs"};
        result.text = sign + number();
      }
    }
    if (accept(',')) throw Failure{"it addresses by coordinates"};
    expect(']', "an address is not closed");
    return result;
  }

  PtxOperand vector() {
    PtxOperand result{PtxOperand::Kind::Vector, "", 0, false, {}};
    do {
      result.parts.push_back(operand());
    } while (accept(','));
    expect('}', "a vector is not closed");
    return result;
  }

  /// The sign in 1.5e-3.
  bool isSignOfExponent(std::size_t from) const {
    if ((peek() != '+' && peek() != '-') || at_ == from || !isDigit(peek(1))) return false;
    const std::string_view before = code_.substr(from, at_ - from);
    return (before.ends_with('e') || before.ends_with('E')) && before.find('.') != std::string_view::npos;
  }

  std::string number() {
    skip();
    const std::size_t from = at_;
    while (isWord(peek()) || peek() == '.' || isSignOfExponent(from)) ++at_;
    if (from == at_ || !isDigit(code_[from])) throw Failure{"a number is missing"};
    return std::string(code_.substr(from, at_ - from));
  }

  PtxOperand simple() {
    skip();
    if (peek() == '-') {
      ++at_;
      return {PtxOperand::Kind::Immediate, "-" + number(), 0, false, {}};
    }
    if (isDigit(peek())) return {PtxOperand::Kind::Immediate, number(), 0, false, {}};
    if (peek() == '%') return percent();
    const std::string name = word();
    if (name.empty()) throw Failure{"an operand is missing"};
    if (name == "_") return {PtxOperand::Kind::Sink, "", 0, false, {}};
    if (name == "WARP_SZ") return {PtxOperand::Kind::Special, name, 0, false, {}};
    return {isDeclared(name) ? PtxOperand::Kind::Register : PtxOperand::Kind::Label, name, 0, false, {}};
  }

  PtxOperand percent() {
    const bool literal = extended_ && peek(1) == '%';
    at_ += literal ? 2 : 1;
    if (extended_ && !literal && isDigit(peek()))
      return {PtxOperand::Kind::Argument, "", numberAt(), false, {}};
    std::string name = word();
    if (name.empty()) throw Failure{"a percent sign stands alone"};
    if (isDeclared("%" + name)) return {PtxOperand::Kind::Register, "%" + name, 0, false, {}};
    while (peek() == '.' && isWordStart(peek(1))) {
      ++at_;
      name += "." + word();
    }
    return {PtxOperand::Kind::Special, name, 0, false, {}};
  }

  bool isDeclared(const std::string& name) const {
    return std::any_of(program_.variables.begin(), program_.variables.end(),
                       [&](const PtxVariable& variable) { return variable.name == name; });
  }

  std::string_view code_;
  bool extended_;
  PtxProgram& program_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

bool parsePtx(std::string_view code, bool extended, PtxProgram& program, std::string& problem) {
  try {
    Parser(code, extended, program).run();
    return true;
  } catch (const Failure& failure) {
    problem = failure.what;
    return false;
  }
}

namespace {

/// Is the qualified opcode one of PTX, rather than of a processor that qualifies its own by points, too:
/// fadd.s, vle32.v, vadd.f32, b.ne?
bool isPtx(std::string_view opcode) {
  const std::size_t point = opcode.find('.');
  const std::string_view word = opcode.substr(0, point), rest = opcode.substr(point + 1);
  const std::string_view modifier = rest.substr(0, rest.find('.'));
  // What only a macro knows, of a type of PTX's.
  if (word == "macro" && rest.size() > 1 &&
      (rest.ends_with("8") || rest.ends_with("16") || rest.ends_with("32") || rest.ends_with("64")))
    return true;
  if (!isPtxInstruction(word) || modifier.empty() || isForeignModifier(modifier)) return false;
  // Video instructions name three types; those of ARM are called alike and name one.
  if (word[0] == 'v' && word != "vote") return std::count(opcode.begin(), opcode.end(), '.') > 2;
  return modifier.size() > 1 || word == "shf";
}

}  // namespace

std::string ptxInstruction(std::string_view code) {
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = code.find_first_of(";\n{}", at);
    if (end == std::string_view::npos) end = code.size();
    std::string_view statement = code.substr(at, end - at);
    const bool closed = end < code.size() && code[end] == ';';
    at = end + 1;
    const auto skipBlanks = [&] {
      while (!statement.empty() && isBlank(statement[0])) statement.remove_prefix(1);
    };
    skipBlanks();
    if (statement.starts_with("//")) continue;
    if (statement.starts_with('@')) {  // predicate
      statement.remove_prefix(std::min(statement.find(' '), statement.size()));
      skipBlanks();
    }
    std::size_t length = 0;
    bool point = false;
    while (length < statement.size() &&
           (std::isalnum(static_cast<unsigned char>(statement[length])) || statement[length] == '.' ||
            statement[length] == '_' || statement[length] == ':')) {
      point = point || (statement[length] == '.' && length > 1);
      ++length;
    }
    const std::string_view word = statement.substr(0, length);
    if (length > 1 && word.back() == ':') {  // a label; what follows it is looked at next
      at = static_cast<std::size_t>(statement.data() - code.data()) + length;
      continue;
    }
    static constexpr std::array<std::string_view, 5> kDeclarations = {".reg", ".shared", ".local", ".pred",
                                                                      ".param"};
    if (std::find(kDeclarations.begin(), kDeclarations.end(), word) != kDeclarations.end()) continue;
    if (point && isPtx(word)) return std::string(word);
    if (closed && length == statement.size() && (word == "trap" || word == "exit" || word == "brkpt")) {
      return std::string(word);
    }
  }
  return {};
}

}  // namespace musashim::translator
