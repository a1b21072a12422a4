// musa::dnn::ScaledDotProductAttention and Rope against loops in double.
#include <algorithm>
#include <functional>

#include "mudnn/support.h"

namespace musashim::test {
namespace {

using Numbers = std::vector<double>;
using dnn::ScaledDotProductAttention;

// The derivative of sum(weights * function(x)) by x[i], by differences.
Numbers differences(const Numbers& x, const Numbers& weights,
                    const std::function<Numbers(const Numbers&)>& function) {
  constexpr double kStep = 1e-5;
  Numbers gradient(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    Numbers above(x), below(x);
    above[i] += kStep;
    below[i] -= kStep;
    const Numbers high = function(above), low = function(below);
    for (size_t j = 0; j < high.size(); ++j) gradient[i] += weights[j] * (high[j] - low[j]) / (2 * kStep);
  }
  return gradient;
}

// Two batches, four heads of q and two of k and v.
constexpr int64_t kBatch = 2, kHeads = 4, kShared = 2, kRows = 3, kColumns = 5, kSize = 4, kSizeV = 3;

struct Right {
  Numbers out, weights, logSum;
};
// added(n, head, row, column): what the mask adds. factor: what dropout makes of a weight.
template <class Added, class Factor>
Right attention(const Numbers& q, const Numbers& k, const Numbers& v, double scale, Added added,
                Factor factor) {
  Right right;
  for (int64_t n = 0; n < kBatch; ++n)
    for (int64_t head = 0; head < kHeads; ++head) {
      const int64_t other = n * kShared + head / (kHeads / kShared);
      for (int64_t row = 0; row < kRows; ++row) {
        const int64_t at = (n * kHeads + head) * kRows + row;
        Numbers scores(kColumns), out(kSizeV);
        double sum = 0;
        for (int64_t i = 0; i < kColumns; ++i) {
          double score = 0;
          for (int64_t e = 0; e < kSize; ++e)
            score += q[static_cast<size_t>(at * kSize + e)] *
                     k[static_cast<size_t>((other * kColumns + i) * kSize + e)];
          scores[static_cast<size_t>(i)] = score * scale + added(n, head, row, i);
          sum += std::exp(scores[static_cast<size_t>(i)]);
        }
        for (int64_t i = 0; i < kColumns; ++i) {
          const double weight = sum > 0 ? std::exp(scores[static_cast<size_t>(i)]) / sum : 0;
          right.weights.push_back(weight);
          for (int64_t e = 0; e < kSizeV; ++e)
            out[static_cast<size_t>(e)] += weight * factor(at * kColumns + i) *
                                           v[static_cast<size_t>((other * kColumns + i) * kSizeV + e)];
        }
        right.logSum.push_back(std::log(sum));
        right.out.insert(right.out.end(), out.begin(), out.end());
      }
    }
  return right;
}

const Sizes kSizesQ{kBatch, kHeads, kRows, kSize}, kSizesK{kBatch, kShared, kColumns, kSize},
    kSizesV{kBatch, kShared, kColumns, kSizeV}, kSizesOut{kBatch, kHeads, kRows, kSizeV},
    kSizesWeights{kBatch, kHeads, kRows, kColumns}, kSizesSums{kBatch, kHeads, kRows};

class AttentionTest : public testing::Test {
 protected:
  dnn::Handle handle;
  ScaledDotProductAttention op;
  Tensor none;
};

template <class T>
void forwardOf(dnn::Handle& handle) {
  const auto q = randoms<T>(kSizesQ, 1), k = randoms<T>(kSizesK, 2), v = randoms<T>(kSizesV, 3);
  Device<T> inQ(kSizesQ, q), inK(kSizesK, k), inV(kSizesV, v), out(kSizesOut), weights(kSizesWeights);
  Device<float> sums(kSizesSums);
  const Tensor none;
  Tensor nothing;
  ScaledDotProductAttention op;
  ASSERT_DNN(op.SetHeadsNum(kHeads));
  ASSERT_DNN(op.SetEmbedDim(kHeads * kSizeV));
  ASSERT_DNN(op.SetComputeMode(ScaledDotProductAttention::ComputeMode::SCALAR));
  ASSERT_DNN(op.SetIsDeterministic(true));
  const auto keeps = [](int64_t) { return 1.0; };
  const auto plain = attention(q, k, v, 0.5, [](auto...) { return 0.0; }, keeps);
  ASSERT_DNN(
      op.RunMath(handle, out.tensor, weights.tensor, inQ.tensor, inK.tensor, inV.tensor, none, nothing));
  expectNear(plain.out, out.fetch(), 4 * tolerance<T>());
  expectNear(plain.weights, weights.fetch(), 4 * tolerance<T>());
  ASSERT_DNN(op.SetCausal(true));
  ASSERT_DNN(op.SetScale(0.25));
  ASSERT_DNN(op.RunFlash(handle, out.tensor, sums.tensor, inQ.tensor, inK.tensor, inV.tensor, none, nothing));
  const auto causal = attention(
      q, k, v, 0.25, [](auto, auto, auto row, auto column) { return column > row ? -INFINITY : 0.0; }, keeps);
  expectNear(causal.out, out.fetch(), 4 * tolerance<T>());
  expectNear(causal.logSum, sums.fetch(), 4 * std::max(tolerance<T>(), 1e-6));
}

TEST_F(AttentionTest, ForwardOfEveryType) {
  forwardOf<float>(handle);
  forwardOf<double>(handle);
  forwardOf<__half>(handle);
  forwardOf<__mt_bfloat16>(handle);
}

TEST_F(AttentionTest, Masks) {
  const auto q = randoms<double>(kSizesQ, 1), k = randoms<double>(kSizesK, 2),
             v = randoms<double>(kSizesV, 3);
  Device<double> inQ(kSizesQ, q), inK(kSizesK, k), inV(kSizesV, v), out(kSizesOut);
  struct Case {
    Sizes sizes;
    bool padding;
  };
  for (const auto& [sizes, padding] :
       {Case{{kRows, kColumns}, false}, Case{{kBatch, kColumns}, true},
        Case{{kHeads, kRows, kColumns}, false}, Case{{kHeads, 1, kColumns}, false},
        Case{kSizesWeights, false}, Case{{kBatch, 1, 1, kColumns}, false}}) {
    const auto added = randoms<double>(sizes, 4);
    Numbers chosen(added.size());
    std::transform(added.begin(), added.end(), chosen.begin(), [](double x) { return x > -0.5; });
    const auto index = [&, isPadding = padding, size = sizes](int64_t n, int64_t head, int64_t row,
                                                              int64_t column) {
      if (isPadding) return static_cast<size_t>(n * kColumns + column);
      const int64_t places[4] = {n, head, row, column};
      int64_t at = 0;
      for (size_t d = 0; d < size.size(); ++d)
        at = at * size[d] + (size[d] == 1 ? 0 : places[d + 4 - size.size()]);
      return static_cast<size_t>(at);
    };
    Device<double> numbers(sizes, added);
    Device<bool> choices(sizes, chosen);
    Tensor nothing, weights;
    ASSERT_DNN(op.SetMaskMode(padding));
    ASSERT_DNN(
        op.RunMath(handle, out.tensor, weights, inQ.tensor, inK.tensor, inV.tensor, numbers.tensor, nothing));
    const auto keeps = [](int64_t) { return 1.0; };
    expectNear(attention(
                   q, k, v, 0.5, [&](auto... at) { return added[index(at...)]; }, keeps)
                   .out,
               out.fetch(), 1e-12);
    Tensor sums;
    ASSERT_DNN(
        op.RunFlash(handle, out.tensor, sums, inQ.tensor, inK.tensor, inV.tensor, choices.tensor, nothing));
    expectNear(
        attention(
            q, k, v, 0.5, [&](auto... at) { return chosen[index(at...)] != 0 ? 0.0 : -INFINITY; }, keeps)
            .out,
        out.fetch(), 1e-12);
  }
}

// By both ways, with a mask of numbers or causal, without and with dropout.
TEST_F(AttentionTest, Gradients) {
  const auto q = randoms<double>(kSizesQ, 1), k = randoms<double>(kSizesK, 2),
             v = randoms<double>(kSizesV, 3), dOut = randoms<double>(kSizesOut, 5),
             added = randoms<double>(kSizesWeights, 4);
  Device<double> inQ(kSizesQ, q), inK(kSizesK, k), inV(kSizesV, v), out(kSizesOut), weights(kSizesWeights),
      sums(kSizesSums), gradOut(kSizesOut, dOut), mask(kSizesWeights, added), gradQ(kSizesQ), gradK(kSizesK),
      gradV(kSizesV), gradMask(kSizesWeights);
  Device<bool> stays(kSizesWeights);
  for (const double probability : {0.0, 0.4}) {
    for (const bool flash : {false, true}) {
      ScaledDotProductAttention forward, backward;
      ASSERT_DNN(forward.SetDropoutP(probability));
      ASSERT_DNN(forward.SetTraining(true));
      ASSERT_DNN(backward.SetTraining(true));
      ASSERT_DNN(forward.SetCausal(true));
      ASSERT_DNN(backward.SetCausal(true));
      Tensor dropped = probability > 0 ? stays.tensor : none;
      if (flash) {
        ASSERT_DNN(forward.RunFlash(handle, out.tensor, sums.tensor, inQ.tensor, inK.tensor, inV.tensor,
                                    mask.tensor, dropped));
        ASSERT_DNN(backward.RunFlashBwd(handle, gradQ.tensor, gradK.tensor, gradV.tensor, gradOut.tensor,
                                        inQ.tensor, inK.tensor, inV.tensor, mask.tensor, out.tensor,
                                        sums.tensor, dropped));
      } else {
        ASSERT_DNN(forward.RunMath(handle, out.tensor, weights.tensor, inQ.tensor, inK.tensor, inV.tensor,
                                   mask.tensor, dropped));
        ASSERT_DNN(backward.RunMathBwd(handle, gradQ.tensor, gradK.tensor, gradV.tensor, gradMask.tensor,
                                       gradOut.tensor, inQ.tensor, inK.tensor, inV.tensor, weights.tensor,
                                       dropped));
      }
      const Numbers kept = probability > 0 ? stays.fetch() : Numbers();
      const auto factor = [&](int64_t at) {
        return probability > 0 ? kept[static_cast<size_t>(at)] / (1 - probability) : 1.0;
      };
      const auto run = [&](const Numbers& ofQ, const Numbers& ofK, const Numbers& ofV,
                           const Numbers& ofMask) {
        return attention(
                   ofQ, ofK, ofV, 0.5,
                   [&](auto n, auto head, auto row, auto column) {
                     if (flash && column > row) return -INFINITY + 0.0;
                     return ofMask[static_cast<size_t>(((n * kHeads + head) * kRows + row) * kColumns +
                                                       column)];
                   },
                   factor)
            .out;
      };
      expectNear(run(q, k, v, added), out.fetch(), 1e-12);
      expectNear(differences(q, dOut, [&](const Numbers& x) { return run(x, k, v, added); }), gradQ.fetch(),
                 1e-8);
      expectNear(differences(k, dOut, [&](const Numbers& x) { return run(q, x, v, added); }), gradK.fetch(),
                 1e-8);
      expectNear(differences(v, dOut, [&](const Numbers& x) { return run(q, k, x, added); }), gradV.fetch(),
                 1e-8);
      if (!flash)
        expectNear(differences(added, dOut, [&](const Numbers& x) { return run(q, k, v, x); }),
                   gradMask.fetch(), 1e-8);
    }
  }
  // So many are dropped, and others each time.
  const Numbers before = stays.fetch();
  Device<bool> again(kSizesWeights);
  ASSERT_DNN(op.SetDropoutP(0.4));
  ASSERT_DNN(op.SetTraining(true));
  ASSERT_DNN(
      op.RunMath(handle, out.tensor, weights.tensor, inQ.tensor, inK.tensor, inV.tensor, none, again.tensor));
  EXPECT_NE(before, again.fetch());
  EXPECT_NEAR(0.6, std::accumulate(before.begin(), before.end(), 0.0) / static_cast<double>(before.size()),
              0.15);
}

// Each sequence as it is by itself; causal by the last places.
TEST_F(AttentionTest, SequencesOfSeveralLengths) {
  const Sizes lengthsQ{2, 0, 3}, lengthsK{4, 2, 3};
  const int64_t heads = 2;
  const auto q = randoms<double>({5, heads, kSize}, 1), k = randoms<double>({9, heads, kSize}, 2),
             v = randoms<double>({9, heads, kSizeV}, 3), dOut = randoms<double>({5, heads, kSizeV}, 4);
  Device<double> inQ({5, heads, kSize}, q), inK({9, heads, kSize}, k), inV({9, heads, kSizeV}, v),
      out({5, heads, kSizeV}), sums({3, heads, 3}), gradOut({5, heads, kSizeV}, dOut),
      gradQ({5, heads, kSize}), gradK({9, heads, kSize}), gradV({9, heads, kSizeV});
  Device<int32_t> beginsQ({4}, {0, 2, 2, 5}), beginsK({4}, {0, 4, 6, 9});
  for (const bool causal : {false, true}) {
    ASSERT_DNN(op.SetBatchSize(3));
    ASSERT_DNN(op.SetMaxSeqlenQ(3));
    ASSERT_DNN(op.SetMaxSeqlenK(4));
    ASSERT_DNN(op.SetCausal(causal));
    ASSERT_DNN(op.RunFlashVarlen(handle, out.tensor, sums.tensor, inQ.tensor, inK.tensor, inV.tensor, none,
                                 none, beginsQ.tensor, beginsK.tensor));
    ASSERT_DNN(op.RunFlashVarlenBwd(handle, gradQ.tensor, gradK.tensor, gradV.tensor, gradOut.tensor,
                                    inQ.tensor, inK.tensor, inV.tensor, none, out.tensor, sums.tensor, none,
                                    beginsQ.tensor, beginsK.tensor));
    const auto run = [&](const Numbers& ofQ, const Numbers& ofK, const Numbers& ofV) {
      Numbers all(static_cast<size_t>(5 * heads * kSizeV));
      int64_t firstQ = 0, firstK = 0;
      for (size_t n = 0; n < 3; firstQ += lengthsQ[n], firstK += lengthsK[n++])
        for (int64_t head = 0; head < heads; ++head)
          for (int64_t row = 0; row < lengthsQ[n]; ++row) {
            Numbers weights;
            double sum = 0;
            for (int64_t i = 0; i < lengthsK[n]; ++i) {
              double score = 0;
              for (int64_t e = 0; e < kSize; ++e)
                score += ofQ[static_cast<size_t>(((firstQ + row) * heads + head) * kSize + e)] *
                         ofK[static_cast<size_t>(((firstK + i) * heads + head) * kSize + e)];
              const bool seen = !causal || i <= row + lengthsK[n] - lengthsQ[n];
              weights.push_back(seen ? std::exp(score / 2) : 0);
              sum += weights.back();
            }
            for (int64_t i = 0; i < lengthsK[n]; ++i)
              for (int64_t e = 0; e < kSizeV; ++e)
                all[static_cast<size_t>(((firstQ + row) * heads + head) * kSizeV + e)] +=
                    weights[static_cast<size_t>(i)] / sum *
                    ofV[static_cast<size_t>(((firstK + i) * heads + head) * kSizeV + e)];
          }
      return all;
    };
    expectNear(run(q, k, v), out.fetch(), 1e-12);
    expectNear(differences(q, dOut, [&](const Numbers& x) { return run(x, k, v); }), gradQ.fetch(), 1e-8);
    expectNear(differences(k, dOut, [&](const Numbers& x) { return run(q, x, v); }), gradK.fetch(), 1e-8);
    expectNear(differences(v, dOut, [&](const Numbers& x) { return run(q, k, x); }), gradV.fetch(), 1e-8);
  }
}

TEST_F(AttentionTest, RefusesWhatDoesNotGoTogether) {
  Device<float> q(kSizesQ), k(kSizesK), v(kSizesV), out(kSizesOut), wrong({kBatch, kHeads, kRows, kSize});
  Tensor weights, dropped;
  EXPECT_EQ(Status::INVALID_PARAMETER,
            op.RunMath(handle, wrong.tensor, weights, q.tensor, k.tensor, v.tensor, none, dropped));
  ASSERT_DNN(op.SetHeadsNum(3));
  EXPECT_EQ(Status::INVALID_PARAMETER,
            op.RunMath(handle, out.tensor, weights, q.tensor, k.tensor, v.tensor, none, dropped));
  ASSERT_DNN(op.SetHeadsNum(0));
  EXPECT_EQ(Status::INVALID_PARAMETER, op.SetDropoutP(1));
  ASSERT_DNN(op.SetDropoutP(0.5));
  ASSERT_DNN(op.RunMath(handle, out.tensor, weights, q.tensor, k.tensor, v.tensor, none, dropped));
  ASSERT_DNN(op.SetTraining(true));
  EXPECT_EQ(Status::INVALID_PARAMETER,
            op.RunMath(handle, out.tensor, weights, q.tensor, k.tensor, v.tensor, none, dropped));
  Device<int64_t> integers(kSizesQ);
  EXPECT_EQ(Status::NOT_SUPPORTED,
            op.RunMath(handle, out.tensor, weights, integers.tensor, k.tensor, v.tensor, none, dropped));
}

template <class T>
void everyRope(dnn::Handle& handle) {
  const int64_t places = 5, batch = 2, heads = 3, size = 8, turned = 6;
  for (int settings = 0; settings < 8; ++settings) {
    const bool interleaved = settings & 1, batchFirst = settings & 2, latent = settings & 4;
    const Sizes sizes = batchFirst ? Sizes{batch, places, heads, size} : Sizes{places, batch, heads, size};
    const auto x = randoms<T>(sizes, 1), angle = randoms<T>({places + 1, turned}, 2, -3, 3),
               dy = randoms<T>(sizes, 3);
    const auto run = [&](const Numbers& from) {
      Numbers all(from.size());
      for (int64_t row = 0; row < places * batch * heads; ++row) {
        const int64_t place = batchFirst ? row / heads % places : row / heads / batch;
        Numbers t(from.begin() + row * size, from.begin() + (row + 1) * size), mixed(t);
        for (int64_t i = 0; latent && i < turned / 2; ++i) {
          t[static_cast<size_t>(i)] = mixed[static_cast<size_t>(2 * i)];
          t[static_cast<size_t>(i + turned / 2)] = mixed[static_cast<size_t>(2 * i + 1)];
        }
        for (int64_t i = 0; i < size; ++i) {
          double value = t[static_cast<size_t>(i)];
          if (i < turned) {
            const double a = angle[static_cast<size_t>(place * turned + i)];
            const bool first = interleaved ? i % 2 == 0 : i < turned / 2;
            const int64_t other = interleaved ? i ^ 1 : (first ? i + turned / 2 : i - turned / 2);
            value = value * std::cos(a) + (first ? -1 : 1) * t[static_cast<size_t>(other)] * std::sin(a);
          }
          all[static_cast<size_t>(row * size + i)] = value;
        }
      }
      return all;
    };
    Device<T> in(sizes, x), out(sizes), angles({places + 1, 1, 1, turned}, angle), gradOut(sizes, dy),
        gradIn(sizes);
    dnn::Rope op;
    ASSERT_DNN(op.SetRotaryInterleaved(interleaved));
    ASSERT_DNN(op.SetBatchFirst(batchFirst));
    ASSERT_DNN(op.SetMultiLatentAttention(latent));
    ASSERT_DNN(op.Run(handle, out.tensor, in.tensor, angles.tensor));
    expectNear(run(x), out.fetch(), tolerance<T>());
    ASSERT_DNN(op.RunBwd(handle, gradIn.tensor, gradOut.tensor, angles.tensor));
    expectNear(differences(x, dy, run), gradIn.fetch(), std::max(tolerance<T>(), 1e-8));
    ASSERT_DNN(op.Run(handle, in.tensor, in.tensor, angles.tensor));
    expectNear(run(x), in.fetch(), tolerance<T>());
  }
}

TEST_F(AttentionTest, Ropes) {
  everyRope<float>(handle);
  everyRope<double>(handle);
  everyRope<__half>(handle);
  everyRope<__mt_bfloat16>(handle);
  Device<float> x({2, 1, 1, 4}, Numbers(8)), few({1, 4}, Numbers(4)), many({2, 6}, Numbers(12));
  dnn::Rope op;
  EXPECT_EQ(Status::INVALID_PARAMETER, op.Run(handle, x.tensor, x.tensor, few.tensor));
  EXPECT_EQ(Status::INVALID_PARAMETER, op.Run(handle, x.tensor, x.tensor, many.tensor));
}

}  // namespace
}  // namespace musashim::test
