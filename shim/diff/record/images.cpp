#include "images.h"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace musashim::record {
namespace {

constexpr char kBundle[] = "__CLANG_OFFLOAD_BUNDLE__";
constexpr uint32_t kFatBinary = 0xba55ed50;

template <class T>
T at(const char* data, size_t offset) {
  T value;
  std::memcpy(&value, data + offset, sizeof value);
  return value;
}

size_t elfSize(const char* data) {
  const auto header = at<Elf64_Ehdr>(data, 0);
  size_t end = std::max<size_t>(header.e_shoff + size_t{header.e_shnum} * header.e_shentsize,
                                header.e_phoff + size_t{header.e_phnum} * header.e_phentsize);
  for (size_t i = 0; i < header.e_shnum; ++i) {
    const auto section = at<Elf64_Shdr>(data, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type != SHT_NOBITS) end = std::max<size_t>(end, section.sh_offset + section.sh_size);
  }
  return end;
}

struct Entry {
  size_t offset, size;
};

std::vector<Entry> bundleEntries(const char* data) {
  std::vector<Entry> entries;
  size_t place = sizeof kBundle - 1;
  const auto count = at<uint64_t>(data, place);
  place += 8;
  for (uint64_t i = 0; i < count; ++i) {
    entries.push_back({at<uint64_t>(data, place), at<uint64_t>(data, place + 8)});
    place += 24 + at<uint64_t>(data, place + 16);
  }
  return entries;
}

bool isElf(const char* data) { return std::memcmp(data, ELFMAG, SELFMAG) == 0; }

bool isBundle(const char* data) { return std::strncmp(data, kBundle, sizeof kBundle - 1) == 0; }

void addVariables(const char* data, size_t bytes, std::vector<std::string>& variables) {
  if (bytes < sizeof(Elf64_Ehdr) || !isElf(data)) return;
  const auto header = at<Elf64_Ehdr>(data, 0);
  const auto section = [&](size_t i) {
    return at<Elf64_Shdr>(data, header.e_shoff + i * sizeof(Elf64_Shdr));
  };
  for (size_t i = 0; i < header.e_shnum; ++i) {
    const auto table = section(i);
    if (table.sh_type != SHT_SYMTAB) continue;
    const auto names = section(table.sh_link);
    for (size_t place = 0; place + sizeof(Elf64_Sym) <= table.sh_size; place += sizeof(Elf64_Sym)) {
      const auto symbol = at<Elf64_Sym>(data, table.sh_offset + place);
      if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0) continue;
      const std::string name = data + names.sh_offset + symbol.st_name;
      if (std::find(variables.begin(), variables.end(), name) == variables.end()) variables.push_back(name);
    }
  }
}

}  // namespace

size_t imageSize(const void* image) {
  const auto* data = static_cast<const char*>(image);
  if (isElf(data)) return elfSize(data);
  if (at<uint32_t>(data, 0) == kFatBinary) return at<uint16_t>(data, 6) + at<uint64_t>(data, 8);
  if (!isBundle(data)) return std::strlen(data) + 1;
  size_t end = 0;
  for (const Entry& entry : bundleEntries(data)) end = std::max(end, entry.offset + entry.size);
  return end;
}

void Images::add(const void* data, size_t bytes) {
  CodeImage image{std::string(static_cast<const char*>(data), bytes), {}};
  for (const CodeImage& known : images_)
    if (known.bytes == image.bytes) return;
  const char* start = image.bytes.data();
  if (bytes > sizeof kBundle && isBundle(start)) {
    for (const Entry& entry : bundleEntries(start))
      addVariables(start + entry.offset, entry.size, image.variables);
  } else {
    addVariables(start, bytes, image.variables);
  }
  images_.push_back(std::move(image));
}

const CodeImage* Images::ofKernel(const std::string& name) const {
  // A table of names has it with zeros at both ends.
  const std::string whole = std::string(1, '\0') + name + std::string(1, '\0');
  for (const CodeImage& image : images_)
    if (image.bytes.find(whole) != std::string::npos) return &image;
  const std::string end = name + std::string(1, '\0');
  for (const CodeImage& image : images_)
    if (image.bytes.find(end) != std::string::npos) return &image;
  return nullptr;
}

}  // namespace musashim::record
