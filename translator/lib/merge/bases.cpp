// The file of a first port: its name, then for each text "t LENGTH LENGTH", path, text; for each copy "c
// LENGTH SECONDS NANOSECONDS SIZE", path.

#include "translator/lib/merge/bases.h"

#include <charconv>
#include <set>

#include "translator/lib/tree/files.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeader = "musaport first port 1\n";

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  bool done() const { return text_.empty(); }
  std::string_view take(std::size_t length) {
    good_ = good_ && length <= text_.size();
    if (!good_) return {};
    const std::string_view result = text_.substr(0, length);
    text_.remove_prefix(length);
    return result;
  }
  /// And the byte behind it.
  long long number() {
    long long value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    const auto used = static_cast<std::size_t>(end - text_.data());
    good_ = good_ && error == std::errc() && used < text_.size();
    if (good_) text_.remove_prefix(used + 1);
    return value;
  }
  std::size_t length() {
    const long long value = number();
    good_ = good_ && value >= 0;
    return good_ ? static_cast<std::size_t>(value) : 0;
  }
  bool good() const { return good_; }

 private:
  std::string_view text_;
  bool good_ = true;
};

}  // namespace

FileTime timeOf(const struct stat& status) {
  return {status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_size};
}

std::string FirstPort::text() const {
  std::string out(kHeader);
  for (const auto& [path, text] : texts_) {
    out += "t" + std::to_string(path.size()) + " " + std::to_string(text.size()) + "\n";
    out += path;
    out += text;
  }
  for (const auto& [path, time] : times_) {
    out += "c" + std::to_string(path.size()) + " " + std::to_string(time.seconds) + " " +
           std::to_string(time.nanoseconds) + " " + std::to_string(time.size) + "\n" + path;
  }
  return out;
}

bool FirstPort::parse(std::string_view bytes) {
  FirstPort read;
  if (!bytes.starts_with(kHeader)) return false;
  Reader reader(bytes.substr(kHeader.size()));
  while (reader.good() && !reader.done()) {
    const std::string_view kind = reader.take(1);
    const std::size_t length = reader.length();
    if (kind == "t") {
      const std::size_t size = reader.length();
      const std::string path(reader.take(length));
      read.texts_[path] = reader.take(size);
    } else if (kind == "c") {
      FileTime time;
      for (long long* part : {&time.seconds, &time.nanoseconds, &time.size}) *part = reader.number();
      read.times_[std::string(reader.take(length))] = time;
    } else {
      return false;
    }
  }
  if (!reader.good()) return false;
  *this = std::move(read);
  return true;
}

Bases::Bases(fs::path root, fs::path state) : root_(std::move(root)), state_(std::move(state)) {
  // A damaged one is none: then what differs conflicts as a whole.
  if (fs::exists(firstPort())) first_.parse(readFile(firstPort()));
}

bool Bases::isFile(const std::string& path) const {
  return fs::is_regular_file(fs::symlink_status(folder() / path));
}

std::optional<std::string> Bases::at(const std::string& path, std::string_view offered,
                                     const FileTime& source) const {
  // It is later than what is in the folder.
  if (const auto text = first_.texts().find(path); text != first_.texts().end()) return text->second;
  const auto time = first_.times().find(path);
  if (time == first_.times().end())
    return isFile(path) ? std::optional(readFile(folder() / path)) : std::nullopt;
  if (time->second == source) return std::string(offered);
  // A copy has the time of its source.
  const fs::path place = root_ / path;
  struct stat status {};
  if (lstat(place.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || timeOf(status) != time->second)
    return std::nullopt;
  return readFile(place);
}

std::vector<std::string> Bases::paths() const {
  std::set<std::string> all;
  for (const auto& [path, text] : first_.texts()) all.insert(path);
  for (const auto& [path, time] : first_.times()) all.insert(path);
  if (fs::exists(folder())) {
    for (const auto& entry : fs::recursive_directory_iterator(folder())) {
      if (entry.is_regular_file()) all.insert(entry.path().lexically_relative(folder()).native());
    }
  }
  return {all.begin(), all.end()};
}

}  // namespace musashim::translator
