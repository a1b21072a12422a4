#include "translator/lib/ptx/assembly.h"

#include <algorithm>
#include <optional>

#include "translator/lib/edit/beginning.h"
#include "translator/lib/port.h"
#include "translator/lib/project_macros.h"
#include "translator/lib/ptx/cut_assembly.h"
#include "translator/lib/ptx/macro_arguments.h"
#include "translator/lib/ptx/ptx_parser.h"
#include "translator/lib/ptx/ptx_writer.h"

namespace musashim::translator {
namespace {

struct Statement {
  std::string code;  // the instruction text, escapes resolved
  std::vector<AsmOperand> operands;
  bool extended = false;  // it has operands or clobbers, so %% is a percent sign
  bool named = false;     // an operand has a name
  bool made = false;      // its text is not all there: a macro makes a part
  std::string parameter;  // of the macro around it, whose argument's text stands where kArgument does
  std::vector<std::string> arguments;  // all that it is
  std::size_t last = 0;
};

bool isText(const Token& token) {
  return token.kind == TokenKind::String || token.kind == TokenKind::RawString;
}

std::string textAt(const Cursor& cursor, std::size_t index) {
  return unescaped(bytesOf(literalBody(cursor.at(index), cursor.text), cursor.text));
}

/// Tokens of the longest statement that is one: looking for its end costs no more.
constexpr std::size_t kLongest = 8192;

/// Index after the bracket that closes the one at `index`; 0 if there is none.
std::size_t afterBrackets(const Cursor& cursor, std::size_t index) {
  int depth = 0, braces = 0;
  for (const std::size_t end = std::min(cursor.tokens.size(), index + kLongest); index < end; ++index) {
    // A bracket that is missing would take in what follows the statement.
    if (cursor.isMark(index, '{')) ++braces;
    if (cursor.isMark(index, '}')) --braces;
    if (cursor.isMark(index, ';') && braces <= 0) return 0;
    // An #if inside the statement makes it two statements, which nobody can port as one.
    if (cursor.at(index).kind == TokenKind::Directive || cursor.at(index).kind == TokenKind::DirectiveEnd)
      return 0;
    if (cursor.isMark(index, '(')) ++depth;
    if (cursor.isMark(index, ')') && --depth == 0) return index + 1;
  }
  return 0;
}

/// What stands for text that only a macro knows.
constexpr std::string_view kMade = "macro";
/// What stands for `#parameter`. No PTX has it.
constexpr char kArgument = '\1';

/// The statement's text where the macro's argument is this one.
std::string codeWith(const std::string& code, std::string_view argument) {
  std::string whole;
  for (const char c : code) c == kArgument ? whole += argument : whole += c;
  return whole;
}

/// Text of `#parameter` at token `index`; false if it is none, or not known, or there is another one.
bool addArgument(const Cursor& cursor, std::size_t index, Statement& statement) {
  const std::string_view word = cursor.bytes(index + 1);
  if (!cursor.isMark(index, '#') || !cursor.isWord(index + 1)) return false;
  if (statement.parameter.empty()) {
    statement.arguments = macroArguments(cursor, index, word);
    if (statement.arguments.empty()) return false;
    statement.parameter = word;
  }
  if (statement.parameter != word) return false;
  statement.code += kArgument;
  return true;
}

/// The text at token `index`, also by way of a macro.
std::optional<std::string> textOrMacro(Cursor& cursor, AssemblyMacros& macros, std::size_t index) {
  if (isText(cursor.at(index))) return textAt(cursor, index);
  return cursor.isWord(index) ? macros.find(cursor, cursor.bytes(index)) : std::nullopt;
}

/// asm qualifiers ( "text" "text" : outputs : inputs : clobbers )
std::optional<Statement> parse(Cursor& cursor, AssemblyMacros& macros, std::size_t index) {
  ++index;
  while (cursor.isWord(index)) ++index;
  if (!cursor.isMark(index, '(')) return std::nullopt;
  const std::size_t close = afterBrackets(cursor, index);
  if (close == 0) return std::nullopt;
  Statement statement;
  statement.last = close - 1;
  for (++index; index < statement.last && !cursor.isMark(index, ':') && !cursor.isMark(index, mark::kScope);
       ++index) {
    if (const auto text = textOrMacro(cursor, macros, index)) {
      if (text->find(kArgument) != std::string::npos) return std::nullopt;
      statement.code += *text;
    } else if (addArgument(cursor, index, statement)) {
      ++index;  // the parameter's name
    } else {
      statement.made = true;
      if (!cursor.isMark(index, '#')) statement.code += kMade;
    }
  }
  int colons = 0;
  for (; index < statement.last; ++index) {
    if (cursor.isMark(index, ':')) colons += 1;
    if (cursor.isMark(index, mark::kScope)) colons += 2;
    if (colons < 3 && cursor.isMark(index, '[')) statement.named = true;
    // "r"(x), "=" POINTER (x)
    const bool word = cursor.isWord(index) && !cursor.isMark(index - 1, '[');
    if (colons > 2 || !(isText(cursor.at(index)) || word)) continue;
    std::string constraint;
    std::size_t open = index;
    for (; open < statement.last && !cursor.isMark(open, '('); ++open) {
      const auto text = textOrMacro(cursor, macros, open);
      if (!text) break;
      constraint += *text;
    }
    if (open == index || !cursor.isMark(open, '(')) continue;
    const std::size_t after = afterBrackets(cursor, open);
    if (after == 0) return std::nullopt;
    const std::uint32_t from = cursor.at(open).end;
    const std::string_view expression = cursor.text.substr(from, cursor.at(after - 1).begin - from);
    // The operands go into the result, so they are ported here.
    statement.operands.push_back({constraint, portSource(expression, cursor.options, cursor.project).text});
    index = after - 1;
  }
  statement.extended = colons > 0;
  return statement;
}

/// The pieces on as many lines as the statement had, so that the lines after it keep their numbers.
std::string laidOut(const Cursor& cursor, const Token& keyword, std::string_view original,
                    const std::vector<std::string>& pieces) {
  auto breaks = static_cast<std::size_t>(std::count(original.begin(), original.end(), '\n'));
  const std::string_view newline = original.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
  const std::size_t lineBegin = cursor.text.rfind('\n', keyword.begin) + 1;
  const std::size_t indent =
      std::min(cursor.text.find_first_not_of(" \t", lineBegin), static_cast<std::size_t>(keyword.begin)) -
      lineBegin;
  const std::string_view margin = cursor.text.substr(lineBegin, indent);
  // In a macro every line but the last ends with a backslash.
  const std::string end = original.find('\\') != std::string_view::npos &&
                                  original.find("\\" + std::string(newline)) != std::string_view::npos
                              ? " \\" + std::string(newline)
                              : std::string(newline);
  std::string result;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0 && breaks > 0) {
      const bool bracket = i + 1 == pieces.size();
      result += end + std::string(margin) + (bracket ? "" : "  ");
      --breaks;
    } else if (i > 0) {
      result += " ";
    }
    result += pieces[i];
  }
  while (breaks-- > 0) result += end;
  return result;
}

Advice adviceFor(const std::string& instruction, const std::string& problem, std::string& reason) {
  const PtxMeaning* meaning = findPtxMeaning(instruction);
  reason = unportedAssembly().reason;
  if (meaning)
    reason += "; the instruction is " + std::string(1, '"') + instruction + "\": " + std::string(meaning->is);
  if (!problem.empty()) reason += " (" + problem + ")";
  return {reason, meaning ? meaning->remedy : unportedAssembly().remedy};
}

void report(Cursor& cursor, const Token& keyword, const std::string& instruction,
            const std::string& problem) {
  std::string reason;
  const Advice advice = adviceFor(instruction, problem, reason);
  cursor.report(FindingKind::Unported, keyword, instruction, "ptx", advice);
}

/// One branch for each text that the statement may have; the compiler knows which one it is.
std::optional<PtxWriting> writeEach(const Statement& statement, std::string& instruction,
                                    std::string& problem) {
  PtxWriting all;
  all.pieces.emplace_back("do {");
  for (const std::string& argument : statement.arguments) {
    const std::string code = codeWith(statement.code, argument);
    PtxProgram program;
    instruction = ptxInstruction(code);
    if (!parsePtx(code, statement.extended, program, problem)) return std::nullopt;
    PtxWriting one = writePtx(program, statement.operands);
    if (!one.done) {
      if (!one.instruction.empty()) instruction = one.instruction;
      problem = one.problem;
      return std::nullopt;
    }
    std::string branch = "if (__builtin_strcmp(#" + statement.parameter + ", \"" + argument + "\") == 0) {";
    for (const std::string& piece : one.pieces) branch += " " + piece;
    all.pieces.push_back(branch + "; } else");
    all.outerCarry |= one.outerCarry;
    all.shortShared |= one.shortShared;
    for (const std::string_view note : one.notes) {
      if (std::find(all.notes.begin(), all.notes.end(), note) == all.notes.end()) all.notes.push_back(note);
    }
  }
  all.pieces.emplace_back("__trap(); } while (0)");
  all.done = true;
  return all;
}

std::optional<PtxWriting> write(const Statement& statement, std::string& instruction, std::string& problem) {
  if (statement.named) {
    problem = "its operands have names";
    return std::nullopt;
  }
  if (!statement.parameter.empty()) return writeEach(statement, instruction, problem);
  PtxProgram program;
  if (!parsePtx(statement.code, statement.extended, program, problem)) return std::nullopt;
  PtxWriting writing = writePtx(program, statement.operands);
  if (writing.done) return writing;
  if (!writing.instruction.empty()) instruction = writing.instruction;
  problem = writing.problem;
  return std::nullopt;
}

/// False if the statement stays; then it has been reported.
bool rewrite(Cursor& cursor, const Token& keyword, const Statement& statement,
             const std::string& instruction) {
  if (statement.made) {
    report(cursor, keyword, instruction, "a macro makes part of its text");
    return false;
  }
  std::string problem, which = instruction;
  const auto written = write(statement, which, problem);
  if (!written) {
    report(cursor, keyword, which, problem);
    return false;
  }
  const PtxWriting& writing = *written;
  const std::uint32_t end = cursor.at(statement.last).end;
  cursor.edit(
      keyword.begin, end,
      laidOut(cursor, keyword, cursor.text.substr(keyword.begin, end - keyword.begin), writing.pieces));
  cursor.found(FindingKind::Assembly, keyword, instruction, "ptx");
  cursor.out.outerCarry |= writing.outerCarry;
  for (const std::string& piece : writing.pieces) cursor.out.headers |= headersOf(piece);
  for (const std::string_view note : writing.notes)
    cursor.report(FindingKind::Note, keyword, instruction, "ptx", {note, {}});
  if (writing.shortShared) {
    cursor.report(FindingKind::Note, keyword, instruction, "ptx",
                  {"it keeps a shared address in 32 bits", "keep it in a size_t, or keep the pointer"});
  }
  return true;
}

/// Do qualifiers, a bracket or a directive follow the keyword?
bool mayBeStatement(const Cursor& cursor, std::size_t index) {
  return cursor.isWord(index + 1) || cursor.isMark(index + 1, '(') ||
         (index + 1 < cursor.tokens.size() && cursor.at(index + 1).kind == TokenKind::Directive);
}

/// The instruction of a statement that is cut by #if; empty if it is none, or not PTX.
std::string cutInstruction(const Cursor& cursor, std::size_t index) {
  std::string code;
  bool cut = false;
  const std::size_t end = std::min(cursor.tokens.size(), index + kLongest);
  for (++index; index < end && !cursor.isMark(index, ';'); ++index) {
    if (cursor.isMark(index, '{') || cursor.isMark(index, '}')) break;
    KnownName name;
    if (cursor.isWord(index) && cursor.lexicon.find(cursor.bytes(index), name) &&
        name.kind == NameKind::Assembly)
      break;  // another one: the bracket of this is missing
    if (cursor.at(index).kind == TokenKind::Directive) cut = true;
    if (code.empty() && isText(cursor.at(index))) code = textAt(cursor, index);
  }
  return cut ? ptxInstruction(code) : std::string();
}

}  // namespace

std::optional<std::string> AssemblyMacros::find(Cursor& cursor, std::string_view name) {
  if (!own_) {
    own_.emplace();
    for (const TextMacro& macro : textMacrosOf(cursor.text, cursor.tokens)) add(macro, *own_);
  }
  const auto ofFile = [&](std::string_view wanted) {
    const auto found = own_->find(wanted);
    return found == own_->end() ? nullptr : &found->second;
  };
  if (ofFile(name)) return textOf(ofFile, name);
  const ProjectMacros* const others = cursor.options.macros;
  if (!others) cursor.out.wantsMacros = true;
  return others ? textOf([&](std::string_view wanted) { return others->texts(wanted); }, name) : std::nullopt;
}

AssemblyResult portAssembly(Cursor& cursor, std::size_t index, AssemblyMacros& macros) {
  const auto statement = parse(cursor, macros, index);
  if (!statement) {
    if (!mayBeStatement(cursor, index)) return {AssemblyOutcome::NotPtx, index};
    const std::string cut = cutInstruction(cursor, index);
    if (cut.empty()) return {AssemblyOutcome::NotPtx, index};
    const auto both = portCutAssembly(cursor, index);
    if (both) {
      cursor.edit(cursor.at(index).begin, cursor.at(both->last).end, both->text);
      cursor.found(FindingKind::Assembly, cursor.at(index), cut, "ptx");
      return {AssemblyOutcome::Ported, both->last};
    }
    report(cursor, cursor.at(index), cut, "an #if stands inside of the statement");
    return {AssemblyOutcome::Unported, index};
  }
  const std::string instruction =
      ptxInstruction(statement->arguments.empty() ? statement->code
                                                  : codeWith(statement->code, statement->arguments.front()));
  if (instruction.empty()) return {AssemblyOutcome::NotPtx, statement->last};
  const bool ported = rewrite(cursor, cursor.at(index), *statement, instruction);
  return {ported ? AssemblyOutcome::Ported : AssemblyOutcome::Unported, statement->last};
}

}  // namespace musashim::translator
