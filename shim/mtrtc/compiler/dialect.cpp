#include <map>
#include <mutex>

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "clang_unit.h"
#include "device_pass.h"
#include "mcc/driver/compile/frontend_arguments.h"
#include "mcc/driver/link/device_unit.h"
#include "mcc/driver/options/options.h"
#include "unit_thread.h"

namespace musashim::mtrtc {
namespace {

using namespace clang;
using Strings = std::vector<std::string>;

// The macros that headers look at: a program that defines one gets the headers parsed anew.
class AskedMacros : public PPCallbacks {
 public:
  explicit AskedMacros(llvm::StringSet<>& asked) : asked_(asked) {}

  void Ifdef(SourceLocation, const Token& name, const MacroDefinition&) override { note(name); }
  void Ifndef(SourceLocation, const Token& name, const MacroDefinition&) override { note(name); }
  void Elifdef(SourceLocation, const Token& name, const MacroDefinition&) override { note(name); }
  void Elifndef(SourceLocation, const Token& name, const MacroDefinition&) override { note(name); }
  void Defined(const Token& name, const MacroDefinition&, SourceRange) override { note(name); }

 private:
  void note(const Token& name) {
    if (const IdentifierInfo* identifier = name.getIdentifierInfo()) asked_.insert(identifier->getName());
  }

  llvm::StringSet<>& asked_;
};

// Functions of which clang looks, at the end of every unit, whether diagnostics of device code were put off.
// For those of headers they are not kept, so nothing is found, but reading all of them takes half of a small
// unit's time. Clang has no other way to this member; an explicit instantiation may name it.
template <auto Member>
struct DeferredChecks {
  friend auto& deferredChecks(Sema& sema) { return sema.*Member; }
};
template struct DeferredChecks<&Sema::DeclsToCheckForDeferredDiags>;
auto& deferredChecks(Sema& sema);

class ForgetDeferredChecks : public SemaConsumer {
 public:
  void InitializeSema(Sema& sema) override { sema_ = &sema; }
  void HandleTranslationUnit(ASTContext&) override { deferredChecks(*sema_).clear(); }

 private:
  Sema* sema_ = nullptr;
};

// Writes what was parsed to memory.
class Precompile final : public ASTFrontendAction {
 public:
  Precompile(std::shared_ptr<PCHBuffer> buffer, llvm::StringSet<>& asked)
      : buffer_(std::move(buffer)), asked_(asked) {}
  TranslationUnitKind getTranslationUnitKind() override { return TU_Prefix; }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, StringRef) override {
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<AskedMacros>(asked_));
    std::vector<std::unique_ptr<ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<ForgetDeferredChecks>());
    consumers.push_back(std::make_unique<PCHGenerator>(compiler.getPreprocessor(), compiler.getModuleCache(),
                                                       kPreludeName, "", buffer_,
                                                       ArrayRef<std::shared_ptr<ModuleFileExtension>>()));
    return std::make_unique<MultiplexConsumer>(std::move(consumers));
  }

 private:
  std::shared_ptr<PCHBuffer> buffer_;
  llvm::StringSet<>& asked_;
};

void precompile(const std::string& prelude, Dialect& dialect) {
  IgnoringDiagConsumer errors;
  CompilerInstance compiler;
  compiler.setVerboseOutputStream(llvm::nulls());
  compiler.createDiagnostics(&errors, /*ShouldOwnClient=*/false);
  const auto invocation = invocationOf(dialect.arguments, compiler.getDiagnostics());
  if (!invocation) return;
  invocation->getFrontendOpts().Inputs = {FrontendInputFile(prelude, InputKind(Language::HIP))};
  // Not by every program again.
  invocation->getLangOpts().PCHInstantiateTemplates = true;
  compiler.setInvocation(invocation);
  compiler.createFileManager();
  compiler.createSourceManager(compiler.getFileManager());
  const auto buffer = std::make_shared<PCHBuffer>();
  Precompile action(buffer, dialect.asked);
  if (!compiler.ExecuteAction(action) || compiler.getDiagnostics().hasErrorOccurred() || !buffer->IsComplete)
    return;
  dialect.compiled =
      llvm::MemoryBuffer::getMemBufferCopy(StringRef(buffer->Data.data(), buffer->Data.size()), kPreludeName);
}

// What this process does once, or in its own way: plugins and options of LLVM's are loaded and set for all
// units (clang_unit.h), and the prelude is not parsed each time.
Strings withoutSharedArguments(const Strings& arguments, Strings& llvmArguments, std::string& prelude) {
  Strings result;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool last = i + 1 == arguments.size();
    if (!last && arguments[i] == "-mllvm") {
      llvmArguments.push_back(arguments[++i]);
    } else if (!last && arguments[i] == "-load") {
      ++i;
    } else if (!last && arguments[i] == "-include") {
      prelude = arguments[++i];
    } else if (!last && arguments[i] == "-main-file-name") {
      ++i;
    } else {
      result.push_back(arguments[i]);
    }
  }
  return result;
}

bool makeDialect(const mcc::Toolchain& toolchain, const CompileRequest& request, uint32_t arch,
                 Dialect& dialect, std::string& log) {
  Strings command{"-x", "musa", "--musa-device-only", "-c", "-Wno-musa-nvcc-options"};
  command.insert(command.end(), request.language.begin(), request.language.end());
  command.push_back("-");
  mcc::Options options;
  if (!mcc::parseOptions(command, options, log)) return false;
  options.inputs.front().isCuda = request.isCuda;
  mcc::FrontendArguments host;
  if (!mcc::hostArguments(toolchain, options, options.inputs.front(), host)) {
    log = "the options are not valid together";
    return false;
  }
  // Clang's rules for names that several units share.
  if (options.relocatable) host.arguments.push_back("-fgpu-rdc");
  const mcc::FrontendArguments device = mcc::deviceArguments(toolchain, options, host, arch, "");
  dialect.codeGeneration = mcc::codeGenerationOptions(device.arguments);
  Strings llvmArguments;
  dialect.arguments = withoutSharedArguments(device.arguments, llvmArguments, dialect.prelude);
  if (!prepareClang(toolchain, llvmArguments, log)) return false;
  std::string error;
  runInUnitThread([&] { precompile(dialect.prelude, dialect); }, error);
  return true;
}

}  // namespace

const Dialect* findDialect(const mcc::Toolchain& toolchain, const CompileRequest& request, uint32_t arch,
                           std::string& log) {
  struct Entry {
    std::mutex mutex;
    std::unique_ptr<Dialect> dialect;
  };
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::map<std::pair<uint32_t, Strings>, std::unique_ptr<Entry>>;
  Strings key = request.language;
  key.push_back(toolchain.sdk);
  key.push_back(request.isCuda ? "cuda" : "musa");
  Entry* entry = nullptr;
  {
    const std::lock_guard lock(mutex);
    auto& place = known[{arch, key}];
    if (!place) place = std::make_unique<Entry>();
    entry = place.get();
  }
  const std::lock_guard lock(entry->mutex);
  if (!entry->dialect) {
    auto made = std::make_unique<Dialect>();
    if (!makeDialect(toolchain, request, arch, *made, log)) return nullptr;
    entry->dialect = std::move(made);
  }
  return entry->dialect.get();
}

}  // namespace musashim::mtrtc
