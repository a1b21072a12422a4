#include "device_symbols.h"

#include <map>
#include <set>

#include "link_inputs.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ELFObjectFile.h"
#include "mcc/driver/errors.h"

namespace musashim::mcc {
namespace {

std::string shown(const std::string& name) { return "'" + llvm::demangle(name) + "'"; }

// What is static is defined for the whole program only if the host finds it by its name.
std::string hintFor(llvm::StringRef symbol) {
  const bool isStatic = symbol.starts_with("_ZL") || symbol.contains("_GLOBAL__N_");
  return isStatic ? ": texture and surface references need names of their own, also static ones" : "";
}

// Names that a shared library exports.
void addExports(const std::string& path, std::set<std::string>& names) {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return;
  }
  const auto* elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(file->getBinary());
  if (elf == nullptr) return;
  for (const llvm::object::ELFSymbolRef symbol : elf->getDynamicSymbolIterators()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (flags && name && (*flags & llvm::object::SymbolRef::SF_Undefined) == 0) names.insert(name->str());
    llvm::consumeError(flags.takeError());
    llvm::consumeError(name.takeError());
  }
}

// What images are linked with (device_image.cpp); libm and libc have the C functions.
std::set<std::string> runtimeNames(const Toolchain& toolchain) {
  std::set<std::string> names;
  addExports(toolchain.lib + "/libmusadevrt.so", names);
  for (const char* library : {"libm.so.6", "libmvec.so.1", "libc.so.6"}) {
    for (const char* folder : {"/lib/x86_64-linux-gnu/", "/usr/lib/x86_64-linux-gnu/"}) {
      addExports(std::string(folder) + library, names);
    }
  }
  return names;
}

// What the passes of the device plugin replace.
bool isCompilersOwn(llvm::StringRef name) {
  return name.starts_with("llvm.") || name.starts_with("__musa_") || name == "warpSize" ||
         name == "__hipPushCallConfiguration";
}

}  // namespace

bool definedOnce(const std::vector<NamedCode>& codes) {
  std::map<std::string, std::string> definers;
  bool good = true;
  for (const NamedCode& named : codes) {
    for (const std::string& symbol : deviceSymbols(*named.code).defined) {
      const auto [first, isFirst] = definers.emplace(symbol, named.file);
      if (isFirst) continue;
      reportError("multiple definition of " + shown(symbol) + " in '" + named.file + "', first defined in '" +
                  first->second + "'" + hintFor(symbol));
      good = false;
    }
  }
  return good;
}

bool allDefined(const Toolchain& toolchain, const llvm::Module& module, const std::vector<NamedCode>& codes) {
  std::set<std::string> missing;
  for (const llvm::GlobalValue& value : module.global_values()) {
    if (value.isDeclaration() && !value.use_empty() && !isCompilersOwn(value.getName()))
      missing.insert(value.getName().str());
  }
  if (missing.empty()) return true;
  for (const std::string& known : runtimeNames(toolchain)) missing.erase(known);
  for (const NamedCode& named : codes) {
    for (const std::string& symbol : deviceSymbols(*named.code).undefined) {
      if (missing.count(symbol) != 0)
        reportError("undefined reference to device symbol " + shown(symbol) + " in '" + named.file + "'");
    }
  }
  return missing.empty();
}

}  // namespace musashim::mcc
