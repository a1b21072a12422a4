// Images of device code: those that the program loaded, what variables they have, and which has a kernel.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace musashim::record {

struct CodeImage {
  std::string bytes;
  std::vector<std::string> variables;  // names of its objects, in order
};

// The size of an image at `data`, whose loader is told none: ELF, clang's offload bundle, CUDA's fat binary,
// text.
size_t imageSize(const void* data);

class Images {
 public:
  void add(const void* data, size_t bytes);

  // The image that has a kernel of that mangled name; null when none was seen.
  const CodeImage* ofKernel(const std::string& name) const;

 private:
  std::vector<CodeImage> images_;
};

}  // namespace musashim::record
