#include "translator/lib/project_macros.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "translator/lib/lex/byte_masks.h"
#include "translator/lib/lex/scan.h"
#include "translator/lib/lex/word_bytes.h"
#include "translator/lib/lex/word_hash.h"
#include "translator/lib/parallel.h"

namespace musashim::translator {
namespace {

/// Each thread has a share of the names, so that the macros of one name are added in their order. What is of
/// a share is sorted out first, each run of files by one thread.
template <typename Found, typename Macros>
void addKind(const std::vector<FileMacros>& files, std::vector<Found> FileMacros::* kind, unsigned threads,
             Macros& macros) {
  constexpr std::size_t kWorthThreads = 4096;
  std::size_t count = 0;
  for (const FileMacros& file : files) count += (file.*kind).size();
  if (threads == 1 || count < kWorthThreads) {
    for (const FileMacros& file : files) {
      for (const Found& one : file.*kind) add(one, macros);
    }
    return;
  }
  const std::size_t shares = threads;
  using Parts = std::vector<std::vector<const Found*>>;  // by share
  std::vector<Parts> sorted(shares, Parts(shares));
  parallelFor(shares, threads, [&](std::size_t run) {
    const std::size_t end = files.size() * (run + 1) / shares;
    for (std::size_t i = files.size() * run / shares; i < end; ++i) {
      for (const Found& one : files[i].*kind) sorted[run][wordHash(one.name) % shares].push_back(&one);
    }
  });
  std::vector<Macros> of(shares);
  parallelFor(shares, threads, [&](std::size_t share) {
    for (const Parts& parts : sorted) {
      for (const Found* const one : parts[share]) add(*one, of[share]);
    }
  });
  for (Macros& some : of) macros.merge(some);
}

bool mayPaste(std::string_view text) { return findBytes(text, '#', '#') != std::string_view::npos; }

/// A file that has it may define any macro: what names one is not plain.
constexpr std::uint32_t kAnyName = 0;

std::uint32_t hashOf(std::string_view name) {
  const std::uint32_t hash = wordHash(name);
  return hash == kAnyName ? 1 : hash;
}

/// Reads what follows `define` in a text.
class DefineReader {
 public:
  explicit DefineReader(std::string_view text) : text_(text), end_(text.data() + text.size()) {}

  /// `at`: behind `define`.
  void read(const char* at, MacroNames& names) {
    if (at == end_ || isWordByte(*at)) return;  // `defined`
    const char* const name = behindBlanks(at);
    const char* const next = endOfWord(name, end_);
    if (mayGoOn(next, next == name)) return names.push_back(kAnyName);
    if (next == name || next == end_) return;
    if (*next == '(' ? pastes() : mayBeText(behindBlanks(next)))
      names.push_back(hashOf({name, static_cast<std::size_t>(next - name)}));
  }

 private:
  const char* behindBlanks(const char* at) const {
    while (at != end_ && (*at == ' ' || (*at >= '\t' && *at <= '\r' && *at != '\n'))) ++at;
    return at;
  }

  /// May a name go on behind a splice, or begin behind one or a comment?
  bool mayGoOn(const char* at, bool begins) const {
    return at != end_ &&
           (*at == '\\' || (begins && *at == '/' && at + 1 != end_ && (at[1] == '*' || at[1] == '\\')));
  }

  /// Neither literals nor words begin with what is not. Yes when in doubt, as with comments.
  bool mayBeText(const char* at) const {
    static constexpr auto kOthers = [] {
      std::array<bool, 256> others{};
      for (const char c : std::string_view("0123456789(){}[]<>+-*&|!~^=,.;:'\n"))
        others[static_cast<unsigned char>(c)] = true;
      return others;
    }();
    return at != end_ && !kOthers[static_cast<unsigned char>(*at)];
  }

  bool pastes() {
    if (!pastes_) pastes_ = mayPaste(text_);
    return *pastes_;
  }

  std::string_view text_;
  const char* end_;
  std::optional<bool> pastes_;
};

}  // namespace

FileMacros macrosOf(std::string_view text) {
  FileMacros found;
  thread_local TokenStream stream;
  if (text.find('\0') != std::string_view::npos) return found;
  scan(text, stream);
  if (mayPaste(text)) found.pasting = pastingDefinesOf(text, stream.tokens);
  found.texts = textMacrosOf(text, stream.tokens);
  return found;
}

MacroNames macroNamesOf(std::string_view text) {
  constexpr std::string_view kDefine = "define";
  thread_local MacroNames names;  // keeps its room
  names.clear();
  DefineReader reader(text);
  // By its second letter and the third.
  for (std::size_t at = findBytes(text, 'e', 'f', 1); at != std::string_view::npos;
       at = findBytes(text, 'e', 'f', at + 1)) {
    if (text.substr(at - 1).starts_with(kDefine)) reader.read(text.data() + at - 1 + kDefine.size(), names);
  }
  return names;
}

void add(const std::vector<FileMacros>& files, unsigned threads, PastingMacros& pasting, TextMacros& texts) {
  addKind(files, &FileMacros::pasting, threads, pasting);
  addKind(files, &FileMacros::texts, threads, texts);
}

/// The names of a run of files, by the first bits of their hashes, and then in the order of the files.
struct ProjectMacros::Part {
  static constexpr unsigned kBits = 10;
  struct Name {
    std::uint32_t hash, file;
  };
  static std::size_t bucketOf(std::uint32_t hash) { return hash >> (32 - kBits); }

  void fill(const std::vector<const MacroNames*>& all, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      for (const std::uint32_t hash : *all[i]) ++ends[bucketOf(hash) + 1];
    }
    // At first where each begins.
    for (std::size_t bucket = 1; bucket < ends.size(); ++bucket) ends[bucket] += ends[bucket - 1];
    names.resize(ends.back());
    for (std::size_t i = from; i < to; ++i) {
      for (const std::uint32_t hash : *all[i])
        names[ends[bucketOf(hash)]++] = {hash, static_cast<std::uint32_t>(i)};
    }
  }

  std::array<std::uint32_t, (std::size_t{1} << kBits) + 1> ends{};
  std::vector<Name> names;
};

/// What is known of one name.
struct ProjectMacros::Macro {
  std::once_flag once;
  PastingMacros pasting;
  TextMacros texts;
};

struct ProjectMacros::File {
  std::once_flag once;
  FileMacros macros;
};

ProjectMacros::ProjectMacros(const std::vector<const MacroNames*>& names, unsigned threads, Read read)
    : parts_(threads), files_(names.size()), read_(std::move(read)) {
  parallelFor(parts_.size(), threads, [&](std::size_t part) {
    parts_[part].fill(names, names.size() * part / parts_.size(), names.size() * (part + 1) / parts_.size());
  });
}

ProjectMacros::~ProjectMacros() = default;

const std::vector<PastedParameter>* ProjectMacros::pasting(std::string_view name) const {
  const PastingMacros& found = macro(name).pasting;
  return found.empty() ? nullptr : &found.begin()->second;
}

const std::vector<TextPieces>* ProjectMacros::texts(std::string_view name) const {
  const TextMacros& found = macro(name).texts;
  return found.empty() ? nullptr : &found.begin()->second;
}

const ProjectMacros::Macro& ProjectMacros::macro(std::string_view name) const {
  Macro* macro = nullptr;
  {
    const std::lock_guard lock(mutex_);
    auto known = known_.find(name);
    if (known == known_.end()) known = known_.emplace(name, std::make_unique<Macro>()).first;
    macro = known->second.get();
  }
  std::call_once(macro->once, [&] {
    for (const std::size_t file : filesWith(hashOf(name))) {
      const FileMacros& macros = macrosIn(file);
      for (const PastingDefine& define : macros.pasting) {
        if (define.name == name) add(define, macro->pasting);
      }
      for (const TextMacro& text : macros.texts) {
        if (text.name == name) add(text, macro->texts);
      }
    }
  });
  return *macro;
}

std::vector<std::size_t> ProjectMacros::filesWith(std::uint32_t hash) const {
  std::vector<std::size_t> files;
  for (const Part& part : parts_) {
    const auto before = static_cast<std::ptrdiff_t>(files.size());
    for (const std::uint32_t wanted : {hash, kAnyName}) {
      const std::size_t bucket = Part::bucketOf(wanted);
      for (std::uint32_t i = bucket == 0 ? 0 : part.ends[bucket - 1]; i < part.ends[bucket]; ++i) {
        if (part.names[i].hash == wanted) files.push_back(part.names[i].file);
      }
    }
    std::sort(files.begin() + before, files.end());
  }
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

const FileMacros& ProjectMacros::macrosIn(std::size_t file) const {
  File* one = nullptr;
  {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<File>& known = lookedAt_[file];
    if (!known) known = std::make_unique<File>();
    one = known.get();
  }
  std::call_once(one->once, [&] { one->macros = read_(file); });
  return one->macros;
}

std::pair<PastingMacros, TextMacros> ProjectMacros::all(unsigned threads) const {
  std::vector<bool> named(files_);
  for (const Part& part : parts_) {
    for (const Part::Name& name : part.names) named[name.file] = true;
  }
  std::vector<FileMacros> files(files_);
  parallelFor(files_, threads, [&](std::size_t i) {
    if (named[i]) files[i] = macrosIn(i);
  });
  std::pair<PastingMacros, TextMacros> all;
  add(files, threads, all.first, all.second);
  return all;
}

bool ProjectMacros::empty() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.names.empty(); });
}

}  // namespace musashim::translator
