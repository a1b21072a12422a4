// Request => a clang instance for each unit => facts. The ported texts are laid over the file system, so
// nothing has to be written first.

#include <atomic>
#include <thread>

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/thread.h"
#include "llvm/TargetParser/Host.h"
#include "translator/semantic/preprocessor.h"
#include "translator/semantic/visitor.h"

namespace musashim::translator {
namespace {

using namespace clang;
using Paths = std::map<std::string, std::size_t, std::less<>>;

/// Keeps the first error of the unit, and reports names that the SDK does not declare.
class Errors final : public DiagnosticConsumer {
 public:
  explicit Errors(UnitFacts& facts) : facts_(facts) {}

  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic& diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < DiagnosticsEngine::Error) return;
    llvm::SmallString<128> message;
    diagnostic.FormatDiagnostic(message);
    if (first.empty()) first = message.str().str();
    if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid()) return;
    if (StringRef(message).starts_with("reference to __global__ function")) {
      facts_.report(
          diagnostic.getSourceManager(), diagnostic.getLocation(), "nested-launch",
          StringRef(message).split('\'').second.split('\'').first.str(),
          "a kernel starts a kernel; this SDK compiles that, but no waiting, copies or events in device code",
          "where it has to run elsewhere, too, start it from the host");
      return;
    }
    // "use of undeclared identifier 'musaX'", "unknown type name 'musaX_t'"
    const StringRef text = message;
    const StringRef name = text.split('\'').second.split('\'').first;
    const bool vendors = name.starts_with("mu") || name.starts_with("MU") || name.starts_with("mccl") ||
                         name.starts_with("MCCL") || name.starts_with("__mu");
    if (!vendors || !(text.contains("undeclared") || text.contains("unknown type name") ||
                      text.contains("no member named")))
      return;
    facts_.report(diagnostic.getSourceManager(), diagnostic.getLocation(), "missing", name.str(),
                  "the SDK's headers do not declare it", "see the SDK's support table for what there is");
  }

  std::string first;

 private:
  UnitFacts& facts_;
};

class Consumer final : public ASTConsumer {
 public:
  explicit Consumer(UnitFacts& facts) : facts_(facts) {}
  void HandleTranslationUnit(ASTContext& context) override { visitUnit(context, facts_); }

 private:
  UnitFacts& facts_;
};

class Action final : public ASTFrontendAction {
 public:
  explicit Action(UnitFacts& facts) : facts_(facts) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, StringRef) override {
    compiler.getPreprocessor().addPPCallbacks(preprocessorChecks(compiler.getPreprocessor(), facts_));
    return std::make_unique<Consumer>(facts_);
  }

 private:
  UnitFacts& facts_;
};

class Session {
 public:
  Session(const SemanticRequest& request, SemanticResult& result) : request_(request), result_(result) {
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
  }

 private:
  std::shared_ptr<CompilerInvocation> invocation(const SemanticUnit& unit, const std::string& path,
                                                 DiagnosticsEngine& diagnostics) const {
    std::vector<const char*> arguments = {request_.clang.c_str(), "-fsyntax-only", "-w", "-ferror-limit=0"};
    for (const std::string& argument : unit.arguments) arguments.push_back(argument.c_str());
    if (unit.musa) {
      for (const char* fixed :
           {"--cuda-host-only", "-nogpuinc", "-nogpulib", "-fhip-new-launch-api", "-fdeclspec", "-x", "hip"})
        arguments.push_back(fixed);
    }
    arguments.push_back(path.c_str());
    CreateInvocationOptions options;
    options.Diags = &diagnostics;
    std::shared_ptr<CompilerInvocation> result = createInvocation(arguments, options);
    if (!result) return nullptr;
    PreprocessorOptions& macros = result->getPreprocessorOpts();
    result->getHeaderSearchOpts().AddPath(request_.include, frontend::System, false, true);
    if (unit.musa) {
      llvm::erase_if(macros.Macros,
                     [](const auto& macro) { return StringRef(macro.first).starts_with("__HIP"); });
      for (const char* macro : {"__HIP__", "__HIPCC__", "__HIP_DEVICE_COMPILE__"})
        macros.addMacroUndef(macro);
      for (const char* macro : {"__MUSACC__=", "__MUSA__=1", "__CUDA__=1", "MUSASHIM_DEVICE_COMPILER=1"})
        macros.addMacroDef(macro);
      macros.addMacroDef("__MUSA_ARCH__=" + std::to_string(request_.targets.back().architecture));
      result->getLangOpts().CUDAIsDevice = true;
      result->getLangOpts().CUDAAllowVariadicFunctions = true;
      result->getTargetOpts().HostTriple = result->getTargetOpts().Triple;
      if (!request_.prelude.empty()) macros.Includes.push_back(request_.prelude);
    }
    result->getFrontendOpts().DisableFree = false;
    return result;
  }

  void compile(const SemanticUnit& unit) {
    const std::string& path = request_.files[unit.file].path;
    UnitFacts facts(request_, byPath_, sink_);
    Errors errors(facts);
    IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> files(
        new llvm::vfs::OverlayFileSystem(llvm::vfs::createPhysicalFileSystem()));
    files->pushOverlay(texts_);
    CompilerInstance compiler;
    compiler.setVerboseOutputStream(llvm::nulls());
    compiler.createDiagnostics(&errors, /*ShouldOwnClient=*/false);
    const auto arguments = invocation(unit, path, compiler.getDiagnostics());
    if (!arguments)
      return fail(path, errors.first.empty() ? "clang takes none of the options" : errors.first, 0);
    compiler.setInvocation(arguments);
    compiler.createFileManager(files);
    compiler.createSourceManager(compiler.getFileManager());
    Action action(facts);
    compiler.ExecuteAction(action);
    const std::lock_guard lock(mutex_);
    if (errors.getNumErrors() == 0) {
      ++result_.parsed;
    } else {
      failLocked(path, errors.first, errors.getNumErrors() - 1);
    }
  }

  void fail(const std::string& path, const std::string& error, unsigned more) {
    const std::lock_guard lock(mutex_);
    failLocked(path, error, more);
  }
  void failLocked(const std::string& path, const std::string& error, unsigned more) {
    result_.failures.push_back(path + ": " + error +
                               (more ? " (and " + std::to_string(more) + " more errors)" : ""));
  }

  const SemanticRequest& request_;
  SemanticResult& result_;
  IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> texts_;
  Paths byPath_;
  FindingSink sink_;
  std::mutex mutex_;
};

}  // namespace
}  // namespace musashim::translator

extern "C" __attribute__((visibility("default"))) bool musaportSemantic(
    const musashim::translator::SemanticRequest& request, musashim::translator::SemanticResult& result) {
  if (request.targets.empty()) {
    result.failures.emplace_back("no target was given");
    return false;
  }
  musashim::translator::Session(request, result).run();
  std::sort(result.failures.begin(), result.failures.end());
  return true;
}
