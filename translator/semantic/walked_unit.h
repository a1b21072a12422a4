#pragma once

// One translation unit as the visitor and its checks see it.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "translator/semantic/facts.h"

namespace musashim::translator {

struct WalkedUnit {
  WalkedUnit(clang::ASTContext& ast, UnitFacts& unitFacts)
      : context(ast), sources(ast.getSourceManager()), facts(unitFacts) {
    for (const SemanticTarget& target : facts.request.targets) {
      if (target.warp != 32) wide.emplace_back(target.name);
    }
  }

  clang::ASTContext& context;
  const clang::SourceManager& sources;
  UnitFacts& facts;
  std::vector<std::string> wide;  // targets whose warps are not 32 lanes

  /// Reports at the place where the user wrote it.
  void report(clang::SourceLocation place, std::string kind, std::string subject, std::string reason,
              std::string remedy) const {
    facts.report(sources, place, std::move(kind), std::move(subject), std::move(reason), std::move(remedy));
  }
};

/// The function at hand, and what was found in it so far.
struct WalkedFunction {
  clang::FunctionDecl* function = nullptr;
  bool device = false;
  std::uint64_t shared = 0;                   // bytes of its shared variables
  std::vector<clang::VarDecl*> laneArrays{};  // those of 32 elements
  bool usesWarps = false;
};

/// "mp_21, mp_22"
inline std::string listed(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) result += (result.empty() ? "" : ", ") + name;
  return result;
}

}  // namespace musashim::translator
