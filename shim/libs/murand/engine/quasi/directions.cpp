#include "directions.h"

#include <vector>

// directions.bin, which read_directions.py makes of rocRAND's header.
asm(R"(
.section .rodata
.balign 64
.local musashim_rand_directions
musashim_rand_directions:
.incbin "directions.bin"
.balign 64
.previous
)");
extern "C" const std::uint64_t musashim_rand_directions[][64];

namespace musashim::rand {

const std::uint64_t (*directions64())[64] { return musashim_rand_directions; }

const std::uint32_t (*directions32())[32] {
  struct Table {
    std::vector<std::uint32_t> words;
    Table() : words(kDimensions * 32) {
      for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = std::uint32_t(musashim_rand_directions[i / 32][i % 32] >> 32);
    }
  };
  static const Table& table = *new Table;
  return reinterpret_cast<const std::uint32_t(*)[32]>(table.words.data());
}

}  // namespace musashim::rand
