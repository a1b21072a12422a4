#include "device_unit.h"

#include <set>
#include <sstream>

#include "abi/offload_bundle.h"
#include "core/whole_file.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "mcc/device_plugin/source_facts/annotations.h"
#include "mcc/device_plugin/source_facts/declared_functions.h"
#include "mcc/device_plugin/source_facts/host_functions.h"
#include "mcc/device_plugin/source_facts/module_annotations.h"
#include "mcc/device_plugin/source_facts/module_facts.h"
#include "mcc/driver/errors.h"
#include "mcc/driver/options/architectures.h"
#include "mcc/driver/options/options.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;

constexpr StringRef kTriple = "musa-mtgpu-mt-musa";
constexpr StringRef kUnitKey = "unit";
constexpr StringRef kArchsKey = "arch";
constexpr StringRef kOptionsKey = "options";
constexpr StringRef kCuidPrefix = "__hip_cuid_";

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : "\n") + item;
  return text;
}

std::vector<std::string> fields(StringRef text, char separator) {
  llvm::SmallVector<StringRef, 16> parts;
  text.split(parts, separator, -1, /*KeepEmpty=*/false);
  return {parts.begin(), parts.end()};
}

// The mark of the unit is for the host's object alone.
std::string takeUnitId(llvm::Module& module) {
  llvm::GlobalVariable* mark = nullptr;
  for (llvm::GlobalVariable& global : module.globals()) {
    if (global.getName().starts_with(kCuidPrefix)) mark = &global;
  }
  if (mark == nullptr) return {};
  const std::string id = mark->getName().drop_front(kCuidPrefix.size()).str();
  llvm::removeFromUsedLists(module,
                            [mark](llvm::Constant* used) { return used->stripPointerCasts() == mark; });
  mark->eraseFromParent();
  return id;
}

// A static variable that only later code of the host names gets a longer name than the
// device code before it used.
void joinStaticNames(llvm::Module& module, const std::string& id) {
  const std::string suffix = ".static." + id;
  for (llvm::GlobalVariable& global : module.globals()) {
    StringRef name = global.getName();
    if (global.isDeclaration() || !name.consume_back(suffix)) continue;
    llvm::GlobalVariable* early = module.getGlobalVariable(name, /*AllowInternal=*/true);
    if (early != nullptr && early->isDeclaration()) early->replaceAllUsesWith(&global);
  }
}

// Texture and surface references are found by their names, static ones too: two of the same name in a program
// are an error of the device link, not one variable.
void keepReferences(llvm::Module& module) {
  forEachAnnotation(module, [](llvm::GlobalValue& target, llvm::StringRef text) {
    auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&target);
    if (variable != nullptr && text == kReferenceAnnotation) keepReference(*variable);
  });
}

void dropUnusedDeclarations(llvm::Module& module) {
  for (llvm::GlobalVariable& global : llvm::make_early_inc_range(module.globals())) {
    if (global.isDeclaration() && global.use_empty()) global.eraseFromParent();
  }
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (function.isDeclaration() && function.use_empty()) function.eraseFromParent();
  }
}

void addLaunchSizes(llvm::Module& module, const std::string& text) {
  std::istringstream lines(text);
  llvm::LLVMContext& context = module.getContext();
  std::string kernel;
  uint32_t x = 0, y = 0, z = 0;
  const auto number = [&](uint32_t value) {
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value));
  };
  while (lines >> x >> y >> z >> kernel) {
    module.getOrInsertNamedMetadata(kLaunchSizesMetadata)
        ->addOperand(llvm::MDNode::get(
            context, {llvm::MDString::get(context, kernel), number(x), number(y), number(z)}));
  }
}

std::vector<uint32_t> parseArchs(StringRef text) {
  std::vector<uint32_t> archs;
  for (const std::string& name : fields(text, ',')) {
    uint32_t arch = 0;
    if (parseArch(name, arch)) archs.push_back(arch);
  }
  return archs;
}

}  // namespace

std::string unitMarkerName(const std::string& id) { return "__musa_unit_" + id; }
std::string unitFatbinName(const std::string& id) { return "__musa_linked_by_mcc_" + id; }
std::string unitHandleName(const std::string& id) { return "__hip_gpubin_handle_" + id; }

std::vector<std::string> codeGenerationOptions(const std::vector<std::string>& arguments) {
  static const std::set<std::string> flags{"-ffunction-sections", "-fdata-sections", "-vectorize-loops",
                                           "-vectorize-slp", "-funroll-loops"};
  static const std::set<std::string> withValue{"-target-cpu",        "-target-feature", "-tune-cpu",
                                               "-mrelocation-model", "-pic-level",      "-mllvm"};
  std::vector<std::string> options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const StringRef argument = arguments[i];
    if (withValue.count(arguments[i]) != 0 && i + 1 < arguments.size()) {
      options.push_back(arguments[i] + " " + arguments[i + 1]);
      ++i;
    } else if (flags.count(arguments[i]) != 0 || argument.starts_with("-O") ||
               argument.starts_with("-ffp-contract=") || argument.starts_with("-fsanitize") ||
               argument.starts_with("-fdenormal-fp-math") || argument.starts_with("-mframe-pointer=") ||
               argument.starts_with("-debugger-tuning=")) {
      options.push_back(arguments[i]);
    }
  }
  return options;
}

std::string packUnitCode(llvm::MemoryBufferRef unit, const std::string& launchSizes,
                         const std::vector<uint32_t>& archs, const std::vector<std::string>& options) {
  llvm::LLVMContext context;
  auto parsed = llvm::parseBitcodeFile(unit, context);
  if (!parsed) {
    fail("cannot read '" + unit.getBufferIdentifier().str() + "': " + llvm::toString(parsed.takeError()));
    return {};
  }
  llvm::Module& module = **parsed;
  keepReferences(module);
  failInHostFunctions(module);
  defineDeclaredFunctions(module);
  const std::string id = takeUnitId(module);
  joinStaticNames(module, id);
  dropUnusedDeclarations(module);
  addLaunchSizes(module, launchSizes);

  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  std::string names;
  for (const uint32_t arch : archs) names += (names.empty() ? "" : ",") + archName(arch);
  const std::string optionText = joined(options);
  llvm::object::OffloadBinary::OffloadingImage image{};
  image.TheImageKind = llvm::object::IMG_Bitcode;
  image.TheOffloadKind = llvm::object::OFK_HIP;
  image.StringData["triple"] = kTriple;
  image.StringData[kArchsKey] = names;
  image.StringData[kUnitKey] = id;
  image.StringData[kOptionsKey] = optionText;
  image.Image = llvm::MemoryBuffer::getMemBuffer(bitcode, "", /*RequiresNullTerminator=*/false);
  return llvm::object::OffloadBinary::write(image).str().str();
}

bool packUnitCode(const UnitFiles& files, const std::vector<uint32_t>& archs,
                  const std::vector<std::string>& options) {
  auto buffer = llvm::MemoryBuffer::getFile(files.bitcode);
  if (!buffer) return fail("cannot read '" + files.bitcode + "': " + buffer.getError().message());
  const std::string unit = packUnitCode(**buffer, core::contentOf(files.launchSizes), archs, options);
  if (unit.empty()) return false;
  std::error_code error;
  llvm::raw_fd_ostream out(files.output, error);
  if (!error) out << unit;
  out.close();
  if (error || out.has_error())
    return fail("cannot write '" + files.output + "': " + (error ? error : out.error()).message());
  return true;
}

std::vector<DeviceUnit> readDeviceUnits(llvm::MemoryBufferRef object, const std::string& file) {
  llvm::SmallVector<llvm::object::OffloadFile> files;
  std::vector<DeviceUnit> units;
  if (llvm::Error error = llvm::object::extractOffloadBinaries(object, files)) {
    llvm::consumeError(std::move(error));  // not an object: no unit
    return units;
  }
  for (const llvm::object::OffloadFile& found : files) {
    const llvm::object::OffloadBinary& binary = *found.getBinary();
    if (binary.getTriple() != kTriple || binary.getImageKind() != llvm::object::IMG_Bitcode) continue;
    const std::string id = binary.getString(kUnitKey).str();
    if (units.empty() || units.back().id != id) units.push_back({id, file, {}});
    units.back().codes.push_back({parseArchs(binary.getArch()), fields(binary.getString(kOptionsKey), '\n'),
                                  llvm::MemoryBuffer::getMemBufferCopy(binary.getImage(), file)});
  }
  return units;
}

}  // namespace musashim::mcc
