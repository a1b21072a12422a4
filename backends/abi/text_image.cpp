#include "text_image.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace musashim::abi {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr size_t kLine = 96;

std::array<int, 256> digitValues() {
  std::array<int, 256> values;
  values.fill(-1);
  for (size_t i = 0; i < kAlphabet.size(); ++i)
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<int>(i);
  return values;
}

}  // namespace

std::string writeTextImage(std::span<const std::byte> image) {
  std::string text(kTextImageMagic);
  text += ": there is no PTX for MUSA devices\n//\n";
  const size_t start = text.size();
  text.reserve(start + image.size() * 4 / 3 * (kLine + 1) / kLine + 8);
  size_t digits = 0;
  const auto add = [&](uint32_t value, int count) {
    for (int i = 0; i < count; ++i) {
      text += kAlphabet[value >> (18 - 6 * i) & 63];
      if (++digits % kLine == 0) text += '\n';
    }
  };
  size_t i = 0;
  for (; i + 3 <= image.size(); i += 3) {
    add(std::to_integer<uint32_t>(image[i]) << 16 | std::to_integer<uint32_t>(image[i + 1]) << 8 |
            std::to_integer<uint32_t>(image[i + 2]),
        4);
  }
  const size_t left = image.size() - i;
  if (left == 1) add(std::to_integer<uint32_t>(image[i]) << 16, 2);
  if (left == 2)
    add(std::to_integer<uint32_t>(image[i]) << 16 | std::to_integer<uint32_t>(image[i + 1]) << 8, 3);
  text += '\n';
  return text;
}

bool isTextImage(const void* data) {
  return std::strncmp(static_cast<const char*>(data), kTextImageMagic.data(), kTextImageMagic.size()) == 0;
}

bool readTextImage(const void* data, size_t limit, std::vector<std::byte>& image) {
  if (limit < kTextImageMagic.size() || !isTextImage(data)) return false;
  const std::string_view text(static_cast<const char*>(data), strnlen(static_cast<const char*>(data), limit));
  const size_t end = text.find("\n//\n", kTextImageMagic.size());
  if (end == std::string_view::npos) return false;
  static const std::array<int, 256> values = digitValues();
  uint32_t bits = 0;
  int count = 0;
  image.clear();
  image.reserve(text.size() * 3 / 4);
  for (const char letter : text.substr(end + 4)) {
    if (letter == '\n' || letter == '\r') continue;
    const int value = values[static_cast<unsigned char>(letter)];
    if (value < 0) return false;
    bits = bits << 6 | static_cast<uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    image.push_back(static_cast<std::byte>(bits >> count & 255));
  }
  return true;
}

}  // namespace musashim::abi
