#include "libs/mudnn/onednn/plan.h"

#include <array>
#include <list>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "libs/mudnn/onednn/blocks.h"

namespace musashim::mudnn::onednn {
namespace {

constexpr size_t kMostKept = 512;
constexpr size_t kAlignment = 128;

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

// oneDNN's objects for a run, which take longer to make than a small primitive runs.
struct Plan::Call {
  explicit Call(const Plan& plan) : queue(stream()) {
    const auto make = [](const dnnl::memory::desc& layout) {
      return dnnl::memory(layout, engine(), DNNL_MEMORY_NONE);
    };
    for (size_t i = 0; i < plan.operands_.size(); ++i) {
      const Operand& operand = plan.operands_[i];
      const Move& move = plan.moves_[i];
      own.push_back(make(operand.own));
      wanted.push_back(move.reorder ? make(operand.wanted) : dnnl::memory());
      scratchpads.push_back(move.hasScratchpad ? make(move.scratchpadOf) : dnnl::memory());
      arguments.push_back({operand.argument, (move.reorder ? wanted : own).back().get()});
    }
    if (plan.hasScratchpad_) {
      scratchpad = make(plan.scratchpadOf_);
      arguments.push_back({DNNL_ARG_SCRATCHPAD, scratchpad.get()});
    }
    if (plan.bytes_ == 0 || plan.bytes_ > kSmall) return;
    memory.emplace(plan.bytes_);
    place(plan, memory->data());
  }

  void place(const Plan& plan, char* block) {
    for (size_t i = 0; i < plan.moves_.size(); ++i) {
      const Move& move = plan.moves_[i];
      if (move.reorder) setData(wanted[i], block + move.place);
      if (move.hasScratchpad) setData(scratchpads[i], block + move.scratchpad);
    }
    if (plan.hasScratchpad_) setData(scratchpad, block + plan.scratchpad_);
  }

  void copy(const Move& move, size_t operand, const dnnl::memory& from, const dnnl::memory& to) const {
    const dnnl_exec_arg_t given[] = {{DNNL_ARG_FROM, from.get()},
                                     {DNNL_ARG_TO, to.get()},
                                     {DNNL_ARG_SCRATCHPAD, scratchpads[operand].get(true)}};
    execute(move.reorder, queue, given, move.hasScratchpad ? 3 : 2);
  }

  static void setData(const dnnl::memory& memory, void* data) {
    const dnnl_status_t status = dnnl_memory_set_data_handle(memory.get(), data);
    if (status != dnnl_success) throw dnnl::error(status, "an operand has no place");
  }

  static constexpr size_t kSmall = size_t{16} << 10;  // bytes that a call keeps
  dnnl::stream queue;
  std::vector<dnnl::memory> own, wanted, scratchpads;
  dnnl::memory scratchpad;
  std::vector<dnnl_exec_arg_t> arguments;
  std::optional<Block> memory;
};

// Those that no thread uses now.
class Plan::Calls {
 public:
  std::unique_ptr<Call> take() {
    std::lock_guard lock(mutex_);
    return count_ == 0 ? nullptr : std::move(free_[--count_]);
  }
  void give(std::unique_ptr<Call> call) {
    std::lock_guard lock(mutex_);
    if (count_ < free_.size()) free_[count_++] = std::move(call);
  }

 private:
  std::mutex mutex_;
  std::array<std::unique_ptr<Call>, 4> free_;
  size_t count_ = 0;
};

Plan::Plan(dnnl::primitive primitive, const dnnl::memory::desc& scratchpad,
           const std::vector<Operand>& operands)
    : primitive_(std::move(primitive)),
      scratchpadOf_(scratchpad),
      operands_(operands),
      calls_(std::make_unique<Calls>()) {
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
Plan::Plan(Plan&&) noexcept = default;
Plan::~Plan() = default;

void Plan::run(std::initializer_list<void*> data) const {
  std::unique_ptr<Call> call = calls_->take();
  if (!call) call = std::make_unique<Call>(*this);
  const Block block(call->memory ? 0 : bytes_);
  if (block.data()) call->place(*this, block.data());
  for (size_t i = 0; i < operands_.size(); ++i) {
    Call::setData(call->own[i], data.begin()[i]);
    if (moves_[i].reorder && !operands_[i].isResult) call->copy(moves_[i], i, call->own[i], call->wanted[i]);
  }
  execute(primitive_, call->queue, call->arguments.data(), call->arguments.size());
  for (size_t i = 0; i < operands_.size(); ++i)
    if (moves_[i].reorder && operands_[i].isResult) call->copy(moves_[i], i, call->wanted[i], call->own[i]);
  calls_->give(std::move(call));
}

std::shared_ptr<const Plan> findPlan(const Key& key) {
  useThreads();  // which primitives are made for
  return Plans::instance().find(key.bytes());
}

std::shared_ptr<const Plan> keepPlan(const Key& key, Plan plan) {
  auto kept = std::make_shared<const Plan>(std::move(plan));
  Plans::instance().keep(key.bytes(), kept);
  return kept;
}

}  // namespace musashim::mudnn::onednn
