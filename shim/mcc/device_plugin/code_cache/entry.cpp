#include "entry.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

namespace musashim::mcc {
namespace {

constexpr llvm::StringRef kMagic = "mcc device code 1\n";

std::string digestOf(llvm::StringRef code) {
  const auto digest = llvm::BLAKE3::hash(llvm::arrayRefFromStringRef(code));
  return {digest.begin(), digest.end()};
}

}  // namespace

std::string entryPath(llvm::StringRef folder, llvm::StringRef name) {
  return (folder + "/" + name + ".code").str();
}

std::string entryName(const std::array<uint8_t, 32>& digest) {
  return llvm::toHex(digest, /*LowerCase=*/true);
}

std::string writeEntry(llvm::StringRef code) { return (kMagic + digestOf(code) + code).str(); }

std::optional<llvm::StringRef> readEntry(llvm::StringRef entry) {
  if (!entry.consume_front(kMagic)) return std::nullopt;
  const llvm::StringRef digest = entry.take_front(std::tuple_size<llvm::BLAKE3Result<>>());
  const llvm::StringRef code = entry.drop_front(digest.size());
  return digest == digestOf(code) ? std::optional(code) : std::nullopt;
}

}  // namespace musashim::mcc
