#include "libs/mudnn/operations/elementwise/gates.h"

#include "libs/mudnn/operations/elementwise/elementwise.h"
#include "libs/mudnn/operations/elementwise/functions.h"
#include "libs/mudnn/operations/rows.h"

namespace musashim::mudnn {
namespace {

// The input's halves along a dimension.
std::array<Array, 2> halves(const Array& in, int axis) {
  const auto dimension = static_cast<size_t>(in.axis(axis));
  require(in.sizes[dimension] % 2 == 0, "the dimension has no halves");
  Array first = in;
  first.sizes[dimension] /= 2;
  Array second = first;
  second.data = static_cast<char*>(in.data) +
                first.sizes[dimension] * in.strides[dimension] * static_cast<int64_t>(sizeOf(in.element));
  return {first, second};
}

template <class Function>
Work mapped(const Array& out, const std::array<Array, 3>& in, Function function) {
  return [=] {
    withReal({&out, &in[0], &in[1], &in[2]}, [&]<class V>(V) {
      forElements<V>(out, {in[0], in[1], in[2]}, [&](const V* const* from, V* to, int64_t count) {
        for (int64_t i = 0; i < count; ++i) to[i] = function(from[0][i], from[1][i], from[2][i]);
      });
    });
  };
}

}  // namespace

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3).
std::array<uint32_t, 4> philox(uint64_t seed, uint64_t counter) {
  std::array<uint32_t, 4> c{static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), 0, 0};
  uint32_t k0 = static_cast<uint32_t>(seed), k1 = static_cast<uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round, k0 += 0x9e3779b9U, k1 += 0xbb67ae85U) {
    const uint64_t a = uint64_t{0xd2511f53U} * c[0], b = uint64_t{0xcd9e8d57U} * c[2];
    c = {static_cast<uint32_t>(b >> 32) ^ c[1] ^ k0, static_cast<uint32_t>(b),
         static_cast<uint32_t>(a >> 32) ^ c[3] ^ k1, static_cast<uint32_t>(a)};
  }
  return c;
}

Work dropout(const DropoutSettings& settings, const Array& out, const Array& in, const Array& mask) {
  requireReal({&out, &in});
  require(out.sameSizes(in) && mask.count() == in.count(), "the tensors have different sizes");
  return [=] {
    const uint64_t seed = settings.seedAt ? *settings.seedAt : settings.seed;
    const uint64_t offset = settings.offset + (settings.offsetAt ? *settings.offsetAt : 0);
    const double scale = settings.probability < 1 ? 1 / (1 - settings.probability) : 0;
    withReal({&out, &in}, [&]<class V>(V) {
      const Input<V> x(in);
      Output<V> y(out);
      std::vector<int64_t> stays(static_cast<size_t>(in.count()));
      shareRange((in.count() + 3) / 4, 16, [&](int64_t begin, int64_t end) {
        for (int64_t group = begin; group < end; ++group) {
          const auto numbers = philox(seed, offset / 4 + static_cast<uint64_t>(group));
          for (int64_t i = group * 4; i < std::min(group * 4 + 4, in.count()); ++i) {
            const bool stay =
                static_cast<double>(numbers[static_cast<size_t>(i % 4)]) * 0x1p-32 >= settings.probability;
            stays[static_cast<size_t>(i)] = stay;
            y[i] = stay ? static_cast<V>(static_cast<double>(x[i]) * scale) : V(0);
          }
        }
      });
      y.store();
      writePart(mask, 0, mask.count(), stays.data());
    });
  };
}

Work dropoutBackward(double scale, const Array& gradIn, const Array& gradOut, const Array& mask) {
  requireReal({&gradIn, &gradOut});
  (void)broadcast(mask, gradIn);
  return mapped(gradIn, {broadcast(gradOut, gradIn), mask, mask}, [scale](auto gradient, auto stays, auto) {
    return stays != 0 ? static_cast<decltype(gradient)>(static_cast<double>(gradient) * scale)
                      : decltype(gradient)(0);
  });
}

Work gated(Gate gate, int axis, const Array& out, const Array& in) {
  requireReal({&out, &in});
  const auto parts = halves(in, axis);
  require(out.sameSizes(parts[0]), "the output has not half of the input's size");
  if (gate == Gate::kSigmoidOfSecond)
    return mapped(out, {parts[0], parts[1], parts[1]}, [](auto a, auto b, auto) { return a * sigmoid(b); });
  return mapped(out, {parts[0], parts[1], parts[1]}, [](auto a, auto b, auto) { return a * sigmoid(a) * b; });
}

Work swiGluBackward(const Array& gradIn, const Array& in, const Array& gradOut) {
  requireReal({&gradIn, &in, &gradOut});
  const auto parts = halves(in, -1), gradients = halves(gradIn, -1);
  require(gradOut.sameSizes(parts[0]) && gradIn.sameSizes(in), "the tensors' sizes do not go together");
  const Work first = mapped(gradients[0], {parts[0], parts[1], gradOut}, [](auto a, auto b, auto gradient) {
    const auto s = sigmoid(a);
    return gradient * b * s * (1 + a * (1 - s));
  });
  const Work second = mapped(gradients[1], {parts[0], parts[1], gradOut},
                             [](auto a, auto, auto gradient) { return gradient * a * sigmoid(a); });
  return [=] {
    first();
    second();
  };
}

}  // namespace musashim::mudnn
