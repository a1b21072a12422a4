// Tensors of a graph, and what they hold while it runs.
#pragma once

#include <optional>
#include <vector>

#include "libs/mudnn/core/values.h"
#include "libs/mudnn/graph/descriptor.h"
#include "libs/mudnn/onednn/blocks.h"

namespace musashim::mudnn::graph {

struct TensorShape {
  int64_t uid = 0;
  mudnnDataType_t type = MUDNN_DATA_FLOAT;
  int rank = 0;
  Dims sizes{}, strides{};
  bool isVirtual = false, isValue = false;
  std::vector<unsigned char> constant;  // a value that the graph has
  int raggedOffsets = -1;               // the tensor with the places where the batches begin
  int64_t raggedUnit = 1;               // of these, in elements
  int largestOf = -1, sumOf = -1;       // the tensor that a reduction has made it of
  bool isOfSoftmax = false;             // what is left of a softmax's largest, and its exponentials

  int64_t count() const;
  size_t size(int d) const { return static_cast<size_t>(sizes[static_cast<size_t>(d)]); }
};
TensorShape shapeOf(const Descriptor& tensor);

// Whether graphs compute with such elements.
bool isComputed(mudnnDataType_t type);
// Of memory that Element describes as it is: not booleans, of which a byte has 8, nor narrower types.
bool isPlain(mudnnDataType_t type);
Element elementOfType(mudnnDataType_t type);  // floats where there is no Element for it

// Elements that lie in memory by their strides, as numbers row by row, for types that have no Element.
template <class V>
void readPacked(const TensorShape& shape, const void* memory, V* to);
template <class V>
void writePacked(const TensorShape& shape, const V* from, void* memory);

// The tensors of one run. Each is read and written as numbers row by row.
class Frame {
 public:
  Frame(const std::vector<TensorShape>& shapes, std::vector<void*> memory, bool inDouble);

  bool inDouble() const { return inDouble_; }
  const TensorShape& shape(int tensor) const { return shapes_[static_cast<size_t>(tensor)]; }
  void* memory(int tensor) const { return memory_[static_cast<size_t>(tensor)]; }

  template <class V>
  const V* in(int tensor);
  // What was in it before is there where `keeps`.
  template <class V>
  V* out(int tensor, bool keeps = false);
  // The numbers of an output are all there: they go to memory, in the tensor's type.
  void finish(int tensor);
  void forget(int tensor);  // nobody reads a virtual one any more

  // As an operation of the library takes it: its memory, or the numbers.
  Array array(int tensor);
  Array numbers(int tensor, void* data) const;

  // Single numbers, and those of small integer tensors.
  double scalar(int tensor);
  std::vector<int64_t> integers(int tensor) const;

 private:
  struct Slot {
    std::optional<onednn::Block> storage;
    void* data = nullptr;
    bool isMemory = false;
  };
  template <class V>
  void load(int tensor, V* to) const;
  template <class V>
  void store(int tensor, V* from) const;
  template <class V>
  void ragged(int tensor, V* values, bool reads) const;

  const std::vector<TensorShape>& shapes_;
  std::vector<void*> memory_;
  std::vector<Slot> slots_;
  bool inDouble_;
};

}  // namespace musashim::mudnn::graph
