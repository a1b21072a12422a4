// An operation graph as steps that run one after the other.
#pragma once

#include <functional>
#include <vector>

#include "libs/mudnn/graph/tensors.h"

namespace musashim::mudnn::graph {

// The engines: one computes in floats where the graph asks for no more, the other always in double.
inline constexpr int64_t kFastEngine = 0, kExactEngine = 1, kEngines = 2;

struct Step {
  std::vector<int> inputs, outputs;  // tensors
  std::function<void(Frame&)> run;   // asks for its inputs, and makes its outputs
};

// Tensors by their numbers, as steps are made.
class Tensors {
 public:
  int add(const Ref& tensor);  // -1 for none
  const TensorShape& operator[](int tensor) const { return shapes_[static_cast<size_t>(tensor)]; }
  TensorShape& change(int tensor) { return shapes_[static_cast<size_t>(tensor)]; }
  const std::vector<TensorShape>& shapes() const { return shapes_; }

 private:
  std::vector<TensorShape> shapes_;
};

// The step of an operation's descriptor. Throws where it cannot be.
Step stepOf(const Descriptor& operation, Tensors& tensors);
// By kinds of operations.
Step convolutionStep(const Descriptor& operation, Tensors& tensors);
Step productStep(const Descriptor& operation, Tensors& tensors);
Step pointwiseStep(const Descriptor& operation, Tensors& tensors);
// Whether a pointwise operation has the inputs and the output that its mode takes. Throws.
void checkPointwiseInputs(const Descriptor& operation);
Step reductionStep(const Descriptor& operation, Tensors& tensors);
Step statisticsStep(const Descriptor& operation, Tensors& tensors);
Step normStep(const Descriptor& operation, Tensors& tensors);
Step normBackwardStep(const Descriptor& operation, Tensors& tensors);
Step resampleStep(const Descriptor& operation, Tensors& tensors);
Step movementStep(const Descriptor& operation, Tensors& tensors);
Step randomStep(const Descriptor& operation, Tensors& tensors);

class Program {
 public:
  // Operations in any order. Throws.
  explicit Program(const std::vector<Ref>& operations);

  // The work with the memory that a variant pack names. Values on the host are read now. Throws.
  std::function<void()> bind(const Descriptor& pack, bool exactly) const;

 private:
  void order();

  std::shared_ptr<Tensors> tensors_ = std::make_shared<Tensors>();
  std::shared_ptr<std::vector<Step>> steps_ = std::make_shared<std::vector<Step>>();
  bool inDouble_ = false;
};

}  // namespace musashim::mudnn::graph
