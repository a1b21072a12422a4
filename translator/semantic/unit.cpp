// Request => a clang instance for each unit => facts. The ported texts are laid over the file system, so
// nothing has to be written first.

#include <atomic>
#include <thread>

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/thread.h"
#include "translator/lib/vendor/checks.h"
#include "translator/semantic/diagnosis.h"
#include "translator/semantic/file_system.h"
#include "translator/semantic/invocation.h"
#include "translator/semantic/prelude.h"
#include "translator/semantic/preprocessor.h"
#include "translator/semantic/visitor.h"

namespace musashim::translator {
namespace {

using namespace clang;
using Paths = std::map<std::string, std::size_t, std::less<>>;

VendorReport vendorReport(UnitFacts& facts, const SourceManager& sources) {
  return [&](SourceLocation place, const std::string& subject, const VendorGap& gap) {
    const std::string reason = std::string(wordsOf(gap.evidence)) + ": " + std::string(gap.reason) +
                               " (source: " + std::string(gap.source) + ")";
    facts.report(sources, place, "vendor", subject, reason, std::string(gap.remedy));
  };
}

class Consumer final : public ASTConsumer {
 public:
  explicit Consumer(UnitFacts& facts) : facts_(facts) {}
  void HandleTranslationUnit(ASTContext& context) override {
    visitUnit(context, facts_);
    checkVendorUses(context, vendorReport(facts_, context.getSourceManager()));
  }

 private:
  UnitFacts& facts_;
};

class Action final : public ASTFrontendAction {
 public:
  explicit Action(UnitFacts& facts) : facts_(facts) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, StringRef) override {
    Preprocessor& preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(preprocessorChecks(preprocessor, facts_));
    preprocessor.addPPCallbacks(
        vendorPreprocessorChecks(preprocessor, vendorReport(facts_, compiler.getSourceManager())));
    return std::make_unique<Consumer>(facts_);
  }

 private:
  UnitFacts& facts_;
};

class Session {
 public:
  Session(const SemanticRequest& request, SemanticResult& result)
      : request_(request), result_(result), preludes_(request) {
    texts_ = new llvm::vfs::InMemoryFileSystem;
    for (std::size_t i = 0; i < request.files.size(); ++i) {
      const SemanticFile& file = request.files[i];
      texts_->addFile(
          file.path, 0,
          llvm::MemoryBuffer::getMemBuffer(StringRef(file.text.data(), file.text.size()), file.path, false));
      byPath_.emplace(file.path, i);
    }
  }

  void run() {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < request_.units.size(); i = next++) {
        if (request_.stopped && request_.stopped()) return;
        compile(request_.units[i]);
      }
    };
    // Clang recurses deeply; its own tools take stacks of this size.
    std::vector<llvm::thread> threads;
    for (unsigned i = 0; i < std::max(1U, request_.threads); ++i)
      threads.emplace_back(std::optional<unsigned>(8U << 20), work);
    for (llvm::thread& thread : threads) thread.join();
    sink_.finish(result_);
    // What another includes need not stand alone.
    std::erase_if(result_.troubles, [&](const SemanticTrouble& trouble) {
      return trouble.headers.empty() && included_.contains(trouble.file);
    });
  }

 private:
  void compile(const SemanticUnit& unit) {
    const std::string& path = request_.files[unit.file].path;
    UnitFacts facts(request_, byPath_, sink_);
    Diagnosis diagnosis(facts);
    IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> files(
        new llvm::vfs::OverlayFileSystem(portingFileSystem(request_)));
    files->pushOverlay(texts_);
    CompilerInstance compiler;
    compiler.setVerboseOutputStream(llvm::nulls());
    compiler.createDiagnostics(&diagnosis, /*ShouldOwnClient=*/false);
    if (const auto invocation = invocationOf(request_, unit, path, compiler.getDiagnostics())) {
      preludes_.addTo(*invocation, unit, files);
      compiler.setInvocation(invocation);
      compiler.createFileManager(files);
      compiler.createSourceManager(compiler.getFileManager());
      Diagnosis::relax(compiler.getDiagnostics());
      Action action(facts);
      compiler.ExecuteAction(action);
      noteIncluded(compiler.getSourceManager(), unit.file);
    } else if (diagnosis.understood()) {
      diagnosis.trouble().error = "clang takes none of the options";
      diagnosis.trouble().errors = 1;
    }
    const std::lock_guard lock(mutex_);
    if (diagnosis.understood()) {
      ++result_.parsed;
    } else {
      diagnosis.trouble().file = unit.file;
      result_.troubles.push_back(std::move(diagnosis.trouble()));
    }
  }

  void noteIncluded(const SourceManager& sources, std::size_t unit) {
    const std::lock_guard lock(mutex_);
    for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file) {
      const auto found = byPath_.find(std::string_view(file->first.getName()));
      if (found != byPath_.end() && found->second != unit) included_.insert(found->second);
    }
  }

  const SemanticRequest& request_;
  SemanticResult& result_;
  Preludes preludes_;
  IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> texts_;
  Paths byPath_;
  FindingSink sink_;
  std::set<std::size_t> included_;
  std::mutex mutex_;
};

}  // namespace
}  // namespace musashim::translator

extern "C" __attribute__((visibility("default"))) void musaportSemantic(
    const musashim::translator::SemanticRequest& request, musashim::translator::SemanticResult& result) {
  musashim::translator::Session(request, result).run();
  std::sort(result.troubles.begin(), result.troubles.end(),
            [](const auto& a, const auto& b) { return a.file < b.file; });
}
