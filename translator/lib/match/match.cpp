// Tokens => findings and edits. One pass over the tokens, with the scope kept alongside:
//
//   identifier -> known name? -> the API's (user_names.cpp)? -> rename | call | report
//   half of a name -> name_halves.cpp
//   __CUDA_ARCH__, CUDA_VERSION -> kept back until the file's PTX is known, then guards.cpp
//   asm -> assembly.cpp     string, comment -> literals.cpp     #include -> headers.cpp

#include "translator/lib/match/match.h"

#include <algorithm>
#include <string>
#include <vector>

#include "translator/lib/edit/beginning.h"
#include "translator/lib/guards/conditions.h"
#include "translator/lib/guards/guards.h"
#include "translator/lib/guards/in_code.h"
#include "translator/lib/guards/numbering.h"
#include "translator/lib/idioms/idioms.h"
#include "translator/lib/idioms/symbol_arguments.h"
#include "translator/lib/match/cursor.h"
#include "translator/lib/match/exclusions.h"
#include "translator/lib/match/headers.h"
#include "translator/lib/match/launches.h"
#include "translator/lib/match/library_namespace.h"
#include "translator/lib/match/literals.h"
#include "translator/lib/match/name_halves.h"
#include "translator/lib/match/qualification.h"
#include "translator/lib/match/scope.h"
#include "translator/lib/match/user_names.h"
#include "translator/lib/names/table.h"
#include "translator/lib/ptx/assembly.h"
#include "translator/lib/report/availability.h"

namespace musashim::translator {
namespace {

struct PendingGuard {
  std::size_t index;
  std::size_t directive;
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
  explicit Matcher(Cursor& cursor)
      : cursor_(cursor), scope_(cursor), names_(cursor, scope_), halves_(cursor, scope_) {}

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
    namespace_.resolve();
    resolveGuards();
    resolveMembers();
    numbers_.audit(cursor_);
    idioms_.report();
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
        directive_ = index_;
        condition();
        portComputedHeader(cursor_, index_);
        break;
      case TokenKind::DirectiveEnd:
        scope_.closeDirective(index_);
        break;
      case TokenKind::String:
      case TokenKind::RawString:
        portString(cursor_, token);
        break;
      case TokenKind::HeaderName:
        portHeader(cursor_, token);
        break;
      default:
        break;
    }
  }

  void condition() {
    const Conditions::Condition found = conditions_.look(index_);
    staysTo_ = found.end;
    if (staysTo_ > 0 && found.testsArchitecture && scope_.inCondition()) scope_.noteArchitectureTest();
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
      names_.noteTarget(index_, word);
      if (index_ >= staysTo_) halves_.portUnknown(index_, word);
    }
  }

  void known(const Token& token, const KnownName& name) {
    // A condition that stays as it is may still name files that move.
    const bool stays = index_ < staysTo_;
    if (stays && name.kind != NameKind::HasInclude) return;
    switch (name.kind) {
      case NameKind::Rename:
      case NameKind::Call:
      case NameKind::Unported:
        if (names_.isGlobal(index_, name.name)) knownName(token, name);
        break;
      case NameKind::Architecture:
        if (scope_.inCondition()) scope_.noteArchitectureTest();
        [[fallthrough]];
      case NameKind::LibraryVersion:
        if (names_.isGlobal(index_, name.name) && !names_.isUsers(index_, name.name)) guard(name);
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
        if (const std::size_t next = portHasInclude(cursor_, index_, !stays); next > index_ + 1) skipTo(next);
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
      case NameKind::Idiom:
        if (cursor_.lexicon.toMusa()) idioms_.note(index_, name);
        break;
      case NameKind::Symbol:
      case NameKind::Keep:
        break;
    }
  }

  void guard(const KnownName& name) {
    guards_.push_back({index_, directive_, scope_.inCondition() ? scope_.currentConditional() : SIZE_MAX,
                       std::string(name.name)});
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

  /// `#if __CUDACC__`: nvcc's macro is 1, that of MUSA's compiler has no value.
  bool asksForCompiler(const KnownName& name) const {
    return name.target == "__MUSACC__" && scope_.inCondition() && !isDefinedTest(cursor_, index_);
  }

  void knownName(const Token& token, const KnownName& name) {
    if (names_.isUsers(index_, name.name)) return;
    if (name.kind == NameKind::Unported) {
      return cursor_.report(FindingKind::Unported, token, name.name, name.library, name.advice);
    }
    if (name.kind == NameKind::Call) {
      if (!cursor_.isMark(index_ + 1, '(') || !cursor_.isMark(index_ + 2, ')')) return;
      cursor_.edit(token.begin, cursor_.at(index_ + 2).end, std::string(name.target));
      return cursor_.found(FindingKind::Call, token, name.name, name.library);
    }
    if (asksForCompiler(name)) {
      cursor_.rename(token, "defined(__MUSACC__)");
    } else {
      cursor_.rename(token, name);
    }
    cursor_.found(FindingKind::Name, token, name.name, name.library);
    if (!name.advice.reason.empty())
      cursor_.report(FindingKind::Note, token, name.name, name.library, name.advice);
    if (cursor_.lexicon.toMusa()) {
      numbers_.note(name.name, index_, scope_.depth());
      checkSymbolArgument(cursor_, index_, name.name);
      idioms_.checkUse(index_, name.name);
    }
    if (!cursor_.options.availability) return;
    if (const auto lack = cursor_.options.availability->lackOf(name.target)) {
      cursor_.report(FindingKind::Audit, token, name.name, "missing", {lack->reason, lack->remedy});
    }
  }

  void assembly() {
    if (!cursor_.lexicon.toMusa()) return;
    const AssemblyResult result = portAssembly(cursor_, index_, texts_);
    if (result.outcome == AssemblyOutcome::Unported) scope_.noteAssembly();
    if (result.outcome == AssemblyOutcome::Ported)
      skipTo(result.last + 1);  // its operands moved as they were
  }

  /// cuda, nccl, ...: half of a name, libcu++'s namespace, or a function that is called like its library
  /// (curand).
  void word(const Token& token, const KnownName& name) {
    const bool device = cursor_.lexicon.toMusa() && (name.name == "cuda" || name.name == "CUDA");
    if (device && idioms_.noteDevice(index_)) return;
    if (halves_.portWord(index_, name)) return;
    if (name.name == cursor_.lexicon.libraryNamespace()) namespace_.look(index_, name);
    if (name.library != kWords && cursor_.isMark(index_ + 1, '(') && names_.isGlobal(index_, name.name))
      knownName(token, name);
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

  /// Where an architecture's test stays for the PTX behind it, the rest of its condition does.
  void resolveGuards() {
    std::vector<std::size_t> kept;
    const auto find = [&](const PendingGuard& guard) {
      KnownName name;
      cursor_.lexicon.find(guard.name, name);
      return name;
    };
    for (const PendingGuard& guard : guards_) {
      if (find(guard).kind == NameKind::Architecture && guard.conditional != SIZE_MAX &&
          scope_.conditional(guard.conditional).holdsAssembly)
        kept.push_back(guard.directive);
    }
    std::vector<VersionUse> inCode;
    for (const PendingGuard& guard : guards_) {
      const bool inCondition = guard.conditional != SIZE_MAX;
      const KnownName name = find(guard);
      if (inCondition && std::binary_search(kept.begin(), kept.end(), guard.directive)) {
        keepGuardOfAssembly(cursor_, guard.index, name);
      } else if (!inCondition && isHeaderVersion(name.kind)) {
        inCode.push_back({guard.index, name});
      } else {
        portGuard(cursor_, guard.index, name, inCondition);
      }
    }
    portVersionsInCode(cursor_, inCode);
  }

  Cursor& cursor_;
  Scope scope_;
  UserNames names_;
  NameHalves halves_;
  LibraryNamespace namespace_{cursor_, scope_};
  std::size_t index_ = 0;
  std::string spliced_;
  std::size_t directive_ = 0;  // where the last one began
  std::vector<PendingGuard> guards_;
  std::vector<PendingMember> members_;
  NumberUse numbers_;
  Idioms idioms_{cursor_};
  AssemblyMacros texts_;
  Conditions conditions_{cursor_};
  std::size_t staysTo_ = 0;  // the end of a condition that stays as it is
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
