#include "translator/semantic/prelude.h"

#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "translator/semantic/diagnosis.h"
#include "translator/semantic/invocation.h"

namespace musashim::translator {
namespace {

using namespace clang;
using FileSystem = IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

constexpr const char* kName = "/musaport/prelude.pch";

/// Writes what was parsed to memory.
class Precompile final : public ASTFrontendAction {
 public:
  explicit Precompile(std::shared_ptr<PCHBuffer> buffer) : buffer_(std::move(buffer)) {}
  TranslationUnitKind getTranslationUnitKind() override { return TU_Prefix; }
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, StringRef) override {
    return std::make_unique<PCHGenerator>(compiler.getPreprocessor(), compiler.getModuleCache(), kName, "",
                                          buffer_, ArrayRef<std::shared_ptr<ModuleFileExtension>>());
  }

 private:
  std::shared_ptr<PCHBuffer> buffer_;
};

}  // namespace

Preludes::Preludes(const SemanticRequest& request) : request_(request) {
  for (const SemanticUnit& unit : request.units) {
    if (unit.language == SemanticLanguage::Musa) ++byArguments_[unit.arguments].units;
  }
}

void Preludes::addTo(CompilerInvocation& invocation, const SemanticUnit& unit,
                     IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> files) {
  if (request_.prelude.empty() || unit.language != SemanticLanguage::Musa) return;
  PreprocessorOptions& options = invocation.getPreprocessorOpts();
  Parsed& parsed = byArguments_.at(unit.arguments);
  // What -include names comes first, and may define macros.
  if (parsed.units > 2 && options.Includes.empty() && options.MacroIncludes.empty())
    std::call_once(parsed.once, [&] { parse(unit, files, parsed); });
  if (!parsed.bytes) return options.Includes.push_back(request_.prelude);
  IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> overlay(new llvm::vfs::InMemoryFileSystem);
  overlay->addFileNoOwn(kName, 0, parsed.bytes->getMemBufferRef());
  files->pushOverlay(overlay);
  options.ImplicitPCHInclude = kName;
}

void Preludes::parse(const SemanticUnit& unit, FileSystem files, Parsed& parsed) const {
  IgnoringDiagConsumer errors;
  CompilerInstance compiler;
  compiler.setVerboseOutputStream(llvm::nulls());
  compiler.createDiagnostics(&errors, /*ShouldOwnClient=*/false);
  const auto invocation = invocationOf(request_, unit, request_.prelude, compiler.getDiagnostics());
  if (!invocation) return;
  compiler.setInvocation(invocation);
  compiler.createFileManager(files);
  compiler.createSourceManager(compiler.getFileManager());
  const auto buffer = std::make_shared<PCHBuffer>();
  Precompile action(buffer);
  if (!compiler.ExecuteAction(action) || compiler.getDiagnostics().hasErrorOccurred() || !buffer->IsComplete)
    return;
  parsed.bytes =
      llvm::MemoryBuffer::getMemBufferCopy(StringRef(buffer->Data.data(), buffer->Data.size()), kName);
}

}  // namespace musashim::translator
