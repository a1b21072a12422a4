#include "translator/semantic/preprocessor.h"

#include "clang/Basic/CharInfo.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"

namespace musashim::translator {
namespace {

using namespace clang;

bool isPlatformMacro(StringRef name) {
  for (const char* macro :
       {"__CUDA_ARCH__", "__MUSA_ARCH__", "CUDA_VERSION", "CUDART_VERSION", "MUSA_VERSION", "MUSART_VERSION",
        "__CUDACC_VER_MAJOR__", "NCCL_VERSION_CODE", "MCCL_VERSION_CODE"}) {
    if (name == macro) return true;
  }
  return false;
}

class Checks final : public PPCallbacks {
 public:
  Checks(Preprocessor& preprocessor, UnitFacts& facts)
      : preprocessor_(preprocessor), sources_(preprocessor.getSourceManager()), facts_(facts) {
    for (const SemanticTarget& target : facts.request.targets) wide_ = wide_ || target.warp != 32;
  }

  void If(SourceLocation place, SourceRange condition, ConditionValueKind) override {
    check(place, condition);
  }
  void Elif(SourceLocation place, SourceRange condition, ConditionValueKind, SourceLocation) override {
    check(place, condition);
  }

  void MacroDefined(const Token& name, const MacroDirective* directive) override {
    const MacroInfo* macro = directive->getMacroInfo();
    if (!wide_ || !macro->isObjectLike() || macro->getNumTokens() != 1 ||
        facts_.fileOf(sources_, name.getLocation()) == SIZE_MAX)
      return;
    const std::string lower = name.getIdentifierInfo()->getName().lower();
    const Token& value = macro->getReplacementToken(0);
    if (lower.find("warp") == std::string::npos || value.isNot(tok::numeric_constant)) return;
    if (preprocessor_.getSpelling(value) != "32") return;
    facts_.report(sources_, name.getLocation(), "warp", name.getIdentifierInfo()->getName().str(),
                  "is 32, but a warp of mp_21 and mp_22 has 128 lanes",
                  "use warpSize, or compile this for mp_31 only");
  }

 private:
  void check(SourceLocation place, SourceRange condition) {
    if (facts_.fileOf(sources_, place) == SIZE_MAX) return;
    const StringRef text = Lexer::getSourceText(CharSourceRange::getTokenRange(condition), sources_,
                                                preprocessor_.getLangOpts());
    for (std::size_t at = 0; at < text.size();) {
      if (!isAsciiIdentifierStart(text[at])) {
        at += isDigit(text[at])
                  ? text.substr(at).take_while([](char c) { return isAsciiIdentifierContinue(c); }).size()
                  : 1;
        continue;
      }
      const StringRef word = text.substr(at).take_while([](char c) { return isAsciiIdentifierContinue(c); });
      at += word.size();
      if (isPlatformMacro(word)) continue;  // the port itself has spoken about these
      const std::string tested = behind(word, 0);
      if (tested.empty()) continue;
      facts_.report(sources_, condition.getBegin(), "guard", word.str(),
                    "it stands for " + tested + ", whose numbers are not NVIDIA's",
                    "compare with __MUSA_ARCH__ (210, 220, 310) or MUSART_VERSION (50200 is 5.2.0) by hand");
    }
  }

  /// The platform's macro that a macro of the project's stands for; empty if none.
  std::string behind(StringRef name, int depth) const {
    if (depth > 4) return {};
    const IdentifierInfo* identifier = preprocessor_.getIdentifierInfo(name);
    const MacroInfo* macro = identifier ? preprocessor_.getMacroInfo(identifier) : nullptr;
    if (!macro || facts_.fileOf(sources_, macro->getDefinitionLoc()) == SIZE_MAX) return {};
    for (const Token& token : macro->tokens()) {
      const IdentifierInfo* part = token.getIdentifierInfo();
      if (!part) continue;
      if (isPlatformMacro(part->getName())) return part->getName().str();
      if (std::string found = behind(part->getName(), depth + 1); !found.empty()) return found;
    }
    return {};
  }

  Preprocessor& preprocessor_;
  const SourceManager& sources_;
  UnitFacts& facts_;
  bool wide_ = false;
};

}  // namespace

std::unique_ptr<PPCallbacks> preprocessorChecks(Preprocessor& preprocessor, UnitFacts& facts) {
  return std::make_unique<Checks>(preprocessor, facts);
}

}  // namespace musashim::translator
