#include "diff/tool/diff.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace musashim::diff {
namespace {

// What is known of a pair of allocations.
struct State {
  std::string a, b;  // the contents that were compared
  Verdict verdict = Verdict::kSame;
  double roundings = 0;
};

class Walk {
 public:
  Walk(const Run& a, const Run& b, double factor) : a_(a), b_(b), factor_(factor) {}

  void step(const Pair& pair, Result& result);

 private:
  void pairAllocations(const Event& a, const Event& b);
  void pairOne(int a, int b);
  std::vector<std::pair<const Touched*, const Touched*>> touchedPairs(const Event& a, const Event& b);
  bool inputAgrees(const Touched& a, const Touched& b, double& roundings);
  std::string whereOf(const Event& event, int allocation) const;

  const Run &a_, &b_;
  double factor_;
  std::map<int, int> pairs_;  // of allocations, from a to b
  std::map<int, State> states_;
};

size_t bytesOf(const Run& run, int allocation) {
  return run.allocations.at(static_cast<size_t>(allocation)).bytes;
}

void Walk::pairOne(int a, int b) {
  if (bytesOf(a_, a) == bytesOf(b_, b)) pairs_[a] = b;
}

void Walk::pairAllocations(const Event& a, const Event& b) {
  for (size_t i = 0; i < std::min(a.arguments.size(), b.arguments.size()); ++i) {
    const auto &x = a.arguments[i].pointers, &y = b.arguments[i].pointers;
    for (size_t k = 0; k < std::min(x.size(), y.size()); ++k)
      if (x[k].at == y[k].at) pairOne(x[k].allocation, y[k].allocation);
  }
  // What pointers in memory point to, at the same places.
  for (const auto& [x, y] : touchedPairs(a, b))
    for (size_t k = 0; k < std::min(x->pointers.size(), y->pointers.size()); ++k)
      if (x->pointers[k].at == y->pointers[k].at)
        pairOne(x->pointers[k].allocation, y->pointers[k].allocation);
}

// By what is paired already; the rest by name, or in order by kind and size.
std::vector<std::pair<const Touched*, const Touched*>> Walk::touchedPairs(const Event& a, const Event& b) {
  std::vector<std::pair<const Touched*, const Touched*>> result;
  std::vector<const Touched*> open;
  for (const Touched& one : b.touched) open.push_back(&one);
  const auto take = [&](const Touched& x, auto matches) {
    const auto found = std::find_if(open.begin(), open.end(), matches);
    if (found == open.end()) return false;
    result.emplace_back(&x, *found);
    open.erase(found);
    return true;
  };
  std::vector<const Touched*> rest;
  for (const Touched& one : a.touched) {
    const auto known = pairs_.find(one.allocation);
    if (known == pairs_.end() || !take(one, [&](const Touched* y) { return y->allocation == known->second; }))
      rest.push_back(&one);
  }
  for (const Touched* one : rest) {
    const Allocation& x = a_.allocations.at(static_cast<size_t>(one->allocation));
    take(*one, [&](const Touched* y) {
      const Allocation& other = b_.allocations.at(static_cast<size_t>(y->allocation));
      return other.kind == x.kind && other.name == x.name && other.bytes == x.bytes;
    });
  }
  return result;
}

bool Walk::inputAgrees(const Touched& a, const Touched& b, double& roundings) {
  if (a.before == b.before) return true;
  const State& state = states_[a.allocation];
  if (state.a != a.before || state.b != b.before) return false;  // the host wrote other values
  roundings = std::max(roundings, state.roundings);
  return state.verdict != Verdict::kDifferent;
}

std::string Walk::whereOf(const Event& event, int allocation) const {
  const std::vector<std::string> signature = record::parametersOf(event.signature);
  for (size_t i = 0; i < event.arguments.size(); ++i) {
    for (const Pointer& pointer : event.arguments[i].pointers)
      if (pointer.allocation == allocation)
        return "argument " + std::to_string(i + 1) + (i < signature.size() ? " (" + signature[i] + ")" : "");
  }
  const Allocation& known = a_.allocations.at(static_cast<size_t>(allocation));
  if (!known.name.empty()) return "variable " + known.name;
  return "allocation " + std::to_string(allocation);
}

void Walk::step(const Pair& pair, Result& result) {
  Step& step = result.steps.emplace_back();
  step.pair = pair;
  if (!pair.a || !pair.b) {
    const Event& event = pair.a ? a_.events[*pair.a] : b_.events[*pair.b];
    // Copies and sets can be of a library's or a runtime's own; what they lead to is seen in kernels.
    step.differs = event.kind != "copy" && event.kind != "set";
    return;
  }
  const Event &a = a_.events[*pair.a], &b = b_.events[*pair.b];
  ++result.aligned;
  pairAllocations(a, b);
  for (size_t i = 0; i < std::min(a.arguments.size(), b.arguments.size()); ++i)
    if (a.arguments[i].pointers.empty() && a.arguments[i].bytes != b.arguments[i].bytes)
      step.argumentsAgree = false;
  const auto touched = touchedPairs(a, b);
  double roundings = 0, read = 0, wrote = 0;
  for (const auto& [x, y] : touched) {
    if (!inputAgrees(*x, *y, roundings)) step.inputsAgree = false;
    const Type type = x->written() ? x->type : Type::kF32;
    read += static_cast<double>(bytesOf(a_, x->allocation) / record::typeSize(type));
    if (x->written()) wrote += static_cast<double>(x->blocks * record::kBlock);
  }
  const double own = a.kind == "kernel" || a.kind == "library" || a.kind == "collective"
                         ? std::max(1.0, read / std::sqrt(std::max(1.0, wrote)))
                         : 0;
  bool rounded = false;
  for (const auto& [x, y] : touched) {
    if (!x->written() && !y->written()) continue;
    Comparison comparison = compareAfter(a_, *x, b_, *y, {std::max(1.0, roundings + own), factor_});
    states_[x->allocation] = {x->after, y->after, comparison.verdict,
                              comparison.verdict == Verdict::kRounding ? roundings + own : 0};
    rounded = rounded || comparison.verdict == Verdict::kRounding;
    if (comparison.verdict == Verdict::kDifferent)
      step.differs = true;
    else
      result.worst = std::max(result.worst, comparison.worst);
    step.outputs.push_back({x->allocation, y->allocation, whereOf(a, x->allocation), std::move(comparison)});
  }
  result.rounded += rounded ? 1 : 0;
  step.differs = step.differs || a.failed != b.failed;
}

}  // namespace

Result diff(const Run& a, const Run& b, double factor) {
  Result result;
  Walk walk(a, b, factor);
  for (const Pair& pair : align(a.events, b.events)) {
    walk.step(pair, result);
    if (result.steps.back().differs) result.differences.push_back(result.steps.size() - 1);
  }
  return result;
}

}  // namespace musashim::diff
