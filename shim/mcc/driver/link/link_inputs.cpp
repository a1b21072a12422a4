#include "link_inputs.h"

#include <set>

#include "clang/Driver/Options.h"
#include "clang/Driver/Types.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "mcc/driver/compile/frontend_arguments.h"
#include "mcc/driver/errors.h"
#include "mcc/driver/options/clang_options.h"

namespace musashim::mcc {
namespace {

namespace opt = clang::driver::options;
using llvm::StringRef;
using Names = std::set<std::string>;

bool cannotRead(const std::string& file, const std::string& what) {
  return fail("cannot read '" + file + "': " + what);
}

// An object, or a member of an archive.
struct LinkObject {
  std::string file;
  llvm::MemoryBufferRef contents;
  std::vector<DeviceUnit> units;
  Names hostDefined, hostUndefined, deviceDefined, deviceUndefined;
  bool fromArchive = false;
  bool linked = false;
};

bool readHostSymbols(LinkObject& object) {
  if (llvm::identify_magic(object.contents.getBuffer()) == llvm::file_magic::offload_binary) return true;
  auto file = llvm::object::ObjectFile::createObjectFile(object.contents);
  if (!file) return cannotRead(object.file, llvm::toString(file.takeError()));
  for (const llvm::object::SymbolRef& symbol : (*file)->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags || !name) {
      llvm::consumeError(flags.takeError());
      llvm::consumeError(name.takeError());
      continue;
    }
    using llvm::object::SymbolRef;
    if ((*flags & SymbolRef::SF_Undefined) != 0) {
      if ((*flags & SymbolRef::SF_Weak) == 0) object.hostUndefined.insert(name->str());
    } else if ((*flags & SymbolRef::SF_Global) != 0) {
      object.hostDefined.insert(name->str());
    }
  }
  return true;
}

void readDeviceSymbols(LinkObject& object) {
  for (const DeviceUnit& unit : object.units) {
    for (const UnitCode& code : unit.codes) {
      const DeviceSymbols symbols = deviceSymbols(code);
      object.deviceDefined.insert(symbols.defined.begin(), symbols.defined.end());
      object.deviceDefined.insert(symbols.shared.begin(), symbols.shared.end());
      object.deviceUndefined.insert(symbols.undefined.begin(), symbols.undefined.end());
    }
  }
}

class LinkInputs {
 public:
  // `shown`: what messages call it.
  bool addFile(const std::string& path, const std::string& shown, bool wholeArchive) {
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!buffer) return true;  // the linker will say so
    buffers_.push_back(std::move(*buffer));
    const llvm::MemoryBufferRef contents = buffers_.back()->getMemBufferRef();
    switch (llvm::identify_magic(contents.getBuffer())) {
      case llvm::file_magic::elf_relocatable:
      case llvm::file_magic::offload_binary:  // MTRTC's, without an object around it
        objects_.push_back({shown, contents, readDeviceUnits(contents, shown), {}, {}, {}, {}, false, true});
        return true;
      case llvm::file_magic::archive:
        return addArchive(path, contents, wholeArchive);
      default:
        return true;
    }
  }

  bool haveUnits() const {
    return llvm::any_of(objects_, [](const LinkObject& object) { return !object.units.empty(); });
  }
  bool archivesHaveUnits() const {
    return llvm::any_of(objects_,
                        [](const LinkObject& object) { return object.fromArchive && !object.units.empty(); });
  }

  bool resolve() {
    for (LinkObject& object : objects_) {
      if (!readHostSymbols(object)) return false;
      readDeviceSymbols(object);
      if (object.linked) link(object);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (LinkObject& object : objects_) {
        if (object.linked || !isNeeded(object)) continue;
        object.linked = changed = true;
        link(object);
      }
    }
    return true;
  }

  void takeUnits(std::vector<DeviceUnit>& units) {
    Names seen;  // an object may be named twice
    for (LinkObject& object : objects_) {
      if (!object.linked) continue;
      for (DeviceUnit& unit : object.units) {
        if (seen.insert(unit.id).second) units.push_back(std::move(unit));
      }
    }
  }

 private:
  bool addArchive(const std::string& path, llvm::MemoryBufferRef contents, bool whole) {
    auto archive = llvm::object::Archive::create(contents);
    if (!archive) return cannotRead(path, llvm::toString(archive.takeError()));
    llvm::Error error = llvm::Error::success();
    for (const llvm::object::Archive::Child& child : (*archive)->children(error)) {
      auto member = child.getMemoryBufferRef();
      if (!member) return cannotRead(path, llvm::toString(member.takeError()));
      if (llvm::identify_magic(member->getBuffer()) != llvm::file_magic::elf_relocatable) continue;
      const std::string name = path + "(" + StringRef(member->getBufferIdentifier()).str() + ")";
      objects_.push_back({name, *member, readDeviceUnits(*member, name), {}, {}, {}, {}, true, whole});
    }
    if (error) return cannotRead(path, llvm::toString(std::move(error)));
    archives_.push_back(std::move(*archive));
    return true;
  }

  bool isNeeded(const LinkObject& object) const {
    const auto lacks = [](const Names& defined, const Names& undefined, const Names& known) {
      return llvm::any_of(defined, [&](const std::string& name) {
        return undefined.count(name) != 0 && known.count(name) == 0;
      });
    };
    return lacks(object.hostDefined, hostUndefined_, hostDefined_) ||
           lacks(object.deviceDefined, deviceUndefined_, deviceDefined_);
  }

  void link(const LinkObject& object) {
    hostDefined_.insert(object.hostDefined.begin(), object.hostDefined.end());
    hostUndefined_.insert(object.hostUndefined.begin(), object.hostUndefined.end());
    deviceDefined_.insert(object.deviceDefined.begin(), object.deviceDefined.end());
    deviceUndefined_.insert(object.deviceUndefined.begin(), object.deviceUndefined.end());
  }

  std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers_;
  std::vector<std::unique_ptr<llvm::object::Archive>> archives_;
  std::vector<LinkObject> objects_;
  Names hostDefined_, hostUndefined_, deviceDefined_, deviceUndefined_;
};

// `-lNAME` in the folders of -L, as linkers look it up: a shared library comes first.
std::string findLibrary(StringRef name, const std::vector<std::string>& folders, bool onlyStatic) {
  const bool exact = name.consume_front(":");
  for (const std::string& folder : folders) {
    if (exact && llvm::sys::fs::exists(folder + "/" + name.str())) return folder + "/" + name.str();
    if (exact) continue;
    const std::string stem = folder + "/lib" + name.str();
    if (!onlyStatic && llvm::sys::fs::exists(stem + ".so")) return {};
    if (llvm::sys::fs::exists(stem + ".a")) return stem + ".a";
  }
  return {};
}

}  // namespace

DeviceSymbols deviceSymbols(const UnitCode& code) {
  DeviceSymbols symbols;
  llvm::LLVMContext context;
  auto module = llvm::getLazyBitcodeModule(code.bitcode->getMemBufferRef(), context);
  if (!module) {
    llvm::consumeError(module.takeError());  // the device link will say so
    return symbols;
  }
  for (const llvm::GlobalValue& value : (*module)->global_values()) {
    if (!value.hasName() || value.hasLocalLinkage() || value.getName().starts_with("llvm.")) continue;
    if (value.hasAppendingLinkage() || value.hasAvailableExternallyLinkage()) continue;
    auto& list = value.isDeclaration()     ? symbols.undefined
                 : value.isWeakForLinker() ? symbols.shared
                                           : symbols.defined;
    list.push_back(value.getName().str());
  }
  return symbols;
}

namespace {

bool readInputs(const Toolchain& toolchain, const Options& options,
                const std::map<size_t, std::string>& objects, LinkInputs& inputs) {
  const llvm::opt::InputArgList parsed = parseClangArguments(options);
  std::vector<std::string> folders = parsed.getAllArgValues(opt::OPT_L);
  folders.push_back(toolchain.lib);
  bool wholeArchive = false;
  for (const llvm::opt::Arg* argument : parsed) {
    if (argument->getOption().matches(opt::OPT_Wl_COMMA)) {
      for (const StringRef value : argument->getValues()) {
        if (value == "--whole-archive" || value == "-whole-archive") wholeArchive = true;
        if (value == "--no-whole-archive" || value == "-no-whole-archive") wholeArchive = false;
      }
      continue;
    }
    std::string file, shown;
    if (argument->getOption().matches(opt::OPT_INPUT)) {
      const auto object = objects.find(argument->getIndex());
      shown = argument->getValue();
      file = object == objects.end() ? shown : object->second;
    } else if (argument->getOption().matches(opt::OPT_l)) {
      shown = file = findLibrary(argument->getValue(), folders, parsed.hasArg(opt::OPT_static));
    }
    if (!file.empty() && !inputs.addFile(file, shown, wholeArchive)) return false;
  }
  return true;
}

bool isSource(const Input& input) {
  namespace types = clang::driver::types;
  const StringRef extension = llvm::sys::path::extension(input.path).ltrim(".");
  return !input.isOurs() && types::isAcceptedByClang(types::lookupTypeForExtension(extension));
}

}  // namespace

int compileOtherSources(const Toolchain& toolchain, const Options& options, const StepRunner& runner,
                        const TemporaryFolder& temporary, std::map<size_t, std::string>& objects) {
  if (llvm::none_of(options.inputs, isSource)) return 0;
  LinkInputs inputs;
  if (options.phase != Phase::kArchive) {
    if (!readInputs(toolchain, options, objects, inputs)) return 1;
    if (!inputs.archivesHaveUnits()) return 0;
  }
  for (const Input& input : options.inputs) {
    if (!isSource(input)) continue;
    std::string& object = objects[input.argument];
    object = temporary.file("source" + std::to_string(input.argument) + ".o");
    std::vector<std::string> command{toolchain.clang};
    const std::vector<std::string> user = compileOptions(options);
    command.insert(command.end(), user.begin(), user.end());
    const std::vector<std::string> plain = plainSourceOptions(toolchain, options);
    command.insert(command.end(), plain.begin(), plain.end());
    command.insert(command.end(), {"-isystem" + toolchain.include, "-c", input.path, "-o", object});
    if (const int status = runner.run(command)) return status;
  }
  return 0;
}

bool collectLinkUnits(const Toolchain& toolchain, const Options& options,
                      const std::map<size_t, std::string>& objects, std::vector<DeviceUnit>& units) {
  LinkInputs inputs;
  if (!readInputs(toolchain, options, objects, inputs)) return false;
  if (!inputs.haveUnits()) return true;
  if (!inputs.resolve()) return false;
  inputs.takeUnits(units);
  return true;
}

}  // namespace musashim::mcc
