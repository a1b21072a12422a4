#include "device_link.h"

#include <algorithm>
#include <fstream>
#include <map>

#include "device_symbols.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"
#include "mcc/device_plugin/source_facts/module_facts.h"
#include "mcc/driver/compile/device_pass.h"
#include "mcc/driver/errors.h"
#include "mcc/driver/options/architectures.h"

namespace musashim::mcc {
namespace {

using Strings = std::vector<std::string>;

const UnitCode* codeFor(const DeviceUnit& unit, uint32_t arch) {
  for (const UnitCode& code : unit.codes) {
    if (std::find(code.archs.begin(), code.archs.end(), arch) != code.archs.end()) return &code;
  }
  return nullptr;
}

// Bits of "-mllvm -musa-check=BITS", or 0.
unsigned checkBits(const std::string& option) {
  llvm::StringRef text(option);
  unsigned bits = 0;
  if (!text.consume_front("-mllvm -musa-check=") || text.getAsInteger(10, bits)) return 0;
  return bits;
}

// One set of options for all units: the highest -O, all checks that any unit asks for. What
// else units were compiled with differently is in their functions' attributes.
Strings commonOptions(const std::vector<const UnitCode*>& codes) {
  Strings options;
  std::string optimization = "-O0", processor;
  unsigned checks = 0;
  for (const UnitCode* code : codes) {
    for (const std::string& option : code->options) {
      if (option.rfind("-O", 0) == 0) {
        // -Os and -Oz are sizes of -O2, which functions say themselves.
        const std::string level = option == "-Os" || option == "-Oz" || option == "-O" ? "-O2" : option;
        optimization = std::max(optimization, level == "-Ofast" ? "-O3" : level);
      } else if (option.rfind("-target-cpu ", 0) == 0) {
        if (processor.empty()) processor = option;
      } else if (checkBits(option) != 0) {
        checks |= checkBits(option);
      } else if (std::find(options.begin(), options.end(), option) == options.end()) {
        options.push_back(option);
      }
    }
  }
  options.push_back(optimization);
  if (!processor.empty()) options.push_back(processor);
  if (checks != 0) options.push_back("-mllvm -musa-check=" + std::to_string(checks));
  Strings arguments;
  for (const std::string& option : options) {
    const size_t space = option.find(' ');
    arguments.push_back(option.substr(0, space));
    if (space != std::string::npos) arguments.push_back(option.substr(space + 1));
  }
  return arguments;
}

class PrintedErrors : public llvm::DiagnosticHandler {
 public:
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      std::string message;
      llvm::raw_string_ostream text(message);
      llvm::DiagnosticPrinterRawOStream printer(text);
      info.print(printer);
      reportError("device link: " + message);
    }
    return true;
  }
};

void addWarpSizes(llvm::Module& module, const std::vector<uint32_t>& archs) {
  std::vector<unsigned> sizes;
  for (const uint32_t arch : archs) {
    if (std::find(sizes.begin(), sizes.end(), warpSizeOf(arch)) == sizes.end())
      sizes.push_back(warpSizeOf(arch));
  }
  llvm::SmallVector<llvm::Metadata*, 2> values;
  for (const unsigned size : sizes) {
    values.push_back(llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(module.getContext()), size)));
  }
  module.getOrInsertNamedMetadata(kWarpSizesMetadata)
      ->addOperand(llvm::MDNode::get(module.getContext(), values));
}

}  // namespace

int DeviceLinker::link(const std::vector<DeviceUnit>& units, const std::string& output) {
  std::vector<uint32_t> archs;
  if (!chooseArchs(units, archs)) return 1;
  // Architectures for which all units have the same code share an image.
  std::map<Codes, std::vector<uint32_t>> groups;
  for (const uint32_t arch : archs) {
    Codes codes;
    for (const DeviceUnit& unit : units) codes.push_back(codeFor(unit, arch));
    groups[codes].push_back(arch);
  }
  ArchImages images;
  for (const auto& [codes, served] : groups) {
    std::string image;
    if (const int status = makeImage(units, codes, served, image)) return status;
    for (const uint32_t arch : served) images.push_back({arch, image, ""});
  }
  std::sort(images.begin(), images.end(),
            [](const ArchImage& a, const ArchImage& b) { return a.arch < b.arch; });
  const bool isLinked = options_.phase == Phase::kLink;
  const std::string program = !isLinked ? output : options_.output.empty() ? "a.out" : options_.output;
  if (const int status = saveImages(options_, images, program)) return status;
  const std::string bundle = temporary_.file("linked-bundle");
  const bool isModule = options_.passes == Passes::kDeviceOnly;
  if (const int status = writeBundleFile(runner_, images, isModule ? output : bundle)) return status;
  if (isModule) return 0;
  return writeLinkObject(units, bundle, output);
}

bool DeviceLinker::chooseArchs(const std::vector<DeviceUnit>& units, std::vector<uint32_t>& archs) const {
  const std::vector<uint32_t>& wanted = options_.archs.empty() ? knownArchs() : options_.archs;
  for (const uint32_t arch : wanted) {
    const auto lacking = std::find_if(units.begin(), units.end(), [arch](const DeviceUnit& unit) {
      return codeFor(unit, arch) == nullptr;
    });
    if (lacking == units.end()) {
      archs.push_back(arch);
    } else if (!options_.archs.empty()) {
      return fail("'" + lacking->file + "' has no device code for " + archName(arch) +
                  ": compile it with --offload-arch=" + archName(arch));
    }
  }
  if (archs.empty()) {
    return fail(
        "there is no architecture that all objects have device code for: compile them with the same "
        "--offload-arch");
  }
  return true;
}

int DeviceLinker::makeImage(const std::vector<DeviceUnit>& units, const Codes& codes,
                            const std::vector<uint32_t>& archs, std::string& image) {
  const std::string stem = "linked" + std::to_string(sequence_++);
  const std::string bitcode = temporary_.file(stem + ".bc");
  const std::string object = temporary_.file(stem + ".o");
  image = temporary_.file(stem + ".so");
  if (!merge(units, codes, archs, bitcode)) return 1;
  Strings command{toolchain_.clang, "-cc1", "-triple", "x86_64-pc-linux-gnu", "-disable-free"};
  command.insert(command.end(),
                 {"-load", toolchain_.devicePlugin, "-fpass-plugin=" + toolchain_.devicePlugin});
  const Strings shared = commonOptions(codes);
  command.insert(command.end(), shared.begin(), shared.end());
  command.insert(command.end(), {"-emit-obj", "-o", object, "-x", "ir", bitcode});
  if (const int status = runDevicePass(runner_, command, options_.output)) return status;
  return linkImage(toolchain_, runner_, object, image, usesSanitizer(shared));
}

bool DeviceLinker::merge(const std::vector<DeviceUnit>& units, const Codes& codes,
                         const std::vector<uint32_t>& archs, const std::string& output) const {
  std::vector<NamedCode> named;
  for (size_t i = 0; i < units.size(); ++i) named.push_back({codes[i], units[i].file});
  if (!definedOnce(named)) return false;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<PrintedErrors>());
  llvm::Module merged("musa-device-code", context);
  llvm::Linker linker(merged);
  for (const NamedCode& unit : named) {
    auto module = llvm::parseBitcodeFile(unit.code->bitcode->getMemBufferRef(), context);
    if (!module)
      return fail("cannot read the device code of '" + unit.file +
                  "': " + llvm::toString(module.takeError()));
    if (linker.linkInModule(std::move(*module))) return false;
  }
  if (!allDefined(toolchain_, merged, named)) return false;
  addWarpSizes(merged, archs);
  std::error_code error;
  llvm::raw_fd_ostream out(output, error);
  if (error) return fail("cannot write '" + output + "': " + error.message());
  llvm::WriteBitcodeToFile(merged, out);
  return true;
}

int DeviceLinker::writeLinkObject(const std::vector<DeviceUnit>& units, const std::string& bundle,
                                  const std::string& output) const {
  const std::string source = temporary_.file("linked.s");
  std::ofstream text(source);
  const auto label = [&](const std::string& name) {
    text << ".globl " << name << "\n.hidden " << name << '\n' << name << ":\n";
  };
  text << ".section .hip_fatbin,\"a\",@progbits\n.p2align 12\n";
  for (const DeviceUnit& unit : units) label(unitFatbinName(unit.id));
  text << ".incbin \"" << bundle << "\"\n";
  // All units share the handle, so that the first to be initialised registers the images.
  text << ".bss\n.p2align 3\n";
  for (const DeviceUnit& unit : units) label(unitHandleName(unit.id));
  text << ".zero 8\n";
  // Archives' members come along with their device code: managed variables are registered there.
  text << ".section .musa_units,\"e\",@progbits\n";
  for (const DeviceUnit& unit : units) text << ".quad " << unitMarkerName(unit.id) << '\n';
  text << ".section .note.GNU-stack,\"\",@progbits\n";
  text.close();
  if (!text) return failStatus("cannot write '" + source + "'");
  return runner_.run({toolchain_.clang, "-c", source, "-o", output});
}

}  // namespace musashim::mcc
