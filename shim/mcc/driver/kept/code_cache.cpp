#include "code_cache.h"

#include <algorithm>
#include <filesystem>

#include "core/cache_folder.h"
#include "core/whole_file.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/MemoryBuffer.h"
#include "mcc/device_plugin/code_cache/entry.h"
#include "mcc/driver/errors.h"

namespace musashim::mcc {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;
using llvm::StringRef;

// What they do is in the module, or is over before there is one.
constexpr StringRef kOfFrontEnd[] = {"-MP", "-MG", "-sys-header-deps", "-fcolor-diagnostics"};
constexpr StringRef kOfFrontEndWithValue[] = {"-o",
                                              "-D",
                                              "-U",
                                              "-I",
                                              "-include",
                                              "-include-pch",
                                              "-iquote",
                                              "-isystem",
                                              "-idirafter",
                                              "-cxx-isystem",
                                              "-c-isystem",
                                              "-internal-isystem",
                                              "-internal-externc-isystem",
                                              "-ivfsoverlay",
                                              "-main-file-name",
                                              "-dependency-file",
                                              "-MT",
                                              "-MQ",
                                              "-plugin-arg-musa-source-facts",
                                              "-plugin-arg-musa-vendor"};
constexpr StringRef kOfFrontEndJoined[] = {
    "-D",    "-U", "-I", "-W", "-fmessage-length=", "-fdebug-compilation-dir=", "-fcoverage-compilation-dir=",
    "-cuid="};

// With these a pass makes more than an object, says more than what is wrong, or reads what nobody knows of.
constexpr StringRef kUnfit[] = {"-split-dwarf",
                                "-coverage",
                                "-fcoverage-mapping",
                                "-fprofile",
                                "-fauto-profile",
                                "-opt-record",
                                "-ftime-",
                                "-print-",
                                "-R",
                                "-stack-usage-file",
                                "-fthin",
                                "-flto",
                                "-fsave-",
                                "-fdiagnostics-hotness"};
// Those of mcc's own.
constexpr StringRef kKnownToLlvm[] = {"-musa-", "-partial-unrolling-threshold="};

bool startsWithOne(StringRef argument, llvm::ArrayRef<StringRef> starts) {
  return llvm::any_of(starts, [&](StringRef start) { return argument.starts_with(start); });
}

std::string optionOf(StringRef name, const llvm::Twine& value) { return ("-" + name + "=" + value).str(); }

// The value of the pass's option in `command`; empty where it has none.
StringRef valueOf(const Strings& command, StringRef name) {
  const std::string start = optionOf(name, "");
  for (const StringRef argument : command) {
    if (argument.starts_with(start)) return argument.drop_front(start.size());
  }
  return {};
}

// What cannot be written is not there the next time.
void store(const std::string& folder, StringRef name, const std::string& object) {
  const auto code = llvm::MemoryBuffer::getFile(object, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!code) return;
  std::error_code error;
  fs::create_directories(folder, error);
  core::writeWhole(entryPath(folder, name), writeEntry((*code)->getBuffer()));
  // One in four looks at the folder.
  if (name.front() <= '3') core::removeOldest(folder, core::cacheLimit());
}

}  // namespace

std::optional<std::string> codeOptions(const Strings& command, const std::string& plugin) {
  if (command.size() < 6 || command[1] != "-cc1" || *(command.end() - 3) != "-x") return std::nullopt;
  if (!llvm::is_contained(command, "-emit-obj")) return std::nullopt;
  if (!llvm::is_contained(command, "-fpass-plugin=" + plugin)) return std::nullopt;
  std::string options;
  for (size_t i = 0; i + 1 < command.size(); ++i) {  // the last is the source
    const StringRef argument = command[i];
    if (startsWithOne(argument, kUnfit) || argument == "-Wpass-failed") return std::nullopt;
    if (argument == "-mllvm" && !startsWithOne(command[i + 1], kKnownToLlvm)) return std::nullopt;
    // Of users' plug-ins nobody knows what else they do.
    if ((argument == "-load" && command[i + 1] != plugin) ||
        (argument.starts_with("-fpass-plugin=") && !argument.ends_with("=" + plugin)))
      return std::nullopt;
    if (llvm::is_contained(kOfFrontEnd, argument)) continue;
    if (llvm::is_contained(kOfFrontEndWithValue, argument)) {
      ++i;
    } else if (!startsWithOne(argument, kOfFrontEndJoined)) {
      options += argument.str() + '\n';
    }
  }
  return options;
}

DeviceCodeCache::DeviceCodeCache(std::string plugin, std::string temporary)
    : plugin_(std::move(plugin)), temporary_(std::move(temporary)), folder_(core::cacheFolder("mcc-code")) {}

Strings DeviceCodeCache::use(const Strings& command) const {
  if (folder_.empty()) return command;
  const auto options = codeOptions(command, plugin_);
  const auto output = llvm::find(command, "-o");
  if (!options || output == command.end() || !StringRef(*(output + 1)).starts_with(temporary_))
    return command;
  Strings changed = command;
  const auto name = llvm::BLAKE3::hash(llvm::arrayRefFromStringRef(*options));
  changed.insert(changed.begin() + 2, {"-mllvm", optionOf(kCodeCacheFolder, folder_), "-mllvm",
                                       optionOf(kCodeCacheOptions, entryName(name)), "-mllvm",
                                       optionOf(kCodeCacheNotes, *(output + 1))});
  return changed;
}

int DeviceCodeCache::ended(const Strings& command, int status) const {
  const StringRef notes = valueOf(command, kCodeCacheNotes);
  if (status != 0 || notes.empty()) return status;
  const std::string object = notes.str();  // what is noted of it lies beside it
  std::error_code error;
  if (fs::exists(knownCodeFile(object), error)) {
    fs::rename(knownCodeFile(object), object, error);
    return error ? failStatus("cannot write '" + object + "': " + error.message()) : 0;
  }
  const auto name = llvm::MemoryBuffer::getFile(entryNameFile(object));
  if (name) store(folder_, (*name)->getBuffer(), object);
  return 0;
}

}  // namespace musashim::mcc
