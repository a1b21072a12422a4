#include "torch_musa/csrc/distributed/Attendance.h"

#include <algorithm>
#include <thread>

namespace torch_musa {

namespace {

constexpr std::chrono::milliseconds kGraceOfDead{2000};

}  // namespace

Attendance::Attendance(c10::intrusive_ptr<c10d::Store> store, std::string name, std::vector<int> ranks,
                       int self)
    : store_(std::move(store)), name_(std::move(name)), ranks_(std::move(ranks)), self_(self) {}

int Attendance::place(int rank) const {
  return static_cast<int>(std::find(ranks_.begin(), ranks_.end(), rank) - ranks_.begin());
}

std::string Attendance::key(const char* what, int rank) const {
  return c10::str("mccl-", what, "-", name_, "-", rank);
}

// A store that is gone is no reason to fail: what is asked of the peers says it.
void Attendance::tell(const char* what, uint64_t number) noexcept {
  try {
    store_->set(key(what, self_), c10::str(number));
  } catch (const std::exception&) {
  }
}

// Those that have not told of `number`, when `grace` is over.
std::vector<int> Attendance::below(const char* what, uint64_t number, std::chrono::milliseconds grace) const {
  const auto until = std::chrono::steady_clock::now() + grace;
  const auto isBelow = [&](int rank) {
    const std::string told = key(what, rank);
    return !store_->check({told}) || std::stoull(store_->get_to_str(told)) < number;
  };
  std::vector<int> found;
  for (const int rank : ranks_) {
    bool late = isBelow(rank);
    while (late && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      late = isBelow(rank);
    }
    if (late) found.push_back(rank);
  }
  return found;
}

std::string Attendance::missing(uint64_t number, std::chrono::milliseconds grace) {
  try {
    tell("failed", number);
    // Those that have begun fewer calls, or else those that do not say that it failed for them, too: they
    // died in it, or stand still.
    std::vector<int> found = below("at", number, grace);
    if (found.empty()) found = below("failed", number, kGraceOfDead);
    return found.empty() ? "none" : c10::Join(", ", found);
  } catch (const std::exception&) {
    return "not known (the store cannot be reached; rank 0 holds it unless a launcher does)";
  }
}

}  // namespace torch_musa
