#include "code_cache.h"

#include <chrono>

#include "canonical_order.h"
#include "entry.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "loaded_files.h"
#include "mcc/device_plugin/device_target.h"
#include "mcc/device_plugin/source_facts/launch_sizes.h"

namespace musashim::mcc {
namespace {

llvm::cl::opt<std::string> folder(kCodeCacheFolder, llvm::cl::desc("Where compiled MUSA device code is kept"),
                                  llvm::cl::Hidden);
llvm::cl::opt<std::string> options(kCodeCacheOptions,
                                   llvm::cl::desc("What the command's options are told by"),
                                   llvm::cl::Hidden);
llvm::cl::opt<std::string> notes(kCodeCacheNotes, llvm::cl::desc("What the names of its files begin with"),
                                 llvm::cl::Hidden);

constexpr std::chrono::minutes kFresh(10);  // in which a use need not be noted again

// All that the passes behind this one see: the compiler, its options, what the clang half knows and the
// module.
std::string nameOf(llvm::Module& module, llvm::StringRef compiler) {
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream out(text);
  out << compiler.size() << ' ' << compiler << options << '\n';
  const DeviceTarget& target = DeviceTarget::instance();
  for (const unsigned size : target.warpSizes()) out << size << ' ';
  out << target.cudaArch << '\n';
  LaunchSizes::instance().write(out);
  out << '\n';
  const CanonicalOrder order(module);
  llvm::WriteBitcodeToFile(module, out);
  return entryName(llvm::BLAKE3::hash(llvm::arrayRefFromStringRef({text.data(), text.size()})));
}

bool writeFile(const std::string& path, llvm::StringRef content) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (error) return false;
  out << content;
  out.close();
  const bool failed = out.has_error();
  out.clear_error();
  return !failed;
}

// Others remove what was not used for long.
void noteUse(const std::string& path) {
  llvm::sys::fs::file_status status;
  const auto now = std::chrono::system_clock::now();
  if (llvm::sys::fs::status(path, status) || now - status.getLastModificationTime() < kFresh) return;
  int file = -1;
  if (llvm::sys::fs::openFileForWrite(path, file, llvm::sys::fs::CD_OpenExisting, llvm::sys::fs::OF_Append))
    return;
  llvm::sys::fs::setLastAccessAndModificationTime(file, now);
  llvm::sys::Process::SafelyCloseFileDescriptor(file);
}

// Writes the code of that name to where the driver looks for it; false where there is none.
bool takeKnown(const std::string& name) {
  const std::string path = entryPath(folder, name);
  const auto entry = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!entry) return false;
  const auto code = readEntry((*entry)->getBuffer());
  if (!code || !writeFile(knownCodeFile(notes), *code)) return false;
  noteUse(path);
  return true;
}

// With nothing to compile, the passes and the code generator take no time.
void empty(llvm::Module& module) {
  module.dropAllReferences();
  module.setModuleInlineAsm("");
  while (!module.empty()) module.begin()->eraseFromParent();
  while (!module.alias_empty()) module.alias_begin()->eraseFromParent();
  while (!module.ifunc_empty()) module.ifunc_begin()->eraseFromParent();
  while (!module.global_empty()) module.global_begin()->eraseFromParent();
  for (auto metadata = module.named_metadata_begin(); metadata != module.named_metadata_end();) {
    llvm::NamedMDNode& node = *metadata++;
    if (node.getName() != "llvm.module.flags") node.eraseFromParent();
  }
}

// Hands on to the handler that was there.
class SaidAnything : public llvm::DiagnosticHandler {
 public:
  SaidAnything(std::unique_ptr<llvm::DiagnosticHandler> next, std::string note)
      : next_(std::move(next)), note_(std::move(note)) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    // Of loops that are not transformed as pragmas ask for, device passes say nothing (-Wno-pass-failed).
    const bool isSaid =
        info.getSeverity() <= llvm::DS_Warning && info.getKind() != llvm::DK_OptimizationFailure;
    if (isSaid) llvm::sys::fs::remove(note_);
    return next_->handleDiagnostics(info);
  }
  bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override {
    return next_->isAnalysisRemarkEnabled(pass);
  }
  bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override {
    return next_->isMissedOptRemarkEnabled(pass);
  }
  bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override {
    return next_->isPassedOptRemarkEnabled(pass);
  }
  bool isAnyRemarkEnabled() const override { return next_->isAnyRemarkEnabled(); }

 private:
  std::unique_ptr<llvm::DiagnosticHandler> next_;
  std::string note_;
};

}  // namespace

llvm::PreservedAnalyses CodeCache::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  if (folder.empty()) return llvm::PreservedAnalyses::all();
  const std::string compiler = loadedBuildIds();
  if (compiler.empty()) return llvm::PreservedAnalyses::all();
  const std::string name = nameOf(module, compiler);
  if (takeKnown(name)) {
    empty(module);
    return llvm::PreservedAnalyses::none();
  }
  const std::string note = entryNameFile(notes);
  if (!writeFile(note, name)) return llvm::PreservedAnalyses::all();
  llvm::LLVMContext& context = module.getContext();
  context.setDiagnosticHandler(std::make_unique<SaidAnything>(context.getDiagnosticHandler(), note));
  return llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
