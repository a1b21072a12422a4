#include "precompiled_prelude.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/cache_folder.h"
#include "core/file_lock.h"
#include "core/hash.h"
#include "core/whole_file.h"
#include "identifiers.h"
#include "leading_headers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
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
constexpr size_t kMostBefore = 1;           // uses of a set of headers that nothing is made for
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

PrecompiledPrelude::PrecompiledPrelude(std::string prelude, Strings plugins, std::string temporary)
    : prelude_(std::move(prelude)),
      plugins_(std::move(plugins)),
      temporary_(std::move(temporary)),
      folder_(core::cacheFolder("mcc")) {}

PrecompiledPrelude::~PrecompiledPrelude() {
  std::error_code error;
  for (const std::string& name : held_) fs::remove(name, error);
}

Strings PrecompiledPrelude::use(const Strings& command) const {
  if (folder_.empty()) return command;
  const auto step = preludeStep(command, prelude_, temporary_);
  if (!step) return command;
  const std::set<std::string> leading = leadingHeaders(*step);
  if (!leading.empty()) {
    const PreludeEntry whole = entryOf(leading, *step);
    if (auto changed = useMade(whole, *step, command)) return *changed;
    if (auto changed = useAnew(whole, kMostBefore, *step, command)) return *changed;
    if (const auto part = largestPart(whole, *step)) {
      if (auto changed = useMade(*part, *step, command)) return *changed;
    }
  }
  const PreludeEntry prelude = entryOf({}, *step);
  if (auto changed = useMade(prelude, *step, command)) return *changed;
  return useAnew(prelude, 0, *step, command).value_or(command);
}

// Which macros the files ask for is known of what was made. Where those are defined it may ask for more, as
// their values may. What
// goes on from the prelude alone has all that this asks for.
PreludeEntry PrecompiledPrelude::entryOf(const std::set<std::string>& headers,
                                         const PreludeStep& step) const {
  std::set<std::string> asked;
  const auto found = [&](const std::set<std::string>& first) {
    for (;;) {
      PreludeEntry entry(folder_, step, first, asked);
      const size_t before = asked.size();
      const auto file = llvm::MemoryBuffer::getFile(entry.identifiers);
      const StringRef identifiers = file ? (*file)->getBuffer() : StringRef();
      for (const auto& [name, option] : step.macros) {
        if (isReservedIdentifier(name) || asked.contains(name)) continue;
        if (mentions(identifiers, name) ||
            llvm::any_of(entry.macros, [&](StringRef macro) { return isInValue(macro, name); }))
          asked.insert(name);
      }
      if (asked.size() == before) return entry;
    }
  };
  PreludeEntry alone = found({});
  return headers.empty() ? alone : found(headers);
}

std::optional<PreludeEntry> PrecompiledPrelude::largestPart(const PreludeEntry& whole,
                                                            const PreludeStep& step) const {
  std::vector<std::set<std::string>> parts = keptHeaders(whole);
  llvm::erase_if(parts, [&](const std::set<std::string>& headers) {
    return headers.empty() || headers == whole.headers ||
           !std::includes(whole.headers.begin(), whole.headers.end(), headers.begin(), headers.end());
  });
  llvm::sort(parts, [](const auto& a, const auto& b) {
    return weightOf(a) > weightOf(b) || (weightOf(a) == weightOf(b) && a < b);
  });
  for (const std::set<std::string>& headers : parts) {
    PreludeEntry part = entryOf(headers, step);
    if (readMade(part)) return part;
  }
  return std::nullopt;
}

std::optional<Strings> PrecompiledPrelude::useMade(const PreludeEntry& entry, const PreludeStep& step,
                                                   const Strings& command) const {
  const auto made = readMade(entry);
  if (!made || isReplaced(step, made->names)) return std::nullopt;
  Strings added{kNoModules};
  if (!made->base.empty()) {
    const auto base = baseOf(*made, step);
    if (!base || isReplaced(step, base->names)) return std::nullopt;
    const auto options = heldBase(*base);
    if (!options) return std::nullopt;
    added.insert(added.end(), options->begin(), options->end());
  }
  const auto header = held(made->header);
  if (!header) return std::nullopt;
  Strings changed = command;
  changed[step.include] = "-include-pch";
  changed[step.include + 1] = *header;
  changed.insert(changed.begin() + 2, added.begin(), added.end());
  return changed;
}

std::optional<Strings> PrecompiledPrelude::useAnew(const PreludeEntry& entry, size_t mostBefore,
                                                   const PreludeStep& step, const Strings& command) const {
  if (isThere(entry, step)) return std::nullopt;  // it may not be the same
  if (cannotBeMade(entry)) return std::nullopt;
  const std::string uses = core::contentOf(entry.unmade);
  if (uses.size() < mostBefore) {
    std::error_code error;
    fs::create_directories(folder_, error);
    std::ofstream(entry.unmade, std::ios::binary) << uses << '.';
    return std::nullopt;
  }
  make(entry, step);
  const PreludeEntry now = entryOf(entry.headers, step);  // its files may ask for more macros
  return now.key == entry.key ? useMade(entry, step, command) : std::nullopt;
}

bool PrecompiledPrelude::isThere(const PreludeEntry& entry, const PreludeStep& step) const {
  const auto made = readMade(entry);
  return made && (made->base.empty() || baseOf(*made, step));
}

std::optional<MadePrelude> PrecompiledPrelude::baseOf(const MadePrelude& made,
                                                      const PreludeStep& step) const {
  auto base = readMade(entryOf({}, step));
  return base && base->version == made.base ? base : std::nullopt;
}

std::optional<MadePrelude> PrecompiledPrelude::preludeAlone(const PreludeStep& step) const {
  const PreludeEntry entry = entryOf({}, step);
  if (auto made = readMade(entry)) return made;
  if (cannotBeMade(entry)) return std::nullopt;
  make(entry, step);
  return readMade(entryOf({}, step));
}

void PrecompiledPrelude::make(const PreludeEntry& entry, const PreludeStep& step) const {
  std::error_code error;
  fs::create_directories(folder_, error);
  const core::FileLock lock(open(entry.lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666),
                            core::FileLock::IfTaken::kGiveUp);
  if (!lock.isHeld() || isThere(entry, step)) return;  // another command makes it, or has just made it
  const fs::file_time_type start = fs::file_time_type::clock::now();
  Strings command = step.options;
  MadePrelude made;
  std::optional<MadePrelude> base;
  if (!entry.headers.empty()) {
    base = preludeAlone(step);
    if (!base) return;
    const auto options = heldBase(*base);
    if (!options) return;
    made.base = base->version;
    command.insert(command.end(), options->begin(), options->end());
    command.insert(command.end(), {"-include-pch", base->header});
  }
  made.version = llvm::utohexstr(
      core::hashOf(
          entry.key + std::to_string(getpid()) + ' ' + std::to_string(start.time_since_epoch().count()), 4),
      true, 16);
  made.header = entry.headerOf(made.version);
  const std::string rules = temporary_ + '/' + made.version + ".d";
  for (const Strings& macros : {entry.macros, entry.leading})
    command.insert(command.end(), macros.begin(), macros.end());
  command.insert(command.end(), {kNoModules, "-fpch-instantiate-templates", "-fno-pch-timestamp", "-emit-pch",
                                 "-dependency-file", rules, "-MT", "read", "-sys-header-deps", "-o",
                                 made.header, "-x", "hip", prelude_});
  const bool isMade = runProgram(command, temporary_ + '/' + made.version + ".log") == 0;
  const Strings files = isMade ? prerequisites(rules) : Strings();
  if (files.empty() || llvm::any_of(files, [](const fs::path& file) { return file.is_relative(); })) {
    fs::remove(made.header, error);
    core::writeWhole(entry.unmade, sdkState());
    return;
  }
  // Files that were written meanwhile may be others by now. A clock that is ahead does not matter.
  const fs::file_time_type end = fs::file_time_type::clock::now();
  bool isSettled = true;
  for (const std::string& file : files) {
    if (base && base->files.contains(file)) continue;
    made.files.insert(file);
    addNames(file, step.systemFolders, made.names);
    addAskedNames(file, made.names);
    const fs::file_time_type written = fs::last_write_time(file, error);
    isSettled = isSettled && !error && (written < start || written > end);
  }
  Strings tools = plugins_;
  tools.push_back(command.front());
  if (!isSettled || !writeMade(entry, made, tools)) fs::remove(made.header, error);
  core::removeOldest(folder_, core::cacheLimit());
  removeLeft(fs::path(folder_) / kHeld);
}

// Other commands remove what was not used for long, and may just do so. Where there are no links, the header
// itself has to do.
std::optional<std::string> PrecompiledPrelude::held(const std::string& header) const {
  const fs::path folder = fs::path(folder_) / kHeld;
  std::string name = folder / (std::to_string(getpid()) + '.' + fs::path(header).filename().string());
  const std::lock_guard lock(mutex_);
  if (held_.contains(name)) return name;
  std::error_code error;
  fs::create_directories(folder, error);
  fs::create_hard_link(header, name, error);
  if (!error) {
    held_.insert(name);
    return name;
  }
  return fs::exists(header, error) ? std::optional(header) : std::nullopt;
}

// What goes on from a base names it as it was called then.
std::optional<Strings> PrecompiledPrelude::heldBase(const MadePrelude& base) const {
  const auto name = held(base.header);
  if (!name) return std::nullopt;
  if (*name == base.header) return Strings();
  llvm::vfs::YAMLVFSWriter writer;
  writer.setCaseSensitivity(true);
  writer.setUseExternalNames(false);
  writer.addFileMapping(base.header, *name);
  std::string text;
  llvm::raw_string_ostream stream(text);
  writer.write(stream);
  const std::string list = temporary_ + '/' + base.version + ".json";
  if (!core::writeWhole(list, stream.str())) return std::nullopt;
  return Strings{"-ivfsoverlay", list};
}

bool PrecompiledPrelude::cannotBeMade(const PreludeEntry& entry) const {
  return core::contentOf(entry.unmade) == sdkState();
}

// By which a header could not be made.
std::string PrecompiledPrelude::sdkState() const {
  std::string state = core::fileState(prelude_);
  for (const std::string& plugin : plugins_) state += ' ' + core::fileState(plugin);
  return state;
}

}  // namespace musashim::mcc
