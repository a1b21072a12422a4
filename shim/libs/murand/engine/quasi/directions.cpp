#include "directions.h"

#include <vector>

// directions.bin, which read_directions.py makes of rocRAND's header.
asm(R"(
.section .rodata
.balign 64
.local musashim_rand_polynomials
musashim_rand_polynomials:
.incbin "directions.bin"
.balign 64
.previous
)");
extern "C" const std::uint32_t musashim_rand_polynomials[];

namespace musashim::rand {

const std::uint64_t (*directions64())[64] {
  struct Table {
    std::vector<std::uint64_t> words;
    Table() : words(kDimensions * 64) {
      const std::uint32_t* next = musashim_rand_polynomials;
      for (std::size_t dimension = 0; dimension < kDimensions; ++dimension) {
        const std::size_t degree = *next++;
        const std::uint32_t bits = *next++;
        std::uint64_t* const v = &words[dimension * 64];
        for (std::size_t k = 0; k < degree; ++k) v[k] = std::uint64_t{*next++} << (63 - k);
        for (std::size_t k = degree; k < 64; ++k) {
          v[k] = v[k - degree] ^ v[k - degree] >> degree;
          for (std::size_t j = 1; j < degree; ++j)
            if (bits >> (j - 1) & 1) v[k] ^= v[k - j];
        }
      }
    }
  };
  static const Table& table = *new Table;
  return reinterpret_cast<const std::uint64_t(*)[64]>(table.words.data());
}

const std::uint32_t (*directions32())[32] {
  struct Table {
    std::vector<std::uint32_t> words;
    Table() : words(kDimensions * 32) {
      const std::uint64_t(*const wide)[64] = directions64();
      for (std::size_t i = 0; i < words.size(); ++i) words[i] = std::uint32_t(wide[i / 32][i % 32] >> 32);
    }
  };
  static const Table& table = *new Table;
  return reinterpret_cast<const std::uint32_t(*)[32]>(table.words.data());
}

}  // namespace musashim::rand
