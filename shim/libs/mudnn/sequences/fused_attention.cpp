// A head at a time: its scores are all that is held besides the tensors.
#include "libs/mudnn/sequences/fused_attention.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "libs/mudnn/operations/elementwise/gates.h"
#include "libs/mudnn/operations/rows.h"
#include "libs/mudnn/sequences/matrices.h"

namespace musashim::mudnn {
namespace {

Array shifted(Array array, int64_t elements) {
  if (array.data)
    array.data = static_cast<char*>(array.data) + elements * static_cast<int64_t>(sizeOf(array.element));
  return array;
}

// Sequences of one batch, or of several lengths behind each other.
class Sequences {
 public:
  explicit Sequences(const FusedAttentionArrays& arrays)
      : arrays_(arrays), isVaried_(arrays.beginsQ.data != nullptr) {
    if (!isVaried_) return;
    for (const auto& [begins, to] : {std::pair{&arrays.beginsQ, &beginsQ_}, {&arrays.beginsK, &beginsK_}}) {
      to->resize(static_cast<size_t>(begins->count()));
      readPart(*begins, 0, begins->count(), to->data());
    }
  }
  int64_t batch() const { return isVaried_ ? static_cast<int64_t>(beginsQ_.size()) - 1 : arrays_.q.sizes[0]; }
  int64_t heads(const Array& array) const { return array.sizes[1]; }
  // A head of one sequence as a matrix.
  Array headOfQ(const Array& array, int64_t n, int64_t head) const {
    return headOf(array, beginsQ_, n, head);
  }
  Array headOfK(const Array& array, int64_t n, int64_t head) const {
    return headOf(array, beginsK_, n, head);
  }
  // How many places of k the place 0 of q sees before its own, where that matters.
  int64_t seenBefore(int64_t ofQ, int64_t ofK) const { return isVaried_ ? ofK - ofQ : 0; }

 private:
  Array headOf(const Array& array, const std::vector<int64_t>& begins, int64_t n, int64_t head) const {
    if (!array.data) return array;
    const auto at = static_cast<size_t>(n);
    const bool varied = isVaried_ && array.rank == 3;
    const int64_t first = varied ? begins[at] * array.strides[0] : n * array.strides[0];
    Array matrix = shifted(array, first + head * array.strides[1]);
    matrix.rank = 2;
    matrix.sizes = {varied ? begins[at + 1] - begins[at] : array.sizes[2],
                    varied ? array.sizes[2] : array.sizes[3]};
    matrix.strides = {varied ? array.strides[0] : array.strides[2],
                      varied ? array.strides[2] : array.strides[3]};
    return matrix;
  }

  FusedAttentionArrays arrays_;
  bool isVaried_;
  std::vector<int64_t> beginsQ_, beginsK_;
};

// A row of one head of what has no element dimension, like the logarithms of sums.
Array rowOf(const Array& array, int64_t n, int64_t head, int64_t count) {
  Array row = shifted(array, n * array.strides[0] + head * array.strides[1]);
  row.rank = 1;
  row.sizes = {count};
  row.strides = {array.strides[2]};
  return row;
}

Array maskOf(const FusedAttention& attention, const FusedAttentionArrays& arrays) {
  if (!arrays.mask.data) return {};
  Array like;
  like.rank = 4;
  like.sizes = {arrays.q.sizes[0], arrays.q.sizes[1], arrays.q.sizes[2], arrays.k.sizes[2]};
  if (!attention.padding) return broadcast(arrays.mask, like);
  require(
      arrays.mask.rank == 2 && arrays.mask.sizes[0] == like.sizes[0] && arrays.mask.sizes[1] == like.sizes[3],
      "the mask is not by batch and place of k");
  Array mask = arrays.mask;
  mask.rank = 4;
  mask.sizes = like.sizes;
  mask.strides = {arrays.mask.strides[0], 0, 0, arrays.mask.strides[1]};
  return mask;
}

// The scores of a head: scaled, with the mask; minus infinity for who takes no part.
template <class V>
std::vector<V> scoresOf(const FusedAttention& attention, const Input<V>& q, const Input<V>& k, int64_t rows,
                        int64_t columns, int64_t terms, const Array& mask, int64_t before) {
  std::vector<V> scores(static_cast<size_t>(rows * columns));
  multiply<V>(rows, columns, terms, {q.data(), terms}, {k.data(), terms, true}, scores.data(), columns,
              false);
  const V scale = static_cast<V>(attention.scale);
  const bool chooses = mask.element == Element::kBool;
  shareRange(rows, columns, [&](int64_t begin, int64_t end) {
    std::vector<V> masks(static_cast<size_t>(mask.data ? columns : 0));
    for (int64_t row = begin; row < end; ++row) {
      V* const at = scores.data() + row * columns;
      if (mask.data) readPart(mask, row * columns, columns, masks.data());
      for (int64_t i = 0; i < columns; ++i) {
        at[i] *= scale;
        if (mask.data && !chooses) at[i] += masks[static_cast<size_t>(i)];
        if ((mask.data && chooses && masks[static_cast<size_t>(i)] == 0) ||
            (attention.causal && i > row + before))
          at[i] = -std::numeric_limits<V>::infinity();
      }
    }
  });
  return scores;
}

// Whether each element of a head stays; row by row.
void drawStays(double probability, uint64_t seed, uint64_t first, std::vector<int64_t>& stays) {
  shareRange((static_cast<int64_t>(stays.size()) + 3) / 4, 16, [&](int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; ++group) {
      const auto numbers = philox(seed, first + static_cast<uint64_t>(group));
      for (size_t i = 0; i < 4 && static_cast<size_t>(group) * 4 + i < stays.size(); ++i)
        stays[static_cast<size_t>(group) * 4 + i] = static_cast<double>(numbers[i]) * 0x1p-32 >= probability;
    }
  });
}

template <class V>
void forward(const FusedAttention& attention, const FusedAttentionArrays& arrays, const Array& mask,
             uint64_t seed) {
  const Sequences all(arrays);
  const int64_t heads = all.heads(arrays.q), share = heads / all.heads(arrays.k);
  const V kept = static_cast<V>(1 / (1 - attention.dropout));
  uint64_t drawn = 0;
  for (int64_t n = 0; n < all.batch(); ++n) {
    for (int64_t head = 0; head < heads; ++head) {
      const Array matrixQ = all.headOfQ(arrays.q, n, head), matrixK = all.headOfK(arrays.k, n, head / share),
                  matrixV = all.headOfK(arrays.v, n, head / share);
      const Input<V> q(matrixQ), k(matrixK), v(matrixV);
      const int64_t rows = matrixQ.sizes[0], columns = matrixK.sizes[0], size = matrixV.sizes[1];
      std::vector<V> scores = scoresOf(attention, q, k, rows, columns, matrixQ.sizes[1],
                                       all.headOfQ(mask, n, head), all.seenBefore(rows, columns));
      std::vector<V> sums(static_cast<size_t>(rows));
      shareRange(rows, 8 * columns, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          V* const at = scores.data() + row * columns;
          const V largest =
              columns ? *std::max_element(at, at + columns) : -std::numeric_limits<V>::infinity();
          const bool none = largest == -std::numeric_limits<V>::infinity();
          double sum = 0;
          for (int64_t i = 0; i < columns; ++i) sum += at[i] = none ? V(0) : std::exp(at[i] - largest);
          const V factor = none ? V(0) : static_cast<V>(static_cast<double>(kept) / sum);
          for (int64_t i = 0; i < columns; ++i) at[i] *= factor;
          sums[static_cast<size_t>(row)] = none
                                               ? largest
                                               : static_cast<V>(static_cast<double>(largest) + std::log(sum) -
                                                                std::log(static_cast<double>(kept)));
        }
      });
      if (arrays.logSum.data) writePart(rowOf(arrays.logSum, n, head, rows), 0, rows, sums.data());
      if (arrays.weights.data)
        writePart(all.headOfQ(arrays.weights, n, head), 0, rows * columns, scores.data());
      if (attention.dropout > 0) {
        std::vector<int64_t> stays(scores.size());
        drawStays(attention.dropout, seed, drawn, stays);
        drawn += (stays.size() + 3) / 4;
        writePart(all.headOfQ(arrays.stays, n, head), 0, rows * columns, stays.data());
        for (size_t i = 0; i < stays.size(); ++i) scores[i] *= static_cast<V>(stays[i]);
      }
      Output<V> out(all.headOfQ(arrays.out, n, head));
      if (columns == 0) std::fill_n(out.data(), rows * size, V(0));
      multiply<V>(rows, size, columns, {scores.data(), columns}, {v.data(), size}, out.data(), size, false);
      out.store();
    }
  }
}

template <class V>
void backward(const FusedAttention& attention, const FusedAttentionArrays& arrays, const Array& mask,
              const FusedAttentionGradients& gradients) {
  const Sequences all(arrays);
  const int64_t heads = all.heads(arrays.q), share = heads / all.heads(arrays.k);
  for (int64_t n = 0; n < all.batch(); ++n) {
    for (int64_t head = 0; head < heads; ++head) {
      const Array matrixQ = all.headOfQ(arrays.q, n, head), matrixK = all.headOfK(arrays.k, n, head / share),
                  matrixV = all.headOfK(arrays.v, n, head / share);
      const Input<V> q(matrixQ), k(matrixK), v(matrixV), dOut(all.headOfQ(gradients.out, n, head));
      const int64_t rows = matrixQ.sizes[0], columns = matrixK.sizes[0], terms = matrixQ.sizes[1],
                    size = matrixV.sizes[1], count = rows * columns;
      std::vector<V> weights(static_cast<size_t>(count));
      if (arrays.weights.data) {
        readPart(all.headOfQ(arrays.weights, n, head), 0, count, weights.data());
      } else {
        weights = scoresOf(attention, q, k, rows, columns, terms, all.headOfQ(mask, n, head),
                           all.seenBefore(rows, columns));
        std::vector<V> sums(static_cast<size_t>(rows));
        readPart(rowOf(arrays.logSum, n, head, rows), 0, rows, sums.data());
        shareRange(rows, 4 * columns, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin * columns; i < end * columns; ++i) {
            V& weight = weights[static_cast<size_t>(i)];
            const bool none = weight == -std::numeric_limits<V>::infinity();
            weight = none ? V(0) : std::exp(weight - sums[static_cast<size_t>(i / columns)]);
          }
        });
      }
      std::vector<V> stays;
      if (arrays.stays.data) {
        stays.resize(weights.size());
        readPart(all.headOfQ(arrays.stays, n, head), 0, count, stays.data());
      }
      std::vector<V> kept(weights), scores(weights.size());
      for (size_t i = 0; i < stays.size(); ++i) kept[i] *= stays[i];
      // Several heads of q add to one of k and v.
      const bool adds = head % share != 0;
      using Content = typename Output<V>::Content;
      const Content content = adds ? Content::kKeep : Content::kNew;
      Output<V> dV(all.headOfK(gradients.v, n, head / share), content);
      multiply<V>(columns, size, rows, {kept.data(), columns, true}, {dOut.data(), size}, dV.data(), size,
                  adds);
      dV.store();
      multiply<V>(rows, columns, size, {dOut.data(), size}, {v.data(), size, true}, scores.data(), columns,
                  false);
      shareRange(rows, 4 * columns, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          double sum = 0, whole = 0;
          for (int64_t i = row * columns; i < (row + 1) * columns; ++i) {
            const auto at = static_cast<size_t>(i);
            sum += static_cast<double>(kept[at]) * static_cast<double>(scores[at]);
            whole += static_cast<double>(weights[at]);
          }
          const V mean = whole > 0 ? static_cast<V>(sum / whole) : V(0);
          for (int64_t i = row * columns; i < (row + 1) * columns; ++i) {
            const auto at = static_cast<size_t>(i);
            scores[at] = kept[at] * scores[at] - weights[at] * mean;
          }
        }
      });
      if (gradients.mask.data) writePart(all.headOfQ(gradients.mask, n, head), 0, count, scores.data());
      for (V& score : scores) score *= static_cast<V>(attention.scale);
      Output<V> dQ(all.headOfQ(gradients.q, n, head));
      multiply<V>(rows, terms, columns, {scores.data(), columns}, {k.data(), terms}, dQ.data(), terms, false);
      dQ.store();
      Output<V> dK(all.headOfK(gradients.k, n, head / share), content);
      multiply<V>(columns, terms, rows, {scores.data(), columns, true}, {q.data(), terms}, dK.data(), terms,
                  adds);
      dK.store();
    }
  }
}

bool isOf(const Array& array, std::initializer_list<int64_t> sizes) {
  return array.rank == static_cast<int>(sizes.size()) &&
         std::equal(sizes.begin(), sizes.end(), array.sizes.begin());
}

void check(const FusedAttention& attention, const FusedAttentionArrays& arrays) {
  const Array &q = arrays.q, &k = arrays.k, &v = arrays.v;
  requireReal({&q, &k, &v, &arrays.out, &arrays.weights, &arrays.logSum});
  const bool varied = arrays.beginsQ.data != nullptr;
  const int rank = varied ? 3 : 4;
  require(q.rank == rank && k.rank == rank && v.rank == rank, "q, k and v have not the dimensions they need");
  const auto last = static_cast<size_t>(rank - 1);
  require(k.sizes[1] > 0 && k.sizes[1] == v.sizes[1] && q.sizes[1] % k.sizes[1] == 0,
          "the numbers of heads do not go together");
  require(q.sizes[last] == k.sizes[last], "elements of q and k are not as many");
  require(attention.dropout >= 0 && attention.dropout < 1, "a probability is not from 0 to below 1");
  if (varied) {
    require(k.sizes[0] == v.sizes[0], "k and v have not as many places");
    require(arrays.beginsK.data && arrays.beginsQ.rank == 1 && arrays.beginsQ.sizes[0] >= 1 &&
                arrays.beginsK.sameSizes(arrays.beginsQ),
            "sequences begin at places of q and k, one for each and the end");
    requireSupport(!arrays.mask.data && attention.dropout == 0,
                   "sequences of several lengths have no mask and no dropout");
    require(!arrays.out.data || isOf(arrays.out, {q.sizes[0], q.sizes[1], v.sizes[2]}),
            "the output's sizes are not those of q with v's elements");
    require(!arrays.logSum.data ||
                (arrays.logSum.rank == 3 && arrays.logSum.sizes[0] == arrays.beginsQ.sizes[0] - 1 &&
                 arrays.logSum.sizes[1] == q.sizes[1]),
            "the logarithms' sizes are not sequences, heads and places");
    return;
  }
  require(q.sizes[0] == k.sizes[0] && q.sizes[0] == v.sizes[0] && k.sizes[2] == v.sizes[2],
          "batches or places do not go together");
  const int64_t n = q.sizes[0], heads = q.sizes[1], rows = q.sizes[2], columns = k.sizes[2];
  require(!arrays.out.data || isOf(arrays.out, {n, heads, rows, v.sizes[3]}),
          "the output's sizes are not those of q with v's elements");
  for (const Array* array : {&arrays.weights, &arrays.stays})
    require(!array->data || isOf(*array, {n, heads, rows, columns}),
            "weights or the mask of dropout are not by batch, head, place and place");
  require(!arrays.logSum.data || isOf(arrays.logSum, {n, heads, rows}),
          "the logarithms' sizes are not batch, heads and places");
}

// Longer sequences than there are logarithms for, and what lies outside of the tensors, are faults.
void checkBegins(const FusedAttentionArrays& arrays) {
  if (!arrays.beginsQ.data) return;
  for (const auto& [begins, of] : {std::pair{&arrays.beginsQ, &arrays.q}, {&arrays.beginsK, &arrays.k}}) {
    std::vector<int64_t> places(static_cast<size_t>(begins->count()));
    readPart(*begins, 0, begins->count(), places.data());
    require(
        places.front() >= 0 && places.back() <= of->sizes[0] && std::is_sorted(places.begin(), places.end()),
        "a sequence begins or ends outside of its tensor");
    for (size_t i = 1; of == &arrays.q && arrays.logSum.data && i < places.size(); ++i)
      require(places[i] - places[i - 1] <= arrays.logSum.sizes[2],
              "a sequence is longer than its logarithms");
  }
}

}  // namespace

Work fusedAttention(const FusedAttention& attention, const FusedAttentionArrays& arrays) {
  check(attention, arrays);
  require(attention.dropout == 0 || arrays.stays.data, "dropout needs a place for its mask");
  const Array mask = maskOf(attention, arrays);
  // Runs that drop have seeds of their own.
  static std::atomic<uint64_t> runs{0};
  const uint64_t seed = attention.dropout > 0 ? ++runs : 0;
  return [=] {
    checkBegins(arrays);
    withReal({&arrays.q, &arrays.k, &arrays.v, &arrays.out},
             [&]<class V>(V) { forward<V>(attention, arrays, mask, seed); });
  };
}

Work fusedAttentionBackward(const FusedAttention& attention, const FusedAttentionArrays& arrays,
                            const FusedAttentionGradients& gradients) {
  check(attention, arrays);
  requireReal({&gradients.out, &gradients.q, &gradients.k, &gradients.v, &gradients.mask});
  require(arrays.weights.data || arrays.logSum.data, "nothing was saved of the run before");
  require(
      gradients.q.sameSizes(arrays.q) && gradients.k.sameSizes(arrays.k) && gradients.v.sameSizes(arrays.v),
      "gradients have not their tensors' sizes");
  FusedAttentionArrays like = arrays;
  like.out = gradients.out;
  check(attention, like);
  require(
      !gradients.mask.data || arrays.beginsQ.data ||
          isOf(gradients.mask, {arrays.q.sizes[0], arrays.q.sizes[1], arrays.q.sizes[2], arrays.k.sizes[2]}),
      "the mask's gradient is not by batch, head, place and place");
  const Array mask = maskOf(attention, arrays);
  return [=] {
    checkBegins(arrays);
    withReal({&arrays.q, &arrays.k, &arrays.v, &gradients.out},
             [&]<class V>(V) { backward<V>(attention, arrays, mask, gradients); });
  };
}

}  // namespace musashim::mudnn
