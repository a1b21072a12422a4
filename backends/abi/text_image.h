// A device image in letters, for programs that take code for text: CUDA's programs get it as PTX.
//
//   //
//   // MUSA device image in letters ...
//   <the image in base64, in lines>
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace musashim::abi {

inline constexpr std::string_view kTextImageMagic = "//\n// MUSA device image in letters";

std::string writeTextImage(std::span<const std::byte> image);

// Reads kTextImageMagic.size() bytes at most, and none behind the first that differs.
bool isTextImage(const void* data);

// `limit`: how many bytes there are at most; the text also ends at a zero byte. False when it is no such
// text.
bool readTextImage(const void* data, size_t limit, std::vector<std::byte>& image);

}  // namespace musashim::abi
