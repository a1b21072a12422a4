#include "translator/lib/assembly.h"

#include <array>
#include <cctype>
#include <optional>

#include "translator/lib/table.h"

namespace musashim::translator {
namespace {

struct Statement {
  std::string code;  // the instruction text, escapes resolved
  std::vector<std::string> constraints;
  std::vector<std::string> operands;  // their expressions
  std::size_t last = 0;
};

std::string unescaped(std::string_view body) {
  std::string result;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\' || i + 1 == body.size()) {
      result += body[i];
    } else if (const char c = body[++i]; c == 'n') {
      result += '\n';
    } else if (c == 't') {
      result += ' ';
    } else {
      result += c;
    }
  }
  return result;
}

bool isText(const Token& token) {
  return token.kind == TokenKind::String || token.kind == TokenKind::RawString;
}

std::string textAt(const Cursor& cursor, std::size_t index) {
  return unescaped(bytesOf(literalBody(cursor.at(index), cursor.text), cursor.text));
}

/// Index after the bracket that closes the one at `index`; 0 if there is none.
std::size_t afterBrackets(const Cursor& cursor, std::size_t index) {
  int depth = 0;
  for (; index < cursor.tokens.size(); ++index) {
    // An #if inside the statement makes it two statements, which nobody can port as one.
    if (cursor.at(index).kind == TokenKind::Directive || cursor.at(index).kind == TokenKind::DirectiveEnd)
      return 0;
    if (cursor.isMark(index, '(')) ++depth;
    if (cursor.isMark(index, ')') && --depth == 0) return index + 1;
  }
  return 0;
}

/// asm qualifiers ( "text" "text" : outputs : inputs : clobbers )
std::optional<Statement> parse(const Cursor& cursor, std::size_t index) {
  ++index;
  while (cursor.isWord(index)) ++index;
  if (!cursor.isMark(index, '(')) return std::nullopt;
  const std::size_t close = afterBrackets(cursor, index);
  if (close == 0) return std::nullopt;
  Statement statement;
  statement.last = close - 1;
  for (++index; isText(cursor.at(index)); ++index) statement.code += textAt(cursor, index);
  int colons = 0;
  for (; index < statement.last; ++index) {
    if (cursor.isMark(index, ':')) colons += 1;
    if (cursor.isMark(index, mark::kScope)) colons += 2;
    if (colons > 2 || !isText(cursor.at(index)) || !cursor.isMark(index + 1, '(')) continue;
    const std::size_t after = afterBrackets(cursor, index + 1);
    if (after == 0) return std::nullopt;
    statement.constraints.push_back(textAt(cursor, index));
    const std::uint32_t from = cursor.at(index + 1).end;
    statement.operands.emplace_back(cursor.text.substr(from, cursor.at(after - 1).begin - from));
    index = after - 1;
  }
  return statement;
}

/// The first instruction of PTX in `code`, such as "ld.global.u32"; empty if it is no PTX.
/// PTX qualifies its instructions with points, which assembly of hosts hardly ever does.
std::string ptxInstruction(std::string_view code) {
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = code.find_first_of(";\n{}", at);
    if (end == std::string_view::npos) end = code.size();
    std::string_view statement = code.substr(at, end - at);
    const bool closed = end < code.size() && code[end] == ';';
    at = end + 1;
    const auto skipBlanks = [&] {
      while (!statement.empty() && std::isspace(static_cast<unsigned char>(statement[0])))
        statement.remove_prefix(1);
    };
    skipBlanks();
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
    static constexpr std::array<std::string_view, 5> kDeclarations = {".reg", ".shared", ".local", ".pred",
                                                                      ".param"};
    for (const std::string_view declaration : kDeclarations) {
      if (word == declaration) return std::string(word);
    }
    if (point && std::islower(static_cast<unsigned char>(word[0])) && word.back() != ':')
      return std::string(word);
    if (closed && length == statement.size() && (word == "trap" || word == "exit" || word == "brkpt")) {
      return std::string(word);
    }
  }
  return {};
}

std::string withoutBlanks(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (!std::isspace(static_cast<unsigned char>(c))) result += c;
  }
  return result;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string result;
  for (const std::string& part : parts) result += (result.empty() ? "" : ",") + part;
  return result;
}

std::string substituted(std::string_view becomes, const std::vector<std::string>& operands) {
  std::string result;
  for (std::size_t i = 0; i < becomes.size(); ++i) {
    if (becomes[i] == '{' && i + 2 < becomes.size() && becomes[i + 2] == '}') {
      result += operands[static_cast<std::size_t>(becomes[i + 1] - '0')];
      i += 2;
    } else {
      result += becomes[i];
    }
  }
  return result;
}

}  // namespace

AssemblyResult portAssembly(Cursor& cursor, std::size_t index) {
  const auto statement = parse(cursor, index);
  if (!statement) return {AssemblyOutcome::NotPtx, index};
  const std::string instruction = ptxInstruction(statement->code);
  if (instruction.empty()) return {AssemblyOutcome::NotPtx, statement->last};
  const Token& keyword = cursor.at(index);
  const AssemblyRule* rule = findAssembly(withoutBlanks(statement->code), joined(statement->constraints));
  if (!rule) {
    cursor.report(FindingKind::Unported, keyword, instruction, "ptx", unportedAssemblyReason());
    return {AssemblyOutcome::Unported, statement->last};
  }
  cursor.edit(keyword.begin, cursor.at(statement->last).end, substituted(rule->becomes, statement->operands));
  cursor.found(FindingKind::Assembly, keyword, instruction, "ptx");
  return {AssemblyOutcome::Ported, statement->last};
}

}  // namespace musashim::translator
