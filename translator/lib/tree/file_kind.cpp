#include "translator/lib/tree/file_kind.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "translator/lib/build/dialect.h"
#include "translator/lib/tree/record.h"

namespace musashim::translator {
namespace {

/// A suffix in small letters, as a number; 0 if it is longer than any that is known.
class Suffix {
 public:
  template <std::size_t N>
  consteval Suffix(const char (&suffix)[N]) : Suffix(std::string_view(suffix)) {
    static_assert(N - 1 <= sizeof value_);
  }
  constexpr explicit Suffix(std::string_view suffix) {
    if (suffix.size() > sizeof value_) return;
    for (const char c : suffix) {
      const bool capital = c >= 'A' && c <= 'Z';
      value_ = value_ << 8U | static_cast<unsigned char>(capital ? c - 'A' + 'a' : c);
    }
  }
  constexpr bool operator==(const Suffix&) const = default;

 private:
  std::uint64_t value_ = 0;
};

constexpr std::array<Suffix, 18> kSources = {".cu",  ".cuh", ".c",   ".cc",  ".cpp", ".cxx",
                                             ".c++", ".h",   ".hh",  ".hpp", ".hxx", ".h++",
                                             ".inl", ".inc", ".ipp", ".tpp", ".txx", ".cppm"};
template <typename Value, std::size_t N>
bool contains(const std::array<Value, N>& list, const std::type_identity_t<Value>& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// Where the suffix begins, its point included; the size of the path if it has none.
std::size_t suffixOf(std::string_view path) {
  const std::string_view name = nameIn(path);
  const std::size_t point = name.rfind('.');
  return point == std::string_view::npos || point == 0 ? path.size() : path.size() - name.size() + point;
}

Suffix suffixIn(std::string_view path) { return Suffix(path.substr(suffixOf(path))); }

/// What takes the place of a suffix; empty if it stays.
std::string_view portedSuffix(Suffix suffix, Direction direction) {
  const bool toMusa = direction == Direction::ToMusa;
  if (suffix == (toMusa ? Suffix(".cu") : Suffix(".mu"))) return toMusa ? ".mu" : ".cu";
  if (suffix == (toMusa ? Suffix(".cuh") : Suffix(".muh"))) return toMusa ? ".muh" : ".cuh";
  return {};
}

}  // namespace

std::string_view nameIn(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

FileKind kindOf(std::string_view path, Direction direction) {
  const std::string_view name = nameIn(path);
  if (name == kRecordName) return FileKind::Record;
  Suffix suffix = suffixIn(name);
  // A header that configure fills in.
  if (suffix == Suffix(".in")) suffix = suffixIn(name.substr(0, suffixOf(name)));
  const bool cuda = suffix == Suffix(".cu") || suffix == Suffix(".cuh");
  const bool musa = suffix == Suffix(".mu") || suffix == Suffix(".muh");
  if (direction == Direction::ToMusa ? musa : cuda) return FileKind::Native;
  if (musa || contains(kSources, suffix)) return FileKind::Source;
  return dialectOf(name) == Dialect::None ? FileKind::Other : FileKind::Build;
}

std::string portedName(std::string_view path, Direction direction) {
  const std::string_view suffix = portedSuffix(suffixIn(path), direction);
  return suffix.empty() ? std::string(path) : std::string(path.substr(0, suffixOf(path))).append(suffix);
}

bool isRenamed(std::string_view path, Direction direction) {
  return !portedSuffix(suffixIn(path), direction).empty();
}

}  // namespace musashim::translator
