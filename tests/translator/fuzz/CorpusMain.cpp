// Runs the fuzz target over files and over fixed mutations of them: truncations, and bytes replaced by
// those that mean something to the scanner. With a number of seconds and a seed, over random ones until then.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

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

/// Pieces of all texts in one another's place, cut, doubled and with marks in them.
void feedRandomly(const std::vector<std::string>& texts, std::chrono::seconds time, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t most) { return random() % (most + 1); };
  const std::string marks = "\"'\\\n\r\t/*#(){}[]<>:;.,=$@&|R0 \xFF";
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
    std::string text = texts[below(texts.size() - 1)];
    for (std::size_t k = below(6); k > 0 && !text.empty(); --k) {
      const std::size_t at = below(text.size() - 1);
      const std::string& other = texts[below(texts.size() - 1)];
      const std::size_t from = below(other.size());
      switch (below(3)) {
        case 0:
          text[at] = marks[below(marks.size() - 1)];
          break;
        case 1:
          text.erase(at, below(40));
          break;
        case 2:
          text.insert(at, other, from, below(60));
          break;
        default:
          text.resize(at);
      }
    }
    feed(text);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4) {
    std::vector<std::string> texts{"cuda"};
    for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
      texts.push_back(musashim::translator::readFile(entry.path()));
    feedRandomly(texts, std::chrono::seconds(std::stoul(argv[2])),
                 static_cast<std::uint32_t>(std::stoul(argv[3])));
    std::printf("%zu inputs\n", runs);
    return 0;
  }
  if (argc != 2) return 2;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    feedMutations(musashim::translator::readFile(entry.path()));
  }
  std::printf("%zu inputs\n", runs);
  return runs > 1000 ? 0 : 1;
}
