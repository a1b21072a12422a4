// Runs the fuzz target over files and over fixed mutations of them: truncations, and bytes replaced by
// those that mean something to the scanner.

#include <cstdint>
#include <cstdio>
#include <filesystem>

#include "translator/lib/tree/files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::size_t runs = 0;

void feed(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  ++runs;
}

void feedMutations(const std::string& text) {
  feed(text);
  for (std::size_t cut = 0; cut < text.size(); cut += 7) feed(text.substr(0, cut));
  const std::string marks = "\"'\\\n\r/*#(){}<>:.,R0\xFF";
  std::uint32_t state = 12345;
  for (int i = 0; i < 2000; ++i) {
    std::string mutated = text;
    for (int k = 0; k < 3 && !mutated.empty(); ++k) {
      state = state * 1664525U + 1013904223U;
      mutated[(state >> 8) % mutated.size()] = marks[(state >> 4) % marks.size()];
    }
    feed(mutated);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    feedMutations(musashim::translator::readFile(entry.path()));
  }
  std::printf("%zu inputs\n", runs);
  return runs > 1000 ? 0 : 1;
}
