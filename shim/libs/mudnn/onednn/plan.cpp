#include "libs/mudnn/onednn/plan.h"

#include <array>
#include <list>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "libs/mudnn/onednn/blocks.h"

namespace musashim::mudnn::onednn {
namespace {

constexpr size_t kMostKept = 512;
constexpr size_t kAlignment = 128;
constexpr size_t kMostOperands = 4;

// With less around it than dnnl::primitive::execute() has.
void execute(const dnnl::primitive& primitive, const dnnl::stream& queue, const dnnl_exec_arg_t* arguments,
             size_t count) {
  const dnnl_status_t status =
      dnnl_primitive_execute(primitive.get(), queue.get(), static_cast<int>(count), arguments);
  if (status != dnnl_success) throw dnnl::error(status, "a primitive failed");
}

size_t aligned(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

// The plans used last.
class Plans {
 public:
  // Never destroyed: threads run until the process is gone.
  static Plans& instance() {
    static Plans& plans = *new Plans;
    return plans;
  }

  std::shared_ptr<const Plan> find(const std::string& key) {
    std::lock_guard lock(mutex_);
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    plans_.splice(plans_.begin(), plans_, found->second);
    return found->second->plan;
  }

  void keep(const std::string& key, const std::shared_ptr<const Plan>& plan) {
    std::lock_guard lock(mutex_);
    if (places_.count(key) != 0) return;  // another thread has made it meanwhile
    plans_.push_front({key, plan});
    try {
      places_.emplace(plans_.front().key, plans_.begin());
    } catch (...) {
      plans_.pop_front();
      throw;
    }
    if (plans_.size() <= kMostKept) return;
    places_.erase(plans_.back().key);
    plans_.pop_back();
  }

 private:
  struct Kept {
    std::string key;
    std::shared_ptr<const Plan> plan;
  };
  std::mutex mutex_;
  std::list<Kept> plans_;  // the one used last is the first
  std::unordered_map<std::string_view, std::list<Kept>::iterator> places_;
};

}  // namespace

Key& Key::add(int64_t number) {
  bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
  return *this;
}

Key& Key::add(const std::vector<int64_t>& numbers) {
  bytes_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof numbers[0]);
  return *this;
}

Key& Key::add(const Array& array) {
  add(array.rank);
  const size_t bytes = static_cast<size_t>(array.rank) * sizeof array.sizes[0];
  bytes_.append(reinterpret_cast<const char*>(array.sizes.data()), bytes);
  bytes_.append(reinterpret_cast<const char*>(array.strides.data()), bytes);
  return *this;
}

const dnnl::primitive_attr& planAttributes() {
  static const dnnl::primitive_attr& kAttributes = *[] {
    auto* const attributes = new dnnl::primitive_attr;
    attributes->set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attributes;
  }();
  return kAttributes;
}

Plan::Plan(dnnl::primitive primitive, const dnnl::memory::desc& scratchpad,
           const std::vector<Operand>& operands)
    : primitive_(std::move(primitive)), scratchpadOf_(scratchpad), operands_(operands) {
  const auto take = [this](size_t bytes) {
    const size_t place = bytes_;
    bytes_ += aligned(bytes);
    return place;
  };
  scratchpad_ = take(scratchpadOf_.get_size());
  hasScratchpad_ = scratchpadOf_.get_size() != 0;
  for (const Operand& operand : operands_) {
    Move move;
    if (operand.own != operand.wanted) {
      const auto& from = operand.isResult ? operand.wanted : operand.own;
      const auto& to = operand.isResult ? operand.own : operand.wanted;
      const dnnl::reorder::primitive_desc description(engine(), from, engine(), to, planAttributes());
      move.reorder = dnnl::reorder(description);
      move.place = take(operand.wanted.get_size());
      move.scratchpadOf = description.scratchpad_desc();
      move.hasScratchpad = move.scratchpadOf.get_size() != 0;
      move.scratchpad = take(move.scratchpadOf.get_size());
    }
    moves_.push_back(std::move(move));
  }
}

void Plan::move(const dnnl::stream& queue, const Move& move, char* memory, const dnnl::memory& from,
                const dnnl::memory& to) const {
  std::array<dnnl_exec_arg_t, 3> arguments{{{DNNL_ARG_FROM, from.get()}, {DNNL_ARG_TO, to.get()}}};
  dnnl::memory scratchpad;
  if (move.hasScratchpad) {
    scratchpad = dnnl::memory(move.scratchpadOf, engine(), memory + move.scratchpad);
    arguments[2] = {DNNL_ARG_SCRATCHPAD, scratchpad.get()};
  }
  execute(move.reorder, queue, arguments.data(), move.hasScratchpad ? 3 : 2);
}

void Plan::run(std::initializer_list<void*> data) const {
  const dnnl::stream queue = stream();
  const Block block(bytes_);
  std::array<dnnl::memory, kMostOperands> own, wanted;
  std::array<dnnl_exec_arg_t, kMostOperands + 1> arguments;
  size_t count = 0;
  for (; count < operands_.size(); ++count) {
    const Operand& operand = operands_[count];
    const Move& copy = moves_[count];
    own[count] = dnnl::memory(operand.own, engine(), data.begin()[count]);
    if (copy.reorder) {
      wanted[count] = dnnl::memory(operand.wanted, engine(), block.data() + copy.place);
      if (!operand.isResult) move(queue, copy, block.data(), own[count], wanted[count]);
    }
    arguments[count] = {operand.argument, (copy.reorder ? wanted[count] : own[count]).get()};
  }
  dnnl::memory scratchpad;
  if (hasScratchpad_) {
    scratchpad = dnnl::memory(scratchpadOf_, engine(), block.data() + scratchpad_);
    arguments[count++] = {DNNL_ARG_SCRATCHPAD, scratchpad.get()};
  }
  execute(primitive_, queue, arguments.data(), count);
  for (size_t i = 0; i < operands_.size(); ++i)
    if (operands_[i].isResult && moves_[i].reorder) move(queue, moves_[i], block.data(), wanted[i], own[i]);
}

std::shared_ptr<const Plan> findPlan(const Key& key) {
  (void)stream();  // sets how many threads there are, which primitives are made for
  return Plans::instance().find(key.bytes());
}

std::shared_ptr<const Plan> keepPlan(const Key& key, Plan plan) {
  auto kept = std::make_shared<const Plan>(std::move(plan));
  Plans::instance().keep(key.bytes(), kept);
  return kept;
}

}  // namespace musashim::mudnn::onednn
