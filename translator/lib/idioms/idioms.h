#pragma once

// What means NVIDIA's platform, though no name of its API says so: PyTorch's words for its CUDA devices,
// thread block clusters, calls in a form that MUSA's functions do not have (mappings/idioms.yml).

#include <cstddef>
#include <string>
#include <vector>

#include "translator/lib/match/cursor.h"
#include "translator/lib/names/table.h"

namespace musashim::translator {

class Idioms {
 public:
  explicit Idioms(Cursor& cursor) : cursor_(cursor) {}

  /// A word of the tables.
  void note(std::size_t index, const KnownName& name) { words_.push_back({index, name}); }
  /// `cuda` or `CUDA`: at::cuda::x, DeviceType::CUDA, TORCH_LIBRARY_IMPL(ops, CUDA, m). True if it is
  /// PyTorch's.
  bool noteDevice(std::size_t index);
  /// A name that is renamed.
  void checkUse(std::size_t index, std::string_view name);

  /// Ports or reports the words, if the file is one of their library's.
  void report();

 private:
  struct Word {
    std::size_t index;
    KnownName name;
  };

  void port(const Word& word);

  Cursor& cursor_;
  std::vector<Word> words_;
};

}  // namespace musashim::translator
