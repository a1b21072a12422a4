#include "prelude_entry.h"

#include <chrono>
#include <cstdint>
#include <filesystem>

#include "core/cache_folder.h"
#include "core/hash.h"
#include "core/whole_file.h"
#include "identifiers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace musashim::mcc {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;
using llvm::StringRef;

constexpr StringRef kFormat = "mcc prelude 4";
constexpr std::chrono::minutes kFresh(10);  // in which a use need not be noted again

// The fields of an entry's `inputs`, each with its end. Behind them stand the files, each with its state, and
// the names.
enum Field : uint8_t {
  kFormatField,
  kHeadersField,
  kKeyField,
  kVersionField,
  kBaseField,
  kFilesField,
  kFirstFile
};

std::string joined(const Strings& options) {
  std::string result;
  for (const std::string& option : options) result += std::to_string(option.size()) + ':' + option;
  return result;
}

// The prelude has so many places, all of which are read: any of several headers does where the source begins
// with more.
Strings leadingOptions(const std::set<std::string>& headers) {
  constexpr size_t kPlaces = 12;
  Strings result;
  for (auto header = headers.begin(); !headers.empty() && result.size() < kPlaces;) {
    result.push_back("-DMUSASHIM_LEADING_HEADER_" + std::to_string(result.size()) + "=\"" + *header + '"');
    if (std::next(header) != headers.end()) ++header;
  }
  return result;
}

std::set<std::string> headersOf(const std::string& inputs) {
  const auto file = llvm::MemoryBuffer::getFileSlice(inputs, 1024, 0);
  if (!file) return {};
  llvm::SmallVector<StringRef, 4> fields;
  (*file)->getBuffer().split(fields, '\0', kKeyField);
  std::set<std::string> headers;
  if (fields.size() <= kKeyField || fields[kFormatField] != kFormat) return headers;
  for (const StringRef header : llvm::split(fields[kHeadersField], ' ')) headers.insert(header.str());
  headers.erase("");
  return headers;
}

}  // namespace

PreludeEntry::PreludeEntry(const std::string& folder, const PreludeStep& step, std::set<std::string> first,
                           const std::set<std::string>& asked)
    : headers(std::move(first)), leading(leadingOptions(headers)) {
  for (const MacroOption& macro : step.macros) {
    if (isReservedIdentifier(macro.name) || asked.contains(macro.name)) macros.push_back(macro.option);
  }
  key = joined(step.options);
  stem = folder + '/' + llvm::utohexstr(core::hashOf(key, 2), true, 16);
  key += joined(macros) + joined(leading);
  name_ = stem + llvm::utohexstr(core::hashOf(key, 3), true, 16);
  inputs = name_ + ".inputs";
  identifiers = name_ + ".identifiers";
  unmade = name_ + ".uses";
  lock = name_ + ".lock";
}

std::string PreludeEntry::headerOf(StringRef version) const { return name_ + '.' + version.str() + ".pch"; }

std::optional<MadePrelude> readMade(const PreludeEntry& entry) {
  const std::string content = core::contentOf(entry.inputs);
  llvm::SmallVector<StringRef, 0> fields;
  StringRef(content).split(fields, '\0');
  size_t files = 0;
  if (fields.size() < kFirstFile || fields[kFormatField] != kFormat || fields[kKeyField] != entry.key ||
      fields[kFilesField].getAsInteger(10, files))
    return std::nullopt;
  const size_t firstName = kFirstFile + 2 * files;
  if (fields.size() < firstName) return std::nullopt;
  MadePrelude made;
  made.version = fields[kVersionField];
  made.header = entry.headerOf(made.version);
  made.base = fields[kBaseField];
  for (size_t i = kFirstFile; i < firstName; i += 2) {
    if (core::fileState(fields[i].str()) != fields[i + 1]) return std::nullopt;
    made.files.insert(fields[i].str());
  }
  for (size_t i = firstName; i < fields.size(); ++i) made.names.insert(fields[i].str());
  made.names.erase("");  // behind the last end
  std::error_code error;
  const fs::file_time_type used = fs::last_write_time(made.header, error),
                           now = fs::file_time_type::clock::now();
  if (error || !fs::exists(entry.identifiers, error)) return std::nullopt;
  if (now - used > kFresh) {
    for (const std::string& file : {made.header, entry.inputs, entry.identifiers})
      fs::last_write_time(file, now, error);
  }
  return made;
}

bool writeMade(const PreludeEntry& entry, const MadePrelude& made, const Strings& tools) {
  const std::string before = core::contentOf(entry.inputs);
  llvm::SmallVector<StringRef, 0> replaced;
  StringRef(before).split(replaced, '\0', kFilesField);
  std::string inputs;
  const auto add = [&](const std::string& field) { inputs.append(field).push_back('\0'); };
  add(kFormat.str());
  add(llvm::join(entry.headers, " "));
  add(entry.key);
  add(made.version);
  add(made.base);
  add(std::to_string(made.files.size() + tools.size()));
  for (const auto& file : llvm::concat<const std::string>(made.files, tools)) {
    add(file);
    add(core::fileState(file));
  }
  for (const std::string& name : made.names) add(name);
  const Strings files(made.files.begin(), made.files.end());
  if (!core::writeWhole(entry.identifiers, identifiersOf(files)) || !core::writeWhole(entry.inputs, inputs))
    return false;
  std::error_code error;
  if (replaced.size() > kFilesField && replaced[kFormatField] == kFormat &&
      replaced[kVersionField] != made.version)
    fs::remove(entry.headerOf(replaced[kVersionField]), error);
  return true;
}

std::vector<std::set<std::string>> keptHeaders(const PreludeEntry& entry) {
  std::vector<std::set<std::string>> result;
  std::error_code error;
  for (fs::directory_iterator place(fs::path(entry.stem).parent_path(), error), end; !error && place != end;
       place.increment(error)) {
    const std::string path = place->path();
    if (StringRef(path).starts_with(entry.stem) && StringRef(path).ends_with(".inputs"))
      result.push_back(headersOf(path));
  }
  return result;
}

}  // namespace musashim::mcc
