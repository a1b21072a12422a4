// The format: a line of counts, then bytes of exactly those lengths, so that any name and text can be held.
//
//   musaport record 1
//   FILES
//   HASH EDITS SOURCE-LENGTH TARGET-LENGTH      for each port of each file
//   SOURCE TARGET (without a blank between them)
//   BEGIN LENGTH ORIGINAL-LENGTH                for each edit
//   ORIGINAL

#include "translator/lib/tree/record.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace musashim::translator {
namespace {

constexpr std::string_view kHeader = "musaport record 1\n";

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool header() {
    if (!text_.starts_with(kHeader)) return false;
    text_.remove_prefix(kHeader.size());
    return true;
  }
  bool number(std::uint64_t& value) {
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    const auto used = static_cast<std::size_t>(end - text_.data());
    if (error != std::errc() || used >= text_.size() || (*end != ' ' && *end != '\n')) return false;
    text_.remove_prefix(used + 1);
    return true;
  }
  bool bytes(std::uint64_t length, std::string& value) {
    if (length > text_.size()) return false;
    value = text_.substr(0, length);
    text_.remove_prefix(length);
    return true;
  }
  bool newline() {
    std::string value;
    return bytes(1, value) && value == "\n";
  }
  bool done() const { return text_.empty(); }

 private:
  std::string_view text_;
};

bool readFileEntry(Reader& reader, Record& record) {
  RecordedFile file;
  std::string target;
  std::uint64_t edits = 0, sourceLength = 0, targetLength = 0;
  if (!reader.number(file.hash) || !reader.number(edits) || !reader.number(sourceLength) ||
      !reader.number(targetLength) || !reader.bytes(sourceLength, file.source) ||
      !reader.bytes(targetLength, target) || !reader.newline()) {
    return false;
  }
  std::uint64_t done = 0;
  for (std::uint64_t i = 0; i < edits; ++i) {
    RecordedEdit edit{};
    std::uint64_t begin = 0, length = 0, originalLength = 0;
    if (!reader.number(begin) || !reader.number(length) || !reader.number(originalLength) ||
        !reader.bytes(originalLength, edit.original) || !reader.newline() || begin < done ||
        begin + length > UINT32_MAX) {
      return false;
    }
    done = begin + length;
    edit.begin = static_cast<std::uint32_t>(begin);
    edit.length = static_cast<std::uint32_t>(length);
    file.edits.push_back(std::move(edit));
  }
  record.files[target].push_back(std::move(file));
  return true;
}

void append(std::string& out, std::initializer_list<std::uint64_t> numbers) {
  const char* between = "";
  for (const std::uint64_t number : numbers) {
    out += between + std::to_string(number);
    between = " ";
  }
  out += '\n';
}

}  // namespace

void TextHash::mix(std::uint64_t word) {
  value_ = (value_ ^ word) * 0xFF51AFD7ED558CCDU;
  value_ ^= value_ >> 32;
}

void TextHash::add(std::string_view text) {
  while (!text.empty()) {
    const std::size_t held = size_ % 8;
    if (held == 0 && text.size() >= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data(), 8);
      mix(word);
      size_ += 8;
      text.remove_prefix(8);
      continue;
    }
    const std::size_t taken = std::min(8 - held, text.size());
    std::memcpy(pending_ + held, text.data(), taken);
    size_ += taken;
    text.remove_prefix(taken);
    if (size_ % 8 == 0) {
      std::uint64_t word = 0;
      std::memcpy(&word, pending_, 8);
      mix(word);
    }
  }
}

std::uint64_t TextHash::value() const {
  TextHash last = *this;
  std::uint64_t word = 0;
  std::memcpy(&word, pending_, size_ % 8);
  last.mix(word);
  last.mix(size_);
  return last.value_;
}

std::uint64_t hashOf(std::string_view text) {
  TextHash hash;
  hash.add(text);
  return hash.value();
}

std::string Record::text() const {
  std::string out(kHeader);
  std::uint64_t count = 0;
  for (const auto& [target, ports] : files) count += ports.size();
  append(out, {count});
  for (const auto& [target, ports] : files) {
    for (const RecordedFile& file : ports) {
      append(out, {file.hash, file.edits.size(), file.source.size(), target.size()});
      out += file.source + target + '\n';
      for (const RecordedEdit& edit : file.edits) {
        append(out, {edit.begin, edit.length, edit.original.size()});
        out += edit.original + '\n';
      }
    }
  }
  return out;
}

std::optional<Record> Record::parse(std::string_view text) {
  Record record;
  Reader reader(text);
  std::uint64_t count = 0;
  if (!reader.header() || !reader.number(count)) return std::nullopt;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!readFileEntry(reader, record)) return std::nullopt;
  }
  if (!reader.done()) return std::nullopt;
  return record;
}

RecordedFile recordOf(std::string source, std::string_view original, const std::vector<Edit>& edits) {
  RecordedFile file{std::move(source), 0, {}};
  file.edits.reserve(edits.size());
  TextHash hash;
  std::int64_t shift = 0;
  std::uint32_t done = 0;
  for (const Edit& edit : edits) {
    hash.add(original.substr(done, edit.begin - done));
    hash.add(edit.text);
    done = edit.end;
    file.edits.push_back({static_cast<std::uint32_t>(edit.begin + shift),
                          static_cast<std::uint32_t>(edit.text.size()),
                          std::string(original.substr(edit.begin, edit.end - edit.begin))});
    shift += static_cast<std::int64_t>(edit.text.size()) - static_cast<std::int64_t>(edit.end - edit.begin);
  }
  hash.add(original.substr(done));
  file.hash = hash.value();
  return file;
}

std::optional<std::string> restored(const RecordedFile& file, std::string_view ported) {
  if (hashOf(ported) != file.hash) return std::nullopt;
  std::string result;
  result.reserve(ported.size());
  std::size_t done = 0;
  for (const RecordedEdit& edit : file.edits) {
    if (edit.begin + edit.length > ported.size()) return std::nullopt;
    result += ported.substr(done, edit.begin - done);
    result += edit.original;
    done = edit.begin + edit.length;
  }
  result += ported.substr(done);
  return result;
}

}  // namespace musashim::translator
