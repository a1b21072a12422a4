// In libFuzzer's place: a fuzz target over the files of a folder and fixed mutations of them.
//
//     PROGRAM FOLDER MUTATIONS
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int mutations = std::atoi(argv[2]);
  uint32_t state = 12345;
  const auto random = [&] { return (state = state * 1664525U + 1013904223U) >> 8; };
  const std::string marks = "\"'<>/=&;!- \n:{}[]*#0919af\xFF";
  long runs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    for (int i = 0; i < mutations; ++i, ++runs) {
      std::string mutated = text;
      for (uint32_t k = random() % 4; k > 0; --k)
        mutated[random() % mutated.size()] = marks[random() % marks.size()];
      if (random() % 4 == 0) mutated.resize(random() % mutated.size());
      LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(mutated.data()), mutated.size());
    }
  }
  std::printf("%ld inputs\n", runs);
  return runs > 0 ? 0 : 1;
}
