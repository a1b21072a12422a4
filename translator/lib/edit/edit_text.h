#pragma once

// What an edit writes: most often a name of the tables, which last, so that nothing is copied.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace musashim::translator {

/// A text of its own, or one that lasts longer.
class EditText {
 public:
  EditText(const char* text) : EditText(std::string_view(text)) {}
  EditText(const std::string& text) : EditText(std::string_view(text)) {}
  explicit EditText(std::string_view text) : own_(copyOf(text)), text_(own_.get(), text.size()) {}
  /// `text` outlives all that is made of it.
  static EditText lasting(std::string_view text) {
    EditText result;
    result.text_ = text;
    return result;
  }

  EditText(const EditText& other)
      : own_(other.own_ ? copyOf(other.text_) : nullptr),
        text_(own_ ? std::string_view(own_.get(), other.text_.size()) : other.text_) {}
  EditText(EditText&& other) noexcept = default;
  EditText& operator=(EditText other) noexcept {
    std::swap(own_, other.own_);
    std::swap(text_, other.text_);
    return *this;
  }
  ~EditText() = default;

  operator std::string_view() const { return text_; }
  std::size_t size() const { return text_.size(); }

 private:
  EditText() = default;
  static std::unique_ptr<char[]> copyOf(std::string_view text) {
    auto room = std::make_unique_for_overwrite<char[]>(text.size());
    std::copy(text.begin(), text.end(), room.get());
    return room;
  }

  std::unique_ptr<char[]> own_;
  std::string_view text_;
};

}  // namespace musashim::translator
