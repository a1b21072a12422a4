#include "translator/lib/vendor/checks.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"

namespace musashim::translator {
namespace {

using namespace clang;

std::string_view viewOf(StringRef text) { return {text.data(), text.size()}; }

// --- names ----------------------------------------------------------------------------------------------

/// The namespace or record of `declaration` by its own name; inline namespaces hold versions.
StringRef ownerOf(const NamedDecl* declaration) {
  const DeclContext* owner = declaration->getDeclContext();
  while (owner->isTransparentContext() || owner->isInlineNamespace()) owner = owner->getParent();
  const auto* named = dyn_cast<NamedDecl>(Decl::castFromDeclContext(owner));
  return named && named->getIdentifier() ? named->getName() : StringRef();
}

const VendorGap* gapOf(const NamedDecl* declaration, StringRef written) {
  if (const StringRef owner = ownerOf(declaration); !owner.empty()) {
    const std::string qualified = (owner + "::" + written).str();
    if (const VendorGap* gap = vendorGapOfName(qualified)) return gap;
    // A method has its record's name only.
    if (isa<RecordDecl>(declaration->getDeclContext())) return nullptr;
  }
  return vendorGapOfName(viewOf(written));
}

// --- code -----------------------------------------------------------------------------------------------

/// What every compiler for MUSA takes: nothing but an order for the compiler, or muAlg's asm("trap;").
bool isPlainAssembly(const GCCAsmStmt* statement) {
  const StringRef text = statement->getAsmString()->getString().trim();
  return text.empty() || text.rtrim("; \t\n") == "trap";
}

bool isForDevice(const FunctionDecl* function) {
  return function && (function->hasAttr<CUDADeviceAttr>() || function->hasAttr<CUDAGlobalAttr>());
}

class Visitor : public RecursiveASTVisitor<Visitor> {
  using Base = RecursiveASTVisitor<Visitor>;

 public:
  Visitor(ASTContext& context, const VendorReport& report)
      : sources_(context.getSourceManager()), language_(context.getLangOpts()), report_(report) {}

  bool shouldVisitTemplateInstantiations() const { return false; }

  void run(TranslationUnitDecl* unit) {
    // What a prelude has that clang never asked for is not the user's.
    for (Decl* declaration : unit->noload_decls()) {
      if (isUsers(declaration->getLocation())) TraverseDecl(declaration);
    }
  }

  // --- where we are

  bool TraverseFunctionDecl(FunctionDecl* function) {
    return inside(function, [&] { return Base::TraverseFunctionDecl(function); });
  }
  bool TraverseCXXMethodDecl(CXXMethodDecl* function) {
    return inside(function, [&] { return Base::TraverseCXXMethodDecl(function); });
  }
  bool TraverseForStmt(ForStmt* loop) {
    return looping([&] { return Base::TraverseForStmt(loop); });
  }
  bool TraverseWhileStmt(WhileStmt* loop) {
    return looping([&] { return Base::TraverseWhileStmt(loop); });
  }
  bool TraverseDoStmt(DoStmt* loop) {
    return looping([&] { return Base::TraverseDoStmt(loop); });
  }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt* loop) {
    return looping([&] { return Base::TraverseCXXForRangeStmt(loop); });
  }

  // --- uses

  bool VisitDeclRefExpr(DeclRefExpr* reference) {
    see(reference->getLocation(), reference->getDecl());
    return true;
  }
  bool VisitMemberExpr(MemberExpr* member) {
    see(member->getMemberLoc(), member->getMemberDecl());
    return true;
  }
  /// Of a template, where the arguments are not known.
  bool VisitOverloadExpr(OverloadExpr* reference) {
    if (reference->decls_begin() == reference->decls_end()) return true;
    see(reference->getNameLoc(), (*reference->decls_begin())->getUnderlyingDecl());
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc type) {
    see(type.getNameLoc(), type.getTypedefNameDecl());
    return true;
  }
  bool VisitTagTypeLoc(TagTypeLoc type) {
    see(type.getNameLoc(), type.getDecl());
    return true;
  }
  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc type) {
    see(type.getTemplateNameLoc(), type.getTypePtr()->getTemplateName().getAsTemplateDecl());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* call) {
    const auto* function = dyn_cast_or_null<FunctionDecl>(call->getCalleeDecl());
    if (!function || call->getOperator() == OO_Equal || !isSdks(function)) return true;
    for (const ParmVarDecl* parameter : function->parameters()) {
      const CXXRecordDecl* record = parameter->getType().getNonReferenceType()->getAsCXXRecordDecl();
      if (!record || !record->getIdentifier()) continue;
      const VendorGap* gap = vendorGapOfName(viewOf(record->getName()));
      if (!gap || gap->code != VendorCode::NarrowOperators) continue;
      const std::string subject = std::string("operator") + getOperatorSpelling(call->getOperator()) +
                                  " of " + record->getName().str();
      tell(call->getOperatorLoc(), subject, *gap);
      return true;
    }
    return true;
  }
  bool VisitGCCAsmStmt(GCCAsmStmt* statement) {
    if (isForDevice(function_) && !isPlainAssembly(statement))
      tell(statement->getAsmLoc(), "asm", vendorGapOfCode(VendorCode::InlineAssembly));
    return true;
  }
  bool VisitFieldDecl(FieldDecl* field) {
    QualType type = field->getType();
    if (!type->isArrayType()) return true;
    while (const ArrayType* array = type->getAsArrayTypeUnsafe()) type = array->getElementType();
    if (type.isRestrictQualified())
      tell(field->getLocation(), field->getName().str(), vendorGapOfCode(VendorCode::RestrictMembers));
    return true;
  }

 private:
  template <class Walk>
  bool inside(FunctionDecl* function, Walk walk) {
    const FunctionDecl* outer = function_;
    const unsigned loops = loops_;
    function_ = function, loops_ = 0;
    const bool result = walk();
    function_ = outer, loops_ = loops;
    return result;
  }
  template <class Walk>
  bool looping(Walk walk) {
    ++loops_;
    const bool result = walk();
    --loops_;
    return result;
  }

  bool isUsers(SourceLocation place) const {
    return place.isValid() && !sources_.isInSystemHeader(sources_.getFileLoc(place));
  }
  bool isSdks(const NamedDecl* declaration) const {
    const SourceLocation place = declaration->getCanonicalDecl()->getLocation();
    return place.isValid() && sources_.isInSystemHeader(sources_.getFileLoc(place));
  }

  /// The name that the user wrote where a header's macro gives it another; empty if none does.
  StringRef macroNameAt(SourceLocation place) const {
    if (!place.isMacroID() || !sources_.isInSystemHeader(sources_.getSpellingLoc(place))) return {};
    return Lexer::getImmediateMacroName(place, sources_, language_);
  }

  void see(SourceLocation place, const NamedDecl* declaration) {
    if (!declaration || !declaration->getIdentifier() || !isUsers(place) || !isSdks(declaration)) return;
    const StringRef macro = macroNameAt(place);
    const StringRef written = macro.empty() ? declaration->getName() : macro;
    const VendorGap* gap = gapOf(declaration, written);
    if (!gap || gap->code == VendorCode::NarrowOperators) return;
    if (gap->code == VendorCode::InstantiatedInLoop && loops_ == 0) return;
    tell(place, written.str(), *gap);
  }

  void tell(SourceLocation place, const std::string& subject, const VendorGap& gap) {
    if (isUsers(place)) report_(sources_.getFileLoc(place), subject, gap);
  }

  const SourceManager& sources_;
  const LangOptions& language_;
  const VendorReport& report_;
  const FunctionDecl* function_ = nullptr;
  unsigned loops_ = 0;
};

// --- the preprocessor -------------------------------------------------------------------------------------

class Preprocessing : public PPCallbacks {
 public:
  Preprocessing(Preprocessor& preprocessor, VendorReport report)
      : preprocessor_(preprocessor), sources_(preprocessor.getSourceManager()), report_(std::move(report)) {}

  void InclusionDirective(SourceLocation hash, const Token&, StringRef name, bool isAngled,
                          CharSourceRange range, OptionalFileEntryRef, StringRef, StringRef, const Module*,
                          bool, SrcMgr::CharacteristicKind kind) override {
    // A header of the project's that is called likewise is its own.
    if (sources_.isInSystemHeader(hash) || (!isAngled && kind == SrcMgr::C_User)) return;
    const VendorGap* gap = vendorGapOfHeader(viewOf(name));
    if (!gap) return;
    if (gap->code == VendorCode::HeadersOfDefined && !preprocessor_.isMacroDefined("__CUDA__")) return;
    report_(range.getBegin().getLocWithOffset(1), name.str(), *gap);
  }

  void MacroExpands(const Token& name, const MacroDefinition& definition, SourceRange,
                    const MacroArgs*) override {
    const MacroInfo* macro = definition.getMacroInfo();
    if (!macro || !sources_.isInSystemHeader(macro->getDefinitionLoc())) return;
    const SourceLocation place = sources_.getFileLoc(name.getLocation());
    if (sources_.isInSystemHeader(place)) return;
    // Those that stand for a declaration of the SDK's are seen with it.
    if (macro->isObjectLike() && macro->getNumTokens() == 1 &&
        macro->getReplacementToken(0).isAnyIdentifier())
      return;
    const StringRef written = name.getIdentifierInfo()->getName();
    const VendorGap* gap = vendorGapOfName(viewOf(written));
    if (gap && gap->code == VendorCode::None) report_(place, written.str(), *gap);
  }

 private:
  Preprocessor& preprocessor_;
  const SourceManager& sources_;
  VendorReport report_;
};

}  // namespace

std::unique_ptr<PPCallbacks> vendorPreprocessorChecks(Preprocessor& preprocessor, VendorReport report) {
  return std::make_unique<Preprocessing>(preprocessor, std::move(report));
}

void checkVendorUses(ASTContext& context, const VendorReport& report) {
  Visitor(context, report).run(context.getTranslationUnitDecl());
}

}  // namespace musashim::translator
