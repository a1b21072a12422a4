#include "device_pass.h"

#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang_unit.h"
#include "cuda_text.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "mcc/driver/options/architectures.h"
#include "name_expressions.h"
#include "static_variables.h"
#include "unit_thread.h"

namespace musashim::mtrtc {
namespace {

using namespace clang;
using Strings = std::vector<std::string>;

// Texts in memory lie in a folder that no disk has, and say by #line what they are called.
constexpr const char* kFolder = "/.mtrtc";

class ArchUse : public PPCallbacks {
 public:
  ArchUse(const SourceManager& sources, bool& used) : sources_(sources), used_(used) {}
  void MacroExpands(const Token& name, const MacroDefinition&, SourceRange range, const MacroArgs*) override {
    if (name.getIdentifierInfo()->getName() == "__MUSA_ARCH__" &&
        !sources_.isInSystemHeader(range.getBegin()))
      used_ = true;
  }

 private:
  const SourceManager& sources_;
  bool& used_;
};

// `Base`: clang's action for an object or for bitcode.
template <class Base>
class DevicePass : public Base {
 public:
  explicit DevicePass(PassResult& result) : result_(result) {}

 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, StringRef file) override {
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<ArchUse>(compiler.getSourceManager(), result_.archUsed));
    std::unique_ptr<ASTConsumer> code = Base::CreateASTConsumer(compiler, file);
    if (code == nullptr) return nullptr;
    std::vector<std::unique_ptr<ASTConsumer>> consumers;
    consumers.push_back(
        exposeStaticVariables(/*byTheirNames=*/!compiler.getLangOpts().GPURelocatableDeviceCode));
    consumers.push_back(lowerNames(compiler, result_.lowered));
    consumers.push_back(std::move(code));
    return std::make_unique<MultiplexConsumer>(std::move(consumers));
  }

 private:
  PassResult& result_;
};

// The files of the user's.
class Files : public DependencyCollector {
 public:
  Files(const std::string& sdk, Strings& found) : sdk_(sdk), found_(found) {}
  void maybeAddDependency(StringRef file, bool, bool, bool, bool) override {
    if (!file.starts_with(sdk_) && !file.starts_with(kFolder) && !file.starts_with("<"))
      found_.push_back(file.str());
  }

 private:
  std::string sdk_;
  Strings& found_;
};

std::string lineOne(const std::string& name) {
  std::string escaped;
  for (const char letter : name) {
    if (letter == '"' || letter == '\\') escaped += '\\';
    escaped += letter == '\n' ? ' ' : letter;
  }
  return "#line 1 \"" + escaped + "\"\n";
}

std::string placeOf(const std::string& name) {
  llvm::SmallString<128> path(kFolder);
  llvm::sys::path::append(path, name);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

constexpr const char* kDefaultDevice =
    "#pragma clang force_cuda_host_device begin\n"
    "#pragma clang attribute push(__attribute__((device)), apply_to = variable(is_global))\n";
constexpr const char* kDefaultDeviceEnd =
    "\n#pragma clang attribute pop\n#pragma clang force_cuda_host_device end\n";

std::string mainText(const CompileRequest& request, const UserFiles& user) {
  std::string text = request.defaultDevice ? kDefaultDevice : "";
  text += lineOne(request.source.name) + user.text(request.source) + "\n" + nameDeclarations(request.names);
  return request.defaultDevice ? text + kDefaultDeviceEnd : text;
}

bool asksFor(const Dialect& dialect, const Strings& options) {
  for (const std::string& option : options) {
    StringRef macro = option;
    if ((macro.consume_front("-D") || macro.consume_front("-U")) &&
        dialect.asked.contains(macro.take_until([](char letter) { return letter == '=' || letter == '('; })))
      return true;
  }
  return false;
}

// The same for the same program: of names that are its own.
std::string unitId(const CompileRequest& request) {
  llvm::MD5 hash;
  const auto add = [&](const std::string& part) { hash.update(part + '\0'); };
  for (const Strings* list : {&request.language, &request.frontend, &request.names}) {
    for (const std::string& part : *list) add(part);
  }
  add(request.source.name);
  add(request.source.text);
  for (const SourceText& header : request.headers) add(header.text);
  return hash.final().digest().str().str();
}

Strings argumentsOf(const CompileRequest& request, const Dialect& dialect, uint32_t arch,
                    const std::vector<uint32_t>& otherArchs) {
  Strings arguments = dialect.arguments;
  const auto addFact = [&](const std::string& fact) {
    arguments.insert(arguments.end(), {"-plugin-arg-musa-source-facts", fact});
  };
  const unsigned warpSize = mcc::warpSizeOf(arch);
  addFact("warp-size=" + std::to_string(warpSize));
  for (const uint32_t other : otherArchs) {
    if (mcc::warpSizeOf(other) != warpSize)
      addFact("other-warp-size=" + std::to_string(mcc::warpSizeOf(other)));
  }
  arguments.insert(arguments.end(), {"-main-file-name", request.source.name});
  arguments.push_back(std::string("-I") + kFolder);
  // As if the source lay there.
  const StringRef folder = llvm::sys::path::parent_path(request.source.name);
  arguments.insert(arguments.end(), {"-iquote", folder.empty() ? "." : folder.str()});
  // Where nothing is the device's by default.
  if (request.defaultDevice) arguments.push_back("-Wno-pragma-clang-attribute");
  arguments.insert(arguments.end(), request.frontend.begin(), request.frontend.end());
  if (request.relocatable) arguments.push_back("-cuid=" + unitId(request));
  return arguments;
}

void compileUnit(const mcc::Toolchain& toolchain, const CompileRequest& request, const Dialect& dialect,
                 uint32_t arch, const std::vector<uint32_t>& otherArchs, llvm::raw_ostream& log,
                 PassResult& result) {
  CompilerInstance compiler;
  compiler.createDiagnostics(new TextDiagnosticPrinter(log, new DiagnosticOptions), /*ShouldOwnClient=*/true);
  compiler.setVerboseOutputStream(llvm::nulls());
  const auto invocation =
      invocationOf(argumentsOf(request, dialect, arch, otherArchs), compiler.getDiagnostics());
  if (!invocation) return;
  compiler.setInvocation(invocation);
  // By the program's options now.
  compiler.createDiagnostics(new TextDiagnosticPrinter(log, &compiler.getDiagnosticOpts()),
                             /*ShouldOwnClient=*/true);

  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory(new llvm::vfs::InMemoryFileSystem);
  const UserFiles user(request);
  const std::string main = placeOf(request.source.name);
  memory->addFile(main, 0, llvm::MemoryBuffer::getMemBufferCopy(mainText(request, user), main));
  for (const SourceText& header : request.headers) {
    const std::string place = placeOf(header.name);
    memory->addFile(place, 0,
                    llvm::MemoryBuffer::getMemBufferCopy(lineOne(header.name) + user.text(header), place));
  }
  PreprocessorOptions& preprocessor = invocation->getPreprocessorOpts();
  if (dialect.compiled && !asksFor(dialect, request.frontend)) {
    memory->addFileNoOwn(kPreludeName, 0, dialect.compiled->getMemBufferRef());
    preprocessor.ImplicitPCHInclude = kPreludeName;
  } else {
    preprocessor.Includes.insert(preprocessor.Includes.begin(), dialect.prelude);
  }
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> files(
      new llvm::vfs::OverlayFileSystem(user.fileSystem()));
  files->pushOverlay(memory);

  invocation->getFrontendOpts().Inputs = {FrontendInputFile(main, InputKind(Language::HIP))};
  compiler.createFileManager(files);
  compiler.createSourceManager(compiler.getFileManager());
  compiler.addDependencyCollector(std::make_shared<Files>(toolchain.sdk, result.files));
  llvm::SmallString<0> object;
  compiler.setOutputStream(std::make_unique<llvm::raw_svector_ostream>(object));
  result.lowered.assign(request.names.size(), {});
  std::unique_ptr<FrontendAction> pass;
  if (request.relocatable) {
    // As mcc -dc keeps it: passes are the link's.
    invocation->getCodeGenOpts().DisableLLVMPasses = true;
    pass = std::make_unique<DevicePass<EmitBCAction>>(result);
  } else {
    pass = std::make_unique<DevicePass<EmitObjAction>>(result);
  }
  const bool done = compiler.ExecuteAction(*pass) && !compiler.getDiagnostics().hasErrorOccurred();
  result.outcome = done ? Outcome::kDone : Outcome::kMistakes;
  result.object = object.str().str();
}

}  // namespace

void runDevicePass(const mcc::Toolchain& toolchain, const CompileRequest& request, const Dialect& dialect,
                   uint32_t arch, const std::vector<uint32_t>& otherArchs, std::string& log,
                   PassResult& result) {
  std::string text, error;
  // LLVM's last words may come while the rest is still being written to.
  auto unit = std::make_shared<std::pair<std::string, PassResult>>();
  const bool ended = runInUnitThread(
      [&, unit] {
        llvm::raw_string_ostream stream(unit->first);
        compileUnit(toolchain, request, dialect, arch, otherArchs, stream, unit->second);
      },
      error);
  log += unit->first;
  if (!ended) {
    log += "mtrtc: error: the compiler gave up: " + error + "\n";
    return;
  }
  result = std::move(unit->second);
}

}  // namespace musashim::mtrtc
