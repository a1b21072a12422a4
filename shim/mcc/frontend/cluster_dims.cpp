// `__cluster_dims__(x, y, z)`: MUSA has no thread block clusters, whose blocks read each other's shared
// memory. A cluster of one block is what every launch is made of, so that is accepted; all others are errors.
#include "clang/AST/Expr.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

namespace musashim::mcc {
namespace {

using namespace clang;

bool isOne(Sema& sema, const ParsedAttr& attribute, unsigned index) {
  if (!attribute.isArgExpr(index)) return false;
  const Expr* extent = attribute.getArgAsExpr(index);
  if (extent->isValueDependent()) return false;  // nobody would ask again for the instances
  const std::optional<llvm::APSInt> value = extent->getIntegerConstantExpr(sema.getASTContext());
  return value.has_value() && *value == 1;
}

class ClusterDimsAttribute : public ParsedAttrInfo {
 public:
  ClusterDimsAttribute() {
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_GNU, "musa_cluster_dims"}};
    Spellings = spellings;
    NumArgs = 1;
    OptArgs = 2;
  }

  AttrHandling handleDeclAttribute(Sema& sema, Decl*, const ParsedAttr& attribute) const override {
    for (unsigned i = 0; i < attribute.getNumArgs(); ++i) {
      if (isOne(sema, attribute, i)) continue;
      sema.Diag(attribute.getLoc(), sema.getDiagnostics().getCustomDiagID(
                                        DiagnosticsEngine::Error,
                                        "MUSA has no thread block clusters: launch plain blocks, and share "
                                        "through device memory"));
      return AttributeNotApplied;
    }
    return AttributeApplied;
  }
};

ParsedAttrInfoRegistry::Add<ClusterDimsAttribute> attribute("musa_cluster_dims", "__cluster_dims__");

}  // namespace
}  // namespace musashim::mcc
