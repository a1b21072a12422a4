// Memory for as long as a call runs. It is kept for the next ones: new pages cost as much as a convolution.
#pragma once

#include <cstddef>

namespace musashim::mudnn::onednn {

class Block {
 public:
  explicit Block(size_t bytes);  // throws std::bad_alloc
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  char* data() const { return data_; }

 private:
  char* data_ = nullptr;
  size_t bytes_;
};

}  // namespace musashim::mudnn::onednn
