#include "built_in_tools.h"

#include <memory>

#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/Stack.h"
#include "clang/CodeGen/ObjectFilePCHContainerOperations.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/ToolChain.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/FrontendTool/Utils.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/Timer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "mcc/driver/process.h"

LLD_HAS_DRIVER(elf)

namespace musashim::mcc {
namespace {

using llvm::StringRef;
using Strings = std::vector<std::string>;
using Pointers = std::vector<const char*>;

// As of clang's own program: a signal's number is for crashes.
constexpr int kInternalError = 70;

// By any of its paths. Programs that users build may have any name.
bool isClang(StringRef program) { return llvm::sys::fs::equivalent(program, MCC_CLANG); }
bool isLinker(StringRef program) { return llvm::sys::fs::equivalent(program, MCC_LLD); }

// What clang's program does around a compilation: files of times, answers that are no compilation.
bool needsClangItself(StringRef argument) {
  return argument.starts_with("-ftime-trace") || argument.starts_with("-print-") || argument == "-v" ||
         argument == "-###" || argument == "--version" || argument == "-cc1as";
}

Pointers pointersTo(const Strings& command) {
  Pointers pointers;
  for (const std::string& argument : command) pointers.push_back(argument.c_str());
  return pointers;
}

void reportInternalError(void* diagnostics, const char* message, bool asCrash) {
  static_cast<clang::DiagnosticsEngine*>(diagnostics)->Report(clang::diag::err_fe_error_backend) << message;
  llvm::sys::RunInterruptHandlers();  // half-written files go
  llvm::sys::Process::Exit(asCrash ? kInternalError : 1);
}

// `arguments`: those behind -cc1.
int compile(const char* program, llvm::ArrayRef<const char*> arguments) {
  clang::noteBottomOfStack();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::InitializeAllAsmParsers();

  auto instance = std::make_unique<clang::CompilerInstance>();
  const auto containers = instance->getPCHContainerOperations();
  containers->registerWriter(std::make_unique<clang::ObjectFilePCHContainerWriter>());
  containers->registerReader(std::make_unique<clang::ObjectFilePCHContainerReader>());

  // What is wrong with the options is said in the way that the options ask for.
  auto* said = new clang::TextDiagnosticBuffer;
  clang::DiagnosticsEngine first(new clang::DiagnosticIDs, new clang::DiagnosticOptions, said);
  const bool isUnderstood =
      clang::CompilerInvocation::CreateFromArgs(instance->getInvocation(), arguments, first, program);
  instance->createDiagnostics();
  if (!instance->hasDiagnostics()) return 1;
  llvm::install_fatal_error_handler(reportInternalError, &instance->getDiagnostics());
  said->FlushDiagnostics(instance->getDiagnostics());
  bool succeeded = false;
  if (isUnderstood) {
    succeeded = clang::ExecuteCompilerInvocation(instance.get());
    llvm::TimerGroup::printAll(llvm::errs());
    llvm::TimerGroup::clearAll();
    if (llvm::AreStatisticsEnabled()) llvm::PrintStatistics();
  } else {
    instance->getDiagnosticClient().finish();
  }
  llvm::remove_fatal_error_handler();
  // The process ends now, which frees it sooner.
  llvm::BuryPointer(std::move(instance));
  return succeeded ? 0 : 1;
}

// Compilations and links that clang's driver makes of `command`, each in a process of its own. Empty, with
// nothing done and nothing said, where there is anything else to do, or anything to say.
std::optional<int> drive(const Strings& command) {
  clang::IgnoringDiagConsumer silent;
  clang::DiagnosticsEngine diagnostics(new clang::DiagnosticIDs, new clang::DiagnosticOptions, &silent,
                                       /*ShouldOwnClient=*/false);
  // Where its libraries are it tells by its own folder, behind all links.
  llvm::SmallString<128> place;
  if (llvm::sys::fs::real_path(command.front(), place)) return std::nullopt;
  clang::driver::Driver driver(place, llvm::sys::getDefaultTargetTriple(), diagnostics);
  const auto named = clang::driver::ToolChain::getTargetAndModeFromProgramName(command.front());
  driver.setTargetAndMode(named);
  Pointers pointers = pointersTo(command);
  if (named.DriverMode != nullptr) pointers.insert(pointers.begin() + 1, named.DriverMode);
  const std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(pointers));
  if (compilation == nullptr || compilation->containsError() || diagnostics.hasErrorOccurred() ||
      diagnostics.getNumWarnings() != 0)
    return std::nullopt;
  const auto isOurs = [](const clang::driver::Command& job) {
    const llvm::opt::ArgStringList& arguments = job.getArguments();
    return isLinker(job.getExecutable()) ||
           (isClang(job.getExecutable()) && !arguments.empty() && StringRef(arguments.front()) == "-cc1");
  };
  if (compilation->getJobs().empty() || !llvm::all_of(compilation->getJobs(), isOurs)) return std::nullopt;
  int status = 0;
  for (const clang::driver::Command& job : compilation->getJobs()) {
    Strings step{job.getExecutable()};
    step.insert(step.end(), job.getArguments().begin(), job.getArguments().end());
    status = runProgram(step);
    if (status == 0) continue;
    const auto* source = llvm::cast<clang::driver::JobAction>(&job.getSource());
    compilation->CleanupFileMap(compilation->getResultFiles(), source, /*IssueErrors=*/true);
    if (isCrash(status))
      compilation->CleanupFileMap(compilation->getFailureResultFiles(), source, /*IssueErrors=*/true);
    break;
  }
  compilation->CleanupFileList(compilation->getTempFiles());
  return status;
}

}  // namespace

std::optional<int> runBuiltInTool(const Strings& command) {
  if (llvm::any_of(command, needsClangItself)) return std::nullopt;
  const Pointers pointers = pointersTo(command);
  const llvm::PrettyStackTraceProgram stepInReports(static_cast<int>(pointers.size()), pointers.data());
  if (isLinker(command.front()))
    return lld::elf::link(pointers, llvm::outs(), llvm::errs(), /*exitEarly=*/true, /*disableOutput=*/false)
               ? 0
               : 1;
  if (!isClang(command.front()) || command.size() < 2) return std::nullopt;
  return command[1] == "-cc1" ? compile(pointers.front(), llvm::ArrayRef(pointers).drop_front(2))
                              : drive(command);
}

}  // namespace musashim::mcc
