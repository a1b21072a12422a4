#include "precompiled_prelude.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/cache_folder.h"
#include "core/hash.h"
#include "core/whole_file.h"
#include "leading_headers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "mcc/driver/compile/make_rules.h"
#include "mcc/driver/process.h"

namespace musashim::mcc {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;
using llvm::StringRef;

// With modules, which C++20 has, clang takes functions of the host and of the device for one where they are
// alike in all else.
constexpr const char* kNoModules = "-fno-cxx-modules";
constexpr StringRef kFormat = "mcc prelude 3";
constexpr std::chrono::minutes kFresh(10);  // in which a use need not be noted again
constexpr size_t kMostBefore = 1;           // uses of a set of headers that none is made for
constexpr size_t kMostBeforeOfParts = 3;    // and where one of a part of them is there
constexpr const char* kHeld = "held";       // the folder of names of headers that commands are about to read
constexpr std::chrono::hours kLongest(24);  // that a command runs, and holds a header

bool isSameFolder(const std::string& one, const std::string& other) {
  std::error_code error;
  return fs::equivalent(one, other, error) && !error;
}

// What `file` is called in #include.
void addNames(const std::string& file, const Strings& folders, std::set<std::string>& names) {
  for (const std::string& folder : folders) {
    StringRef name = file;
    if (name.consume_front(folder) && name.consume_front("/")) names.insert(name.str());
  }
}

// `#if __has_include(<name>)`: its being there counts as well.
void addAskedNames(const std::string& file, std::set<std::string>& names) {
  const std::string text = core::contentOf(file);
  StringRef rest = text;
  for (size_t at = 0; (at = rest.find("__has_include(")) != StringRef::npos;) {
    rest = rest.drop_front(at + StringRef("__has_include(").size()).ltrim();
    if (rest.starts_with("<") || rest.starts_with("\""))
      names.insert(rest.drop_front().take_until([](char c) { return c == '>' || c == '"'; }).str());
  }
}

// Whether `folder` has a file by one of `names`, so that it may be read in place of the one that was.
bool hasOneOf(const std::string& folder, const std::set<std::string>& names) {
  std::error_code error;
  for (fs::directory_iterator place(folder, error), end; !error && place != end; place.increment(error)) {
    const std::string first = place->path().filename();
    for (auto name = names.lower_bound(first); name != names.end() && StringRef(*name).starts_with(first);
         ++name) {
      if (name->size() > first.size() && (*name)[first.size()] != '/') continue;
      std::error_code absent;
      if (fs::exists(fs::path(folder) / *name, absent)) return true;
    }
  }
  return false;
}

// Whether what clang would read of the prelude's files is not what was read. Naming the SDK's own folder
// changes nothing.
bool isReplaced(const PreludeStep& step, const std::set<std::string>& names) {
  return llvm::any_of(step.userFolders, [&](const std::string& folder) {
    const bool isSdk = !step.systemFolders.empty() && isSameFolder(folder, step.systemFolders.front());
    return !isSdk && hasOneOf(folder, names);
  });
}

// Which headers of sources the entry of these inputs has.
std::set<std::string> headersOf(const std::string& inputs) {
  const auto file = llvm::MemoryBuffer::getFileSlice(inputs, 1024, 0);
  if (!file) return {};
  llvm::SmallVector<StringRef, 4> fields;
  (*file)->getBuffer().split(fields, '\0', 2);
  std::set<std::string> headers;
  if (fields.size() < 3 || fields[0] != kFormat) return headers;
  for (const StringRef header : llvm::split(fields[1], ' ')) headers.insert(header.str());
  headers.erase("");
  return headers;
}

// The SDK's take the longest.
size_t weightOf(const std::set<std::string>& headers) {
  const auto ofSdk = llvm::count_if(headers, [](StringRef header) { return header.ends_with(".h"); });
  return headers.size() + 3 * static_cast<size_t>(ofSdk);
}

// What commands have left that did not come to their end.
void removeLeft(const fs::path& folder) {
  const fs::file_time_type now = fs::file_time_type::clock::now();
  std::error_code error;
  for (fs::directory_iterator place(folder, error), end; !error && place != end; place.increment(error)) {
    std::error_code gone;
    if (now - place->last_write_time(gone) > kLongest && !gone) fs::remove(place->path(), gone);
  }
}

}  // namespace

// Its files. `inputs` has what the header was made of, each with its end: the format, the headers that
// sources begin with, the key, how many files there are, each with its state, and names that it is read by.
struct PrecompiledPrelude::Entry {
  std::set<std::string> headers;  // that sources begin with
  Strings leading;                // options by which the prelude reads them
  std::string key, header, inputs;
  std::string unmade;  // notes its uses while it is not there
  std::string stem;    // what the names of all those with the same options begin with

  Entry(const std::string& folder, const Strings& options, std::set<std::string> first)
      : headers(std::move(first)), leading(leadingOptions(headers)) {
    for (const std::string& option : options) key += std::to_string(option.size()) + ':' + option;
    stem = folder + '/' + llvm::utohexstr(core::hashOf(key, 2), true, 16);
    for (const std::string& option : leading) key += std::to_string(option.size()) + ':' + option;
    const std::string name = stem + llvm::utohexstr(core::hashOf(key, 3), true, 16);
    header = name + ".pch";
    inputs = name + ".inputs";
    unmade = name + ".uses";
  }

 private:
  // It has so many places, all of which are read: any of several headers does where the source begins with
  // more.
  static Strings leadingOptions(const std::set<std::string>& headers) {
    constexpr size_t kPlaces = 12;
    Strings result;
    for (auto header = headers.begin(); !headers.empty() && result.size() < kPlaces;) {
      result.push_back("-DMUSASHIM_LEADING_HEADER_" + std::to_string(result.size()) + "=\"" + *header + '"');
      if (std::next(header) != headers.end()) ++header;
    }
    return result;
  }
};

PrecompiledPrelude::PrecompiledPrelude(std::string prelude, Strings plugins, std::string temporary)
    : prelude_(std::move(prelude)),
      plugins_(std::move(plugins)),
      temporary_(std::move(temporary)),
      folder_(core::cacheFolder("mcc")) {}

PrecompiledPrelude::~PrecompiledPrelude() {
  std::error_code error;
  for (const std::string& name : held_) fs::remove(name, error);
}

// Other commands remove what was not used for long, and may just do so. Where there are no links, the header
// itself has to do.
std::optional<std::string> PrecompiledPrelude::held(const Entry& entry) const {
  const fs::path folder = fs::path(folder_) / kHeld;
  const std::string name =
      folder / (std::to_string(getpid()) + '.' + fs::path(entry.header).filename().string());
  const std::lock_guard lock(mutex_);
  if (held_.contains(name)) return name;
  std::error_code error;
  fs::create_directories(folder, error);
  fs::create_hard_link(entry.header, name, error);
  if (!error) {
    held_.insert(name);
    return name;
  }
  return fs::exists(entry.header, error) ? std::optional(entry.header) : std::nullopt;
}

Strings PrecompiledPrelude::use(const Strings& command) const {
  if (folder_.empty()) return command;
  const auto step = preludeStep(command, prelude_, temporary_);
  if (!step) return command;
  const std::set<std::string> leading = leadingHeaders(*step);
  if (!leading.empty()) {
    const Entry whole(folder_, step->options, leading);
    if (auto changed = useMade(whole, *step, command)) return *changed;
    const auto part = largestPart(whole, *step);
    if (auto changed = useAnew(whole, part ? kMostBeforeOfParts : kMostBefore, *step, command))
      return *changed;
    if (part) {
      if (auto changed = useMade(*part, *step, command)) return *changed;
    }
  }
  const Entry prelude(folder_, step->options, {});
  if (auto changed = useMade(prelude, *step, command)) return *changed;
  return useAnew(prelude, kMostBefore, *step, command).value_or(command);
}

std::optional<Strings> PrecompiledPrelude::useMade(const Entry& entry, const PreludeStep& step,
                                                   const Strings& command) const {
  const auto names = namesOf(entry);
  if (!names || isReplaced(step, *names)) return std::nullopt;
  const auto header = held(entry);
  if (!header) return std::nullopt;
  Strings changed = command;
  changed[step.include] = "-include-pch";
  changed[step.include + 1] = *header;
  changed.insert(changed.begin() + 2, kNoModules);
  return changed;
}

std::optional<Strings> PrecompiledPrelude::useAnew(const Entry& entry, size_t mostBefore,
                                                   const PreludeStep& step, const Strings& command) const {
  if (namesOf(entry)) return std::nullopt;  // it is there, and may not be the same
  const std::string uses = core::contentOf(entry.unmade);
  if (uses == sdkState()) return std::nullopt;  // it cannot be made
  if (uses.size() < mostBefore) {
    std::error_code error;
    fs::create_directories(folder_, error);
    std::ofstream(entry.unmade, std::ios::binary) << uses << '.';
    return std::nullopt;
  }
  make(step, entry);
  return useMade(entry, step, command);
}

// Of those that were made for a part of the headers.
std::optional<PrecompiledPrelude::Entry> PrecompiledPrelude::largestPart(const Entry& whole,
                                                                         const PreludeStep& step) const {
  std::vector<std::set<std::string>> parts;
  std::error_code error;
  for (fs::directory_iterator place(folder_, error), end; !error && place != end; place.increment(error)) {
    const std::string path = place->path();
    if (!StringRef(path).starts_with(whole.stem) || !StringRef(path).ends_with(".inputs")) continue;
    std::set<std::string> headers = headersOf(path);
    if (!headers.empty() && headers != whole.headers &&
        std::includes(whole.headers.begin(), whole.headers.end(), headers.begin(), headers.end()))
      parts.push_back(std::move(headers));
  }
  llvm::sort(parts, [](const auto& a, const auto& b) {
    return weightOf(a) > weightOf(b) || (weightOf(a) == weightOf(b) && a < b);
  });
  for (std::set<std::string>& headers : parts) {
    Entry part(folder_, step.options, std::move(headers));
    if (namesOf(part)) return part;
  }
  return std::nullopt;
}

std::optional<std::set<std::string>> PrecompiledPrelude::namesOf(const Entry& entry) const {
  const std::string content = core::contentOf(entry.inputs);
  llvm::SmallVector<StringRef, 0> fields;
  StringRef(content).split(fields, '\0');
  size_t files = 0;
  if (fields.size() < 4 || fields[0] != kFormat || fields[2] != entry.key ||
      fields[3].getAsInteger(10, files))
    return std::nullopt;
  const size_t firstName = 4 + 2 * files;
  if (fields.size() < firstName) return std::nullopt;
  for (size_t i = 4; i < firstName; i += 2) {
    if (core::fileState(fields[i].str()) != fields[i + 1]) return std::nullopt;
  }
  std::error_code error;
  const fs::file_time_type used = fs::last_write_time(entry.header, error),
                           now = fs::file_time_type::clock::now();
  if (error) return std::nullopt;
  if (now - used > kFresh) {
    fs::last_write_time(entry.header, now, error);
    fs::last_write_time(entry.inputs, now, error);
  }
  std::set<std::string> names;
  for (size_t i = firstName; i < fields.size(); ++i) names.insert(fields[i].str());
  names.erase("");  // behind the last end
  return names;
}

// By which a header could not be made.
std::string PrecompiledPrelude::sdkState() const {
  std::string state = core::fileState(prelude_);
  for (const std::string& plugin : plugins_) state += ' ' + core::fileState(plugin);
  return state;
}

void PrecompiledPrelude::make(const PreludeStep& step, const Entry& entry) const {
  const fs::file_time_type start = fs::file_time_type::clock::now();
  const std::string made = entry.header + '.' + std::to_string(getpid()), rules = temporary_ + "/prelude.d";
  Strings command = step.options;
  command.insert(command.end(), entry.leading.begin(), entry.leading.end());
  command.insert(command.end(), {kNoModules, "-fpch-instantiate-templates", "-fno-pch-timestamp", "-emit-pch",
                                 "-dependency-file", rules, "-MT", "read", "-sys-header-deps", "-o", made,
                                 "-x", "hip", prelude_});
  const bool isMade = runProgram(command, temporary_ + "/prelude.log") == 0;
  Strings files = isMade ? prerequisites(rules) : Strings();
  std::error_code error;
  if (files.empty() || llvm::any_of(files, [](const fs::path& file) { return file.is_relative(); })) {
    fs::remove(made, error);
    core::writeWhole(entry.unmade, sdkState());
    return;
  }
  std::set<std::string> names;
  for (const std::string& file : files) {
    addNames(file, step.systemFolders, names);
    addAskedNames(file, names);
  }
  files.insert(files.end(), plugins_.begin(), plugins_.end());
  files.push_back(command.front());
  std::string inputs;
  const auto add = [&](const std::string& field) { inputs.append(field).push_back('\0'); };
  add(kFormat.str());
  add(llvm::join(entry.headers, " "));
  add(entry.key);
  add(std::to_string(files.size()));
  bool isOld = true;
  for (const std::string& file : files) {
    add(file);
    add(core::fileState(file));
    isOld = isOld && fs::last_write_time(file, error) < start && !error;
  }
  for (const std::string& name : names) add(name);
  if (isOld) fs::rename(made, entry.header, error);
  if (!isOld || error || !core::writeWhole(entry.inputs, inputs)) fs::remove(made, error);
  core::removeOldest(folder_, core::cacheLimit());
  removeLeft(fs::path(folder_) / kHeld);
}

}  // namespace musashim::mcc
