// Primitives with what brings tensors into the layouts that they want. Plans are kept, by what they compute:
// to make a primitive takes longer than to run a small one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "libs/mudnn/onednn/support.h"

namespace musashim::mudnn::onednn {

// What a plan computes, as bytes.
class Key {
 public:
  enum class Operation : int64_t {
    kForward,
    kBackwardData,
    kBackwardFilter,
    kProduct,
    kPooling,
    kSoftmax,
    kLocalResponse,
    kElements,
    kPoolingTraining,
    kPoolingBackward,
    kSoftmaxBackward
  };
  explicit Key(Operation operation) {
    bytes_.reserve(512);  // what most take
    add(static_cast<int64_t>(operation));
  }
  Key& add(int64_t number);
  Key& add(const std::vector<int64_t>& numbers);
  Key& add(const Array& array);  // sizes and strides; an array of floats
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class Plan {
 public:
  struct Operand {
    int argument;                    // DNNL_ARG_...
    dnnl::memory::desc own, wanted;  // as the caller has it, as the primitive wants it
    bool isResult;
  };
  // The primitive's attributes ask for the user's scratchpad: several threads may run one plan.
  Plan(dnnl::primitive primitive, const dnnl::memory::desc& scratchpad, const std::vector<Operand>& operands);
  Plan(Plan&&) noexcept;
  ~Plan();

  // On the operands' memory, in their order. Has run when it returns.
  void run(std::initializer_list<void*> data) const;
  size_t bytesOf(size_t operand) const { return operands_[operand].own.get_size(); }

 private:
  struct Call;
  class Calls;
  struct Move {
    dnnl::reorder reorder;             // empty where the layouts are the same
    size_t place = 0, scratchpad = 0;  // in the call's memory
    dnnl::memory::desc scratchpadOf;
    bool hasScratchpad = false;
  };
  dnnl::primitive primitive_;
  dnnl::memory::desc scratchpadOf_;
  size_t scratchpad_ = 0, bytes_ = 0;
  bool hasScratchpad_ = false;
  std::vector<Operand> operands_;
  std::vector<Move> moves_;
  std::unique_ptr<Calls> calls_;
};

// Attributes for the primitives of plans.
const dnnl::primitive_attr& planAttributes();

// Of those that are kept, or null. Any thread may call.
std::shared_ptr<const Plan> findPlan(const Key& key);
std::shared_ptr<const Plan> keepPlan(const Key& key, Plan plan);

// The plan for `key`, made if it is not there. Throws what `make` throws.
template <class Make>
std::shared_ptr<const Plan> planFor(const Key& key, Make&& make) {
  auto plan = findPlan(key);
  return plan ? plan : keepPlan(key, make());
}

}  // namespace musashim::mudnn::onednn
