// Tokens => findings and edits. One pass over the tokens, with the scope kept alongside:
//
//   identifier -> known name? -> member, qualified or global? -> rename | call | report
//   __CUDA_ARCH__, CUDA_VERSION -> kept back until the file's PTX is known, then guards.cpp
//   asm -> assembly.cpp     string -> literals.cpp     #include -> here     comment -> literals.cpp

#include "translator/lib/match/match.h"

#include <algorithm>
#include <array>
#include <optional>

#include "translator/lib/edit/beginning.h"
#include "translator/lib/match/cursor.h"
#include "translator/lib/match/exclusions.h"
#include "translator/lib/match/guards.h"
#include "translator/lib/match/launches.h"
#include "translator/lib/match/literals.h"
#include "translator/lib/match/numbering.h"
#include "translator/lib/match/pasting.h"
#include "translator/lib/match/scope.h"
#include "translator/lib/names/table.h"
#include "translator/lib/ptx/assembly.h"
#include "translator/lib/report/availability.h"
#include "translator/lib/tree/suffixes.h"

namespace musashim::translator {
namespace {

/// The library of names that are half of others only.
constexpr std::string_view kWords = "words";

struct PendingGuard {
  std::size_t index;
  std::size_t conditional;  // the one whose condition holds it; SIZE_MAX in plain code
  std::string name;
};

struct PendingMember {
  Token token;
  std::string target;
  std::string name;
  std::string_view library;
};

class Matcher {
 public:
  explicit Matcher(Cursor& cursor) : cursor_(cursor), scope_(cursor) {}

  /// Looks at the stops, and at all that follows where one asks for it.
  void run(const RoomyList<std::uint32_t>& stops) {
    expectWords(stops);
    cursor_.out.edits.reserve(stops.size() / 8 + 8);
    for (const std::uint32_t stop : stops) {
      if (stop < index_) continue;  // inside of what was taken as a whole
      follow(stop);
      index_ = stop;
      look(cursor_.tokens[index_]);
      ++index_;
    }
    for (const PendingGuard& guard : guards_) resolve(guard);
    resolveMembers();
    numbers_.audit(cursor_);
  }

 private:
  /// The tables are too large to be near, and each name waits for them several times, unless told before.
  void expectWords(const RoomyList<std::uint32_t>& stops) const {
    thread_local std::vector<std::uint32_t> hashes;
    hashes.clear();
    for (const std::uint32_t stop : stops) {
      const Token& token = cursor_.tokens[stop];
      const std::string_view word = bytesOf(token, cursor_.text);
      if (token.kind == TokenKind::Identifier && cursor_.lexicon.mayBeKnown(word))
        hashes.push_back(wordHash(word));
    }
    expectNames(hashes);
  }

  /// Shows the scope what lies between two stops.
  void follow(std::size_t to) {
    for (; index_ < to && scope_.needsAll(); ++index_) {
      const TokenKind kind = cursor_.tokens[index_].kind;
      if (kind == TokenKind::Identifier) scope_.identifier(index_);
      if (kind == TokenKind::Punctuator) scope_.punctuator(index_);
    }
  }

  void look(const Token& token) {
    switch (token.kind) {
      case TokenKind::Identifier:
        scope_.identifier(index_);
        identifier(token);
        break;
      case TokenKind::Punctuator:
        scope_.punctuator(index_);
        break;
      case TokenKind::Directive:
        scope_.openDirective(index_);
        break;
      case TokenKind::DirectiveEnd:
        scope_.closeDirective(index_);
        break;
      case TokenKind::String:
      case TokenKind::RawString:
        portString(cursor_, token);
        break;
      case TokenKind::HeaderName:
        header(token);
        break;
      default:
        break;
    }
  }

  /// The next token to look at is `next`: those from index_ + 1 on are part of what was looked at.
  void skipTo(std::size_t next) {
    scope_.skip(index_ + 1, next);
    index_ = next - 1;
  }

  void identifier(const Token& token) {
    const std::string_view word = bytesOf(token, cursor_.text);
    if (token.spliced) {
      spliced_ = spelling(token, cursor_.text);
      KnownName name;
      if (cursor_.lexicon.find(spliced_, name)) known(token, name);
    } else if (cursor_.lexicon.words().mayHold(word)) {
      KnownName name;
      if (cursor_.lexicon.mayBeKnown(word) && cursor_.lexicon.find(word, name)) return known(token, name);
      noteTarget(word);
      const bool joined = cursor_.isMark(index_ + 1, mark::kPaste) || cursor_.isMark(index_ + 1, ',');
      if (!(joined && half(token, word))) halfArgument(token, word);
    }
  }

  void known(const Token& token, const KnownName& name) {
    switch (name.kind) {
      case NameKind::Rename:
      case NameKind::Call:
      case NameKind::Unported:
        if (isGlobalName(name.name)) knownName(token, name);
        break;
      case NameKind::Architecture:
        if (scope_.inCondition()) scope_.noteArchitectureTest();
        [[fallthrough]];
      case NameKind::LibraryVersion:
        if (isGlobalName(name.name) && !isUsers(name)) guard(name);
        break;
      case NameKind::Version:
      case NameKind::Release:
        guard(name);
        break;
      case NameKind::Word:
        word(token, name);
        break;
      case NameKind::Assembly:
        assembly();
        break;
      case NameKind::HasInclude:
        hasInclude();
        break;
      case NameKind::Namespace:
        ownNamespace(token, name);
        break;
      case NameKind::Member:
        member(token, name);
        break;
      case NameKind::Number:
        if (isBehindDot()) numbers_.noteMember(index_, scope_.depth());
        break;
      case NameKind::Symbol:
      case NameKind::Keep:
        break;
    }
  }

  void guard(const KnownName& name) {
    guards_.push_back(
        {index_, scope_.inCondition() ? scope_.currentConditional() : SIZE_MAX, std::string(name.name)});
  }

  /// Does the project define a name that the port gives to something else?
  void noteTarget(std::string_view word) {
    KnownName name;
    if (!cursor_.lexicon.toMusa() || !kTargetFilter.mayHold(word) || !findTarget(word, name)) return;
    const bool macro = scope_.inDirective() && cursor_.bytes(index_ - 1) == "define";
    if (!macro && !scope_.definition(index_, word)) return;
    cursor_.out.definitions.push_back(
        {Definition::Kind::Target, cursor_.at(index_).begin, std::string(word), {}, false});
  }

  bool isBehindDot() const {
    return cursor_.isMark(index_ - 1, '.') || cursor_.isMark(index_ - 1, mark::kArrow);
  }

  /// `.cubin` of a record of CUPTI's: decided when the file is known to use that library.
  void member(const Token& token, const KnownName& name) {
    if (!isBehindDot()) return;
    members_.push_back({token, std::string(name.target), std::string(name.name), name.library});
  }

  void resolveMembers() {
    for (const PendingMember& member : members_) {
      const bool used = std::any_of(cursor_.out.counts.begin(), cursor_.out.counts.end(),
                                    [&](const auto& entry) { return entry.first == member.library; });
      if (!used) continue;
      cursor_.rename(member.token, member.target);
      cursor_.found(FindingKind::Name, member.token, member.name, member.library);
    }
  }

  /// A variable of the function at hand that is called like something of the API's.
  bool isLocal(std::string_view name) {
    while (!locals_.empty() && locals_.back().second > scope_.depth()) locals_.pop_back();
    if (scope_.declaresLocal(index_)) {
      locals_.emplace_back(name, scope_.depth());
      return true;
    }
    return std::any_of(locals_.begin(), locals_.end(),
                       [&](const auto& local) { return local.first == name; });
  }

  /// Is the known name here, or everywhere, the project's own?
  bool isUsers(const KnownName& name) {
    cursor_.out.names |= nameBit(name.name);
    if (isLocal(name.name)) return true;
    if (cursor_.options.symbols) {
      const UserSymbols& symbols = *cursor_.options.symbols;
      if (symbols.plain.contains(name.name)) return true;
      if (cursor_.options.localSymbols && cursor_.options.localSymbols->contains(name.name)) return true;
      const auto spaces = symbols.spaces.find(name.name);
      return spaces != symbols.spaces.end() && !cursor_.isMark(index_ - 1, mark::kScope) &&
             std::any_of(spaces->second.begin(), spaces->second.end(),
                         [&](const std::string& space) { return scope_.sees(space); });
    }
    if (auto definition = scope_.definition(index_, name.name))
      cursor_.out.definitions.push_back(*std::move(definition));
    return false;
  }

  void knownName(const Token& token, const KnownName& name) {
    if (isUsers(name)) return;
    if (name.kind == NameKind::Unported) {
      return cursor_.report(FindingKind::Unported, token, name.name, name.library, name.advice);
    }
    if (name.kind == NameKind::Call) {
      if (!cursor_.isMark(index_ + 1, '(') || !cursor_.isMark(index_ + 2, ')')) return;
      cursor_.edit(token.begin, cursor_.at(index_ + 2).end, std::string(name.target));
      return cursor_.found(FindingKind::Call, token, name.name, name.library);
    }
    cursor_.rename(token, name);
    cursor_.found(FindingKind::Name, token, name.name, name.library);
    if (!name.advice.reason.empty())
      cursor_.report(FindingKind::Note, token, name.name, name.library, name.advice);
    if (cursor_.lexicon.toMusa()) numbers_.note(name.name, index_, scope_.depth());
    if (!cursor_.options.availability) return;
    if (const auto lack = cursor_.options.availability->lackOf(name.target)) {
      cursor_.report(FindingKind::Audit, token, name.name, "missing", {lack->reason, lack->remedy});
    }
  }

  /// False for members (a.name, p->name, `int name;` in a record) and for names of other namespaces.
  bool isGlobalName(std::string_view name) {
    if (cursor_.isMark(index_ - 1, '.')) return false;
    if (cursor_.isMark(index_ - 1, mark::kArrow)) return scope_.isReturnType(index_);
    if (cursor_.isMark(index_ - 1, mark::kScope)) {
      const bool global = isGlobalScope(index_ - 1, name);
      // using mine::cudaFree; from here on the bare name means that one
      if (!global && scope_.inUsing(index_)) locals_.emplace_back(name, scope_.depth());
      return global;
    }
    if (!scope_.declaresMember(index_)) return true;
    noteMember(name);
    return false;
  }

  /// Inside the record and its functions, the bare name means the member.
  void noteMember(std::string_view name) const {
    const std::string_view record = scope_.record();
    if (cursor_.options.symbols || record.empty()) return;
    cursor_.out.names |= nameBit(name);
    cursor_.out.definitions.push_back({Definition::Kind::InNamespace, cursor_.at(index_).begin,
                                       std::string(name), std::string(record), false});
  }

  /// Is the :: at `scope` the global one, or does it follow a known name, as in cudaError::cudaSuccess?
  bool isGlobalScope(std::size_t scope, std::string_view) const {
    if (cursor_.isMark(scope - 1, '>')) return false;
    if (!cursor_.isWord(scope - 1)) return true;
    static constexpr std::array<std::string_view, 8> kNotAScope = {"return", "else",     "throw", "case",
                                                                   "new",    "typename", "const", "sizeof"};
    const std::string_view before = cursor_.bytes(scope - 1);
    if (std::find(kNotAScope.begin(), kNotAScope.end(), before) != kNotAScope.end()) return true;
    KnownName qualifier;
    return cursor_.lexicon.find(before, qualifier) && qualifier.kind == NameKind::Rename;
  }

  void assembly() {
    if (!cursor_.lexicon.toMusa()) return;
    const AssemblyResult result = portAssembly(cursor_, index_);
    if (result.outcome == AssemblyOutcome::Unported) scope_.noteAssembly();
    if (result.outcome == AssemblyOutcome::Ported)
      skipTo(result.last + 1);  // its operands moved as they were
  }

  /// cuda, nccl, ...: half of a name, libcu++'s namespace, or a function that is called like its library
  /// (curand).
  void word(const Token& token, const KnownName& name) {
    const bool pastes = cursor_.isMark(index_ + 1, mark::kPaste) || isBareArgument();
    if (pastes && cursor_.isWord(index_ + 2)) {
      const std::string other = spelling(cursor_.at(index_ + 2), cursor_.text);
      KnownName whole;
      const bool known = cursor_.lexicon.find(std::string(name.name) + other, whole) &&
                         whole.kind == NameKind::Rename && whole.target == std::string(name.target) + other;
      const bool parameter = isMacroParameter(cursor_.bytes(index_ + 2)) &&
                             (cursor_.isMark(index_ + 1, mark::kPaste) || isJoinedToNext());
      if (known || parameter) return paste(token, name);
    }
    if (const auto call = macroArgument(cursor_.text, cursor_.tokens, index_))
      return argument(token, name, *call);
    if (name.name == cursor_.lexicon.libraryNamespace() && cursor_.isMark(index_ + 1, mark::kScope))
      namespaceWord(token, name);
    if (name.library != kWords && cursor_.isMark(index_ + 1, '(') && isGlobalName(name.name))
      knownName(token, name);
  }

  /// `CAT(cuda, Malloc)`: alone between its comma and bracket, as is what follows. Not `f(int* cu, uint64_t
  /// n)`.
  bool isBareArgument() const {
    return cursor_.isMark(index_ + 1, ',') &&
           (cursor_.isMark(index_ - 1, '(') || cursor_.isMark(index_ - 1, ',')) &&
           (cursor_.isMark(index_ + 3, ')') || cursor_.isMark(index_ + 3, ','));
  }

  /// `CAT(cuda, name)` within a macro, where CAT joins its arguments.
  bool isJoinedToNext() {
    const auto call = macroArgument(cursor_.text, cursor_.tokens, index_);
    if (!call) return false;
    const PastingMacros* const others = cursor_.options.pasting;
    if (joins(ownMacros(), call->macro, call->number, call->number + 1)) return true;
    if (!others) cursor_.out.wantsMacros = true;
    return others && joins(*others, call->macro, call->number, call->number + 1);
  }

  void paste(const Token& token, const KnownName& name) {
    cursor_.rename(token, name);
    cursor_.found(FindingKind::Paste, token, name.name, kWords);
  }

  /// `T(cuda)`, where T joins its parameter to `Malloc`.
  void argument(const Token& token, const KnownName& name, const MacroArgument& call) {
    const PastedParameter* const parameter = pastedParameter(call);
    if (!parameter) return;
    KnownName joined{};
    bool safe = !parameter->used;
    for (const std::string& ending : parameter->endings) {
      KnownName whole;
      const std::string spelled = std::string(name.name) + ending;
      const bool known = cursor_.lexicon.find(spelled, whole);
      safe = safe && known && whole.kind == NameKind::Rename &&
             whole.target == std::string(name.target) + ending;
      if (known && (joined.name.empty() || whole.kind == NameKind::Unported)) {
        joined = whole;
        joined.name = ending;
      }
    }
    if (joined.name.empty()) return;
    if (safe) return paste(token, name);
    const std::string whole = std::string(name.name).append(joined.name), macro(call.macro);
    if (joined.kind == NameKind::Unported)
      return cursor_.report(FindingKind::Unported, token, whole, joined.library, joined.advice);
    cursor_.out.findings.push_back(
        {FindingKind::Unported, token.begin, token.end, std::string(name.name), "words",
         "the macro " + macro + " joins it to " + whole + ", but to other names, too, or uses it otherwise",
         "give " + macro + " the whole name"});
  }

  /// `T(cudaMem)`, where T joins its parameter to `cpy`: the beginning of known names.
  void halfArgument(const Token& token, std::string_view word) {
    const bool alone = cursor_.isMark(index_ + 1, ')') || cursor_.isMark(index_ + 1, ',');
    if (!alone || !cursor_.lexicon.mayBeginNames(word)) return;
    const auto call = macroArgument(cursor_.text, cursor_.tokens, index_);
    if (!call || !mayBeMacro(call->macro)) return;
    const PastedParameter* const parameter = pastedParameter(*call);
    if (!parameter) return;
    for (const std::string& ending : parameter->endings) {
      KnownName whole;
      if (!cursor_.lexicon.find(std::string(word) + ending, whole)) continue;
      const bool ends = whole.kind == NameKind::Rename && whole.target.ends_with(ending);
      const std::string target(whole.target.substr(0, ends ? whole.target.size() - ending.size() : 0));
      return argument(token, {word, target, "words", NameKind::Word, {}}, *call);
    }
  }

  /// One that is known, or whose result is called, as in `T(cudaMem)(a, b)`: to ask all files for each
  /// function that a variable is given to would take too long.
  bool mayBeMacro(std::string_view name) {
    const PastingMacros* const others = cursor_.options.pasting;
    return find(ownMacros(), name) || (others && find(*others, name)) ||
           (cursor_.isMark(index_ + 1, ')') && cursor_.isMark(index_ + 2, '('));
  }

  const PastingMacros& ownMacros() {
    if (!macros_) {
      macros_.emplace();
      const auto holds = [&](std::string_view mark) {
        return cursor_.text.find(mark) != std::string_view::npos;
      };
      if (holds("##") || holds("#\\")) addPastingMacros(cursor_.text, cursor_.tokens, *macros_);
    }
    return *macros_;
  }

  /// What the macro does with the argument; null if there is no such macro.
  const PastedParameter* pastedParameter(const MacroArgument& call) {
    const PastingMacros* const others = cursor_.options.pasting;
    const std::vector<PastedParameter>* parameters = find(ownMacros(), call.macro);
    if (!parameters && !others) cursor_.out.wantsMacros = true;
    if (!parameters && others) parameters = find(*others, call.macro);
    return parameters && call.number < parameters->size() ? &(*parameters)[call.number] : nullptr;
  }

  static const std::vector<PastedParameter>* find(const PastingMacros& macros, std::string_view name) {
    const auto found = macros.find(name);
    return found == macros.end() ? nullptr : &found->second;
  }

  /// `CUBLAS_OP_##x`, `CAT(cudaMem, cpy)`: the beginning of known names. False if it stays.
  bool half(const Token& token, std::string_view word) {
    if (!cursor_.isWord(index_ + 2)) return false;
    const std::string_view other = cursor_.bytes(index_ + 2);
    const bool parameter = cursor_.isMark(index_ + 1, mark::kPaste) && isMacroParameter(other);
    std::string target;
    if (parameter) {
      target = cursor_.lexicon.mapBeginning(word);
    } else if (KnownName whole; (cursor_.isMark(index_ + 1, mark::kPaste) || isBareArgument()) &&
                                cursor_.lexicon.find(std::string(word) + std::string(other), whole) &&
                                whole.kind == NameKind::Rename && whole.target.ends_with(other)) {
      target = whole.target.substr(0, whole.target.size() - other.size());
    }
    if (target.empty() || target == word) return false;
    cursor_.rename(token, target);
    cursor_.found(FindingKind::Paste, token, word, "words");
    return true;
  }

  /// cutlass, cute: `cutlass::x`, `using namespace cute`. A project that has them in its tree keeps them.
  void ownNamespace(const Token& token, const KnownName& name) {
    const bool declares = cursor_.bytes(index_ - 1) == "namespace";
    if (!declares && !cursor_.isMark(index_ + 1, mark::kScope)) return;
    cursor_.out.names |= nameBit(name.name);
    if (cursor_.options.symbols && cursor_.options.symbols->plain.contains(name.name)) return;
    if (declares && cursor_.isMark(index_ + 1, '{')) {
      cursor_.out.definitions.push_back(
          {Definition::Kind::Plain, token.begin, std::string(name.name), {}, false});
    }
    cursor_.rename(token, name);
    cursor_.found(FindingKind::Name, token, std::string(name.name) + "::", "cutlass");
  }

  void namespaceWord(const Token& token, const KnownName& name) {
    if (cursor_.isMark(index_ - 1, mark::kScope)) {
      const bool global = !cursor_.isWord(index_ - 2);
      if (!global && !isNamespaceQualifier(cursor_.bytes(index_ - 2))) return;
      if (global && !isNamespaceMember(cursor_.bytes(index_ + 2))) return;
    } else if (!isNamespaceMember(cursor_.bytes(index_ + 2))) {
      return;
    }
    cursor_.rename(token, name);
    cursor_.found(FindingKind::Name, token, std::string(name.name) + "::", "words");
  }

  /// Is `name` a parameter of the #define that holds the current token?
  bool isMacroParameter(std::string_view name) const {
    std::size_t start = index_;
    if (!scope_.inDirective()) return false;
    while (start > 0 && cursor_.at(start).kind != TokenKind::Directive) --start;
    if (cursor_.bytes(start + 1) != "define" || !cursor_.isMark(start + 3, '(')) return false;
    for (std::size_t i = start + 4; i < index_ && !cursor_.isMark(i, ')'); ++i) {
      if (cursor_.bytes(i) == name) return true;
    }
    return false;
  }

  void header(const Token& token) {
    const std::string_view bytes = bytesOf(token, cursor_.text);
    portHeader(token.begin + 1, token.end - 1, bytes.front() == '"');
  }

  /// __has_include(<name>): the scanner sees punctuators; __has_include("name"): a string.
  void hasInclude() {
    if (!cursor_.isMark(index_ + 1, '(')) return;
    const Token& open = cursor_.at(index_ + 2);
    if (open.kind == TokenKind::String) {
      portHeader(open.begin + 1, open.end - 1, true);
      return skipTo(index_ + 3);
    }
    if (!cursor_.isMark(index_ + 2, '<')) return;
    std::size_t close = index_ + 3;
    constexpr std::size_t kLongest = 256;
    while (close < index_ + kLongest && !cursor_.isMark(close, '>')) ++close;
    if (!cursor_.isMark(close, '>')) return;
    const std::string_view name = cursor_.text.substr(open.end, cursor_.at(close).begin - open.end);
    if (name.find_first_of("\n\"'") != std::string_view::npos) return;  // not a header's name
    portHeader(open.end, cursor_.at(close).begin, false);
    skipTo(close + 1);
  }

  void portHeader(std::uint32_t begin, std::uint32_t end, bool quoted) {
    const std::string_view header = cursor_.text.substr(begin, end - begin);
    const Token place{begin, end, TokenKind::HeaderName, 0, false};
    if (cursor_.project.owns(header)) {
      if (std::string renamed = cursor_.project.renamed(header); !renamed.empty()) {
        cursor_.edit(begin, end, std::move(renamed));
        cursor_.found(FindingKind::Header, place, header);
      }
      return;
    }
    std::string scratch;
    if (const std::string_view target = cursor_.lexicon.mapHeader(header, scratch); !target.empty()) {
      cursor_.edit(begin, end, std::string(target));
      return cursor_.found(FindingKind::Header, place, header, "headers");
    }
    if (const Advice* advice = cursor_.lexicon.unportedHeader(header)) {
      return cursor_.report(FindingKind::Unported, place, header, "headers", *advice);
    }
    if (quoted && isPortedSource(header, cursor_.lexicon.direction())) {
      cursor_.out.findings.push_back(
          {FindingKind::Unported, begin, end, std::string(header), "headers",
           "a CUDA source that is not among the inputs, so its new name is not known",
           "port the folder that holds both files in one run"});
    }
  }

  void resolve(const PendingGuard& guard) {
    KnownName name;
    cursor_.lexicon.find(guard.name, name);
    const bool inCondition = guard.conditional != SIZE_MAX;
    if (name.kind == NameKind::Architecture && inCondition &&
        scope_.conditional(guard.conditional).holdsAssembly) {
      return keepGuardOfAssembly(cursor_, guard.index, name);
    }
    portGuard(cursor_, guard.index, name, inCondition);
  }

  Cursor& cursor_;
  Scope scope_;
  std::size_t index_ = 0;
  std::string spliced_;
  std::vector<PendingGuard> guards_;
  std::vector<PendingMember> members_;
  NumberUse numbers_;
  std::optional<PastingMacros> macros_;                      // of this file
  std::vector<std::pair<std::string, std::size_t>> locals_;  // with the depth of their braces
};

}  // namespace

void scanFor(const PortOptions& options, std::string_view text, TokenStream& out) {
  options.shortcuts ? scan(text, out, options.lexicon->stops()) : scanOneByOne(text, out);
}

void match(std::string_view text, const TokenStream& stream, const PortOptions& options,
           const ProjectView& project, Match& out) {
  Cursor cursor{text, stream.tokens, options, project, out};
  Matcher(cursor).run(stream.stops);
  portLaunches(cursor);
  writeBeginning(cursor);
  for (const Token& comment : stream.comments) portComment(cursor, comment);
  dropExcluded(text, out);
}

}  // namespace musashim::translator
