// A generator's engine: makes its sequence from where the last call left it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "items.h"
#include "poisson.h"

namespace musashim::rand {

enum class Kind { Word, LongWord, Float, Double, Normal, NormalDouble, Poisson };

struct Request {
  Kind kind = Kind::Word;
  Shape shape = {};
  double lambda = 0;
  std::shared_ptr<const Histogram> histogram = {};  // of small lambdas
};

class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  // `count` numbers. Calls take turns, whatever threads they come from.
  void generate(const Request& request, void* out, std::size_t count) {
    const std::lock_guard lock(mutex_);
    make(request, out, count);
  }

 private:
  virtual void make(const Request& request, void* out, std::size_t count) = 0;

  std::mutex mutex_;
};

// Calls `use(item)` with what the request's numbers are made by. Generators of long words have items of their
// own.
template <class Use>
void withItem(const Request& request, Use&& use) {
  switch (request.kind) {
    case Kind::Word:
    case Kind::LongWord:
      return use(WordItem{});
    case Kind::Float:
      return use(FloatItem{});
    case Kind::Double:
      return use(DoubleItem{});
    case Kind::Normal:
      return use(NormalItem{request.shape});
    case Kind::NormalDouble:
      return use(NormalDoubleItem{request.shape});
    case Kind::Poisson:
      return request.histogram ? use(HistogramItem{request.histogram.get()})
                               : use(GaussItem{request.lambda, request.shape.onDevice});
  }
}

// Of a generator with a fill() for each item. It counts numbers, or pairs where items are pairs.
template <class Generator, bool pairs>
class EngineOf : public Engine {
 public:
  explicit EngineOf(Generator generator) : generator_(std::move(generator)) {}

 private:
  void make(const Request& request, void* out, std::size_t count) override {
    withItem(request, [&]<class Item>(const Item& item) {
      const std::size_t each = pairs ? std::size_t(Item::kOutputs) : 1;
      generator_.fill(static_cast<typename Item::Output*>(out), count / each, item);
    });
  }

  Generator generator_;
};

}  // namespace musashim::rand
