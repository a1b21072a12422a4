// Random numbers: Philox 4x32 with 10 rounds, a sequence for each four elements.
#include <array>
#include <numbers>

#include "libs/mudnn/graph/steps/support.h"

namespace musashim::mudnn::graph {
namespace {

using Block = std::array<uint32_t, 4>;

Block philox(uint64_t seed, uint64_t sequence, uint64_t offset) {
  Block counter{static_cast<uint32_t>(offset), static_cast<uint32_t>(offset >> 32),
                static_cast<uint32_t>(sequence), static_cast<uint32_t>(sequence >> 32)};
  std::array<uint32_t, 2> key{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53} * counter[0], b = uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

double uniform(uint32_t bits) { return (static_cast<double>(bits) + 0.5) * 0x1p-32; }

}  // namespace

Step randomStep(const Descriptor& operation, Tensors& tensors) {
  const Ref how = operation.reference(MUDNN_ATTR_OPERATION_RNG_DESC);
  const int y = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_RNG_YDESC)),
            seedTensor = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_RNG_SEED)),
            offsetTensor = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_RNG_OFFSET_DESC));
  for (const int tensor : {seedTensor, offsetTensor})
    checkShape(tensor < 0 || tensors[tensor].count() == 1, "a seed or an offset is one number");
  const int64_t fixedSeed = operation.integer(MUDNN_ATTR_OPERATION_RNG_SEED, 0);
  const auto distribution = how->integer(MUDNN_ATTR_RNG_DISTRIBUTION, MUDNN_RNG_DISTRIBUTION_BERNOULLI);
  const double mean = how->real(MUDNN_ATTR_RNG_NORMAL_DIST_MEAN, -1),
               deviation = how->real(MUDNN_ATTR_RNG_NORMAL_DIST_STANDARD_DEVIATION, -1),
               low = how->real(MUDNN_ATTR_RNG_UNIFORM_DIST_MINIMUM, -1),
               high = how->real(MUDNN_ATTR_RNG_UNIFORM_DIST_MAXIMUM, -1),
               probability = how->real(MUDNN_ATTR_RNG_BERNOULLI_DIST_PROBABILITY, -1);
  Step step;
  for (const int tensor : {seedTensor, offsetTensor})
    if (tensor >= 0) step.inputs.push_back(tensor);
  step.outputs = {y};
  step.run = [=](Frame& frame) {
    const auto seed = static_cast<uint64_t>(seedTensor >= 0 ? frame.integers(seedTensor)[0] : fixedSeed);
    const auto offset = static_cast<uint64_t>(offsetTensor >= 0 ? frame.integers(offsetTensor)[0] : 0);
    withNumbers(frame, [&]<class V>(V) {
      V* const out = frame.out<V>(y);
      const int64_t count = frame.shape(y).count();
      shareRange((count + 3) / 4, 64, [&](int64_t begin, int64_t end) {
        for (int64_t four = begin; four < end; ++four) {
          const Block block = philox(seed, static_cast<uint64_t>(four), offset / 4);
          for (int64_t i = 0; i < 4 && four * 4 + i < count; ++i) {
            const auto at = static_cast<size_t>(i);
            const double u = uniform(block[at]);
            double value;
            if (distribution == MUDNN_RNG_DISTRIBUTION_BERNOULLI)
              value = u < probability ? 1 : 0;
            else if (distribution == MUDNN_RNG_DISTRIBUTION_UNIFORM)
              value = low + (high - low) * u;
            else  // by Box and Muller
              value = mean + deviation * std::sqrt(-2 * std::log(uniform(block[at & ~size_t{1}]))) *
                                 (i % 2 == 0 ? std::cos(2 * std::numbers::pi * uniform(block[at | 1]))
                                             : std::sin(2 * std::numbers::pi * uniform(block[at])));
            out[four * 4 + i] = static_cast<V>(value);
          }
        }
      });
    });
  };
  return step;
}

}  // namespace musashim::mudnn::graph
