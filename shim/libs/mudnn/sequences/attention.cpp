#include "libs/mudnn/sequences/attention.h"

#include <algorithm>
#include <cmath>

#include "libs/mudnn/core/elements.h"
#include "libs/mudnn/core/values.h"
#include "libs/mudnn/sequences/recurrent_layers.h"

namespace musashim::mudnn {

AttentionPlace attentionWeights(const Attention& attention, Attention::Side side) {
  AttentionPlace place;
  for (const auto each : {Attention::kQuery, Attention::kKey, Attention::kValue, Attention::kOut}) {
    const AttentionSide& s = attention.sides[each];
    AttentionPlace here;
    if (s.projects) {
      // The output goes from a head's values to its own vectors.
      here.heads = attention.heads;
      here.rows = each == Attention::kOut ? s.size : s.inHead;
      here.columns = each == Attention::kOut ? s.inHead : s.size;
      // Column by column; of the output a head is behind another, of the others their columns are side by
      // side.
      here.ofHead = each == Attention::kOut ? here.rows * here.columns : here.rows;
      here.ofRow = 1;
      here.ofColumn = each == Attention::kOut ? here.rows : here.heads * here.rows;
    }
    here.offset = place.offset + place.heads * place.rows * place.columns;
    place = here;
    if (each == side) break;
  }
  return place;
}

AttentionPlace attentionBiases(const Attention& attention, Attention::Side side) {
  const AttentionPlace last = attentionWeights(attention, Attention::kOut);
  AttentionPlace place;
  place.offset = last.offset + last.heads * last.rows * last.columns;
  for (const auto each : {Attention::kQuery, Attention::kKey, Attention::kValue, Attention::kOut}) {
    AttentionPlace here;
    here.offset = place.offset + place.heads * place.rows;
    const AttentionSide& s = attention.sides[each];
    if (attention.hasBiases && s.projects) {
      here.heads = each == Attention::kOut ? 1 : attention.heads;
      here.rows = each == Attention::kOut ? s.size : s.inHead;
      here.columns = 1;
      here.ofHead = here.rows;
      here.ofRow = here.ofColumn = 1;
    }
    place = here;
    if (each == side) break;
  }
  return place;
}

int64_t attentionWeightCount(const Attention& attention) {
  const AttentionPlace last = attentionBiases(attention, Attention::kOut);
  return last.offset + last.heads * last.rows;
}

namespace {

// What is computed on the way: vectors in heads by batch, time and head, shares by batch, head, query and
// key.
template <class V>
struct AttentionTape {
  AttentionTape(const Attention& a, int64_t timeQuery, int64_t timeKey, int64_t batch, void* memory) {
    const int64_t counts[] = {
        batch * timeQuery * a.heads * a.sides[Attention::kQuery].inHead,
        batch * timeKey * a.heads * a.sides[Attention::kKey].inHead,
        batch * timeKey * a.heads * a.sides[Attention::kValue].inHead,
        batch * timeQuery * a.heads * a.sides[Attention::kValue].inHead,
    };
    for (int i = 0; i < 2; ++i)
      for (size_t side = 0; side < 4; ++side) {
        offsets[static_cast<size_t>(i) * 4 + side] = count;
        count += counts[side];
      }
    shares = count;
    count += batch * a.heads * timeQuery * timeKey;
    if (!memory) {
      own.resize(static_cast<size_t>(count));
      base = own.data();
    } else {
      base = static_cast<V*>(memory);
    }
  }
  V* values(size_t side) { return base + offsets[side]; }  // kOut: what heads give
  V* gradients(size_t side) { return base + offsets[4 + side]; }
  std::array<int64_t, 8> offsets{};
  int64_t shares = 0, count = 0;
  std::vector<V> own;
  V* base = nullptr;
};

template <class V>
std::vector<V> rowsOf(const AttentionData& d, Element element) {
  std::vector<V> rows(static_cast<size_t>(d.batch * d.time * d.size));
  const auto width = static_cast<int64_t>(sizeOf(element));
  for (int64_t b = 0; b < d.batch; ++b)
    for (int64_t t = 0; t < d.time; ++t)
      readRun(element, static_cast<const char*>(d.data) + (b * d.ofBatch + t * d.ofTime) * width, 1, d.size,
              rows.data() + (b * d.time + t) * d.size);
  return rows;
}
template <class V>
void storeRow(const AttentionData& d, Element element, int64_t b, int64_t t, const V* row) {
  writeRun(
      element, row, d.size,
      static_cast<char*>(d.data) + (b * d.ofBatch + t * d.ofTime) * static_cast<int64_t>(sizeOf(element)), 1);
}

template <class V>
class Run {
 public:
  Run(const Attention& attention, const AttentionArrays& arrays)
      : a_(attention),
        x_(arrays),
        batch_(arrays.data[0].batch),
        queries_(arrays.data[0].time),
        keys_(arrays.data[1].time),
        tape_(attention, queries_, keys_, batch_, arrays.tape) {
    const int64_t count = attentionWeightCount(a_);
    weights_.resize(static_cast<size_t>(count));
    if (count) readRun(a_.element, x_.weights, 1, count, weights_.data());
  }

  void forward() {
    for (const auto side : {Attention::kQuery, Attention::kKey, Attention::kValue}) intoHeads(side);
    V* const shares = tape_.base + tape_.shares;
    const int64_t H = a_.heads, Q = a_.sides[Attention::kQuery].inHead,
                  D = a_.sides[Attention::kValue].inHead;
    const V *const q = tape_.values(0), *const k = tape_.values(1), *const v = tape_.values(2);
    V* const given = tape_.values(3);
    const int64_t first = x_.only < 0 ? 0 : x_.only, last = x_.only < 0 ? queries_ : x_.only + 1;
    for (int64_t b = 0; b < batch_; ++b)
      for (int64_t h = 0; h < H; ++h)
        for (int64_t t = first; t < last; ++t) {
          V* const row = shares + ((b * H + h) * queries_ + t) * keys_;
          std::fill_n(row, keys_, V(0));
          V* const out = given + ((b * queries_ + t) * H + h) * D;
          std::fill_n(out, D, V(0));
          const auto [begin, end] = windowOf(b, t);
          if (begin >= end) continue;
          const V* const query = q + ((b * queries_ + t) * H + h) * Q;
          V largest = -INFINITY, sum = 0;
          for (int64_t s = begin; s < end; ++s) {
            V product = 0;
            for (int64_t i = 0; i < Q; ++i) product += query[i] * k[((b * keys_ + s) * H + h) * Q + i];
            row[s] = product * static_cast<V>(a_.scale);
            largest = std::max(largest, row[s]);
          }
          for (int64_t s = begin; s < end; ++s) sum += row[s] = std::exp(row[s] - largest);
          for (int64_t s = begin; s < end; ++s) {
            row[s] /= sum;
            for (int64_t i = 0; i < D; ++i) out[i] += row[s] * v[((b * keys_ + s) * H + h) * D + i];
          }
        }
    store(first, last);
  }

  void backwardData(const std::array<AttentionData, 4>& gradients) {
    const int64_t H = a_.heads, Q = a_.sides[Attention::kQuery].inHead,
                  D = a_.sides[Attention::kValue].inHead;
    ofGiven(rowsOf<V>(gradients[Attention::kOut], a_.element));
    const V *const q = tape_.values(0), *const k = tape_.values(1), *const v = tape_.values(2),
                   *const shares = tape_.base + tape_.shares, *const ofOut = tape_.gradients(3);
    V *const ofQ = tape_.gradients(0), *const ofK = tape_.gradients(1), *const ofV = tape_.gradients(2);
    std::fill_n(ofQ, batch_ * queries_ * H * Q, V(0));
    std::fill_n(ofK, batch_ * keys_ * H * Q, V(0));
    std::fill_n(ofV, batch_ * keys_ * H * D, V(0));
    std::vector<V> ofShares(static_cast<size_t>(keys_));
    for (int64_t b = 0; b < batch_; ++b)
      for (int64_t h = 0; h < H; ++h)
        for (int64_t t = 0; t < queries_; ++t) {
          const V* const row = shares + ((b * H + h) * queries_ + t) * keys_;
          const V* const dOut = ofOut + ((b * queries_ + t) * H + h) * D;
          V sum = 0;
          for (int64_t s = 0; s < keys_; ++s) {
            V product = 0;
            for (int64_t i = 0; i < D; ++i) {
              const int64_t at = ((b * keys_ + s) * H + h) * D + i;
              product += dOut[i] * v[at];
              ofV[at] += row[s] * dOut[i];
            }
            ofShares[static_cast<size_t>(s)] = product;
            sum += product * row[s];
          }
          for (int64_t s = 0; s < keys_; ++s) {
            const V factor = row[s] * (ofShares[static_cast<size_t>(s)] - sum) * static_cast<V>(a_.scale);
            for (int64_t i = 0; i < Q; ++i) {
              const int64_t atQ = ((b * queries_ + t) * H + h) * Q + i,
                            atK = ((b * keys_ + s) * H + h) * Q + i;
              ofQ[atQ] += factor * k[atK];
              ofK[atK] += factor * q[atQ];
            }
          }
        }
    for (const auto side : {Attention::kQuery, Attention::kKey, Attention::kValue})
      outOfHeads(side, gradients[side]);
  }

  void backwardWeights(const AttentionData& ofOut, void* gradient, bool adds) {
    const int64_t count = attentionWeightCount(a_);
    std::vector<V> result(static_cast<size_t>(count));
    if (adds && count) readRun(a_.element, gradient, 1, count, result.data());
    for (const auto side : {Attention::kQuery, Attention::kKey, Attention::kValue}) {
      const AttentionData& d = x_.data[side];
      gather(side, result, rowsOf<V>(d, a_.element), tape_.gradients(side), d.time);
    }
    const AttentionPlace place = attentionWeights(a_, Attention::kOut),
                         bias = attentionBiases(a_, Attention::kOut);
    const std::vector<V> rows = rowsOf<V>(ofOut, a_.element);
    const int64_t D = a_.sides[Attention::kValue].inHead;
    for (int64_t row = 0; row < batch_ * queries_ && place.heads; ++row)
      for (int64_t o = 0; o < place.rows; ++o) {
        const V value = rows[static_cast<size_t>(row * place.rows + o)];
        if (bias.heads) result[static_cast<size_t>(bias.offset + o)] += value;
        for (int64_t h = 0; h < place.heads; ++h)
          for (int64_t i = 0; i < D; ++i)
            result[static_cast<size_t>(at(place, h, o, i))] +=
                value * tape_.values(3)[(row * a_.heads + h) * D + i];
      }
    if (count) writeRun(a_.element, result.data(), count, gradient, 1);
  }

 private:
  static int64_t at(const AttentionPlace& p, int64_t head, int64_t row, int64_t column) {
    return p.offset + head * p.ofHead + row * p.ofRow + column * p.ofColumn;
  }
  std::pair<int64_t, int64_t> windowOf(int64_t b, int64_t t) const {
    const auto i = static_cast<size_t>(t);
    if (x_.lengthsQuery && t >= x_.lengthsQuery[b]) return {0, 0};
    return {x_.from.empty() ? 0 : std::max(x_.from[i], 0),
            std::min<int64_t>(
                {x_.to.empty() ? keys_ : x_.to[i], keys_, x_.lengthsKey ? x_.lengthsKey[b] : keys_})};
  }

  void intoHeads(Attention::Side side) {
    const AttentionData& d = x_.data[side];
    const std::vector<V> rows = rowsOf<V>(d, a_.element);
    const AttentionPlace place = attentionWeights(a_, side), bias = attentionBiases(a_, side);
    const int64_t size = a_.sides[side].inHead;
    for (int64_t row = 0; row < d.batch * d.time; ++row)
      for (int64_t h = 0; h < a_.heads; ++h)
        for (int64_t p = 0; p < size; ++p) {
          V& to = tape_.values(side)[(row * a_.heads + h) * size + p];
          if (!place.heads) {
            to = rows[static_cast<size_t>(row * d.size + p)];
            continue;
          }
          to = bias.heads ? weights_[static_cast<size_t>(at(bias, h, p, 0))] : V(0);
          for (int64_t i = 0; i < d.size; ++i)
            to += weights_[static_cast<size_t>(at(place, h, p, i))] *
                  rows[static_cast<size_t>(row * d.size + i)];
        }
  }
  void store(int64_t first, int64_t last) {
    const AttentionPlace place = attentionWeights(a_, Attention::kOut),
                         bias = attentionBiases(a_, Attention::kOut);
    const AttentionData& out = x_.data[Attention::kOut];
    const int64_t D = a_.sides[Attention::kValue].inHead, width = a_.heads * D;
    const std::vector<V> residual = x_.residual.data ? rowsOf<V>(x_.residual, a_.element) : std::vector<V>();
    std::vector<V> row(static_cast<size_t>(out.size));
    for (int64_t b = 0; b < batch_; ++b)
      for (int64_t t = first; t < last; ++t) {
        const V* const given = tape_.values(3) + (b * queries_ + t) * width;
        for (int64_t o = 0; o < out.size; ++o) {
          V sum =
              place.heads ? (bias.heads ? weights_[static_cast<size_t>(bias.offset + o)] : V(0)) : given[o];
          for (int64_t h = 0; h < place.heads; ++h)
            for (int64_t i = 0; i < D; ++i)
              sum += weights_[static_cast<size_t>(at(place, h, o, i))] * given[h * D + i];
          if (!residual.empty()) sum += residual[static_cast<size_t>((b * queries_ + t) * out.size + o)];
          row[static_cast<size_t>(o)] = sum;
        }
        storeRow(out, a_.element, b, t, row.data());
      }
  }
  // The gradient of what heads give, by that of the output.
  void ofGiven(const std::vector<V>& ofOut) {
    const AttentionPlace place = attentionWeights(a_, Attention::kOut);
    const int64_t D = a_.sides[Attention::kValue].inHead, width = a_.heads * D,
                  size = x_.data[Attention::kOut].size;
    V* const to = tape_.gradients(3);
    for (int64_t row = 0; row < batch_ * queries_; ++row)
      for (int64_t j = 0; j < width; ++j) {
        V sum = place.heads ? V(0) : ofOut[static_cast<size_t>(row * size + j)];
        for (int64_t o = 0; o < (place.heads ? size : 0); ++o)
          sum += weights_[static_cast<size_t>(at(place, j / D, o, j % D))] *
                 ofOut[static_cast<size_t>(row * size + o)];
        to[row * width + j] = sum;
      }
  }
  void outOfHeads(Attention::Side side, const AttentionData& to) {
    const AttentionPlace place = attentionWeights(a_, side);
    const int64_t size = a_.sides[side].inHead;
    std::vector<V> values(static_cast<size_t>(to.size));
    for (int64_t b = 0; b < to.batch; ++b)
      for (int64_t t = 0; t < to.time; ++t) {
        const V* const from = tape_.gradients(side) + (b * to.time + t) * a_.heads * size;
        std::fill(values.begin(), values.end(), V(0));
        for (int64_t h = 0; h < a_.heads; ++h)
          for (int64_t p = 0; p < size; ++p) {
            const V gradient = from[h * size + p];
            if (!place.heads) values[static_cast<size_t>(p)] += gradient;
            for (int64_t i = 0; i < (place.heads ? to.size : 0); ++i)
              values[static_cast<size_t>(i)] += gradient * weights_[static_cast<size_t>(at(place, h, p, i))];
          }
        storeRow(to, a_.element, b, t, values.data());
      }
  }
  void gather(Attention::Side side, std::vector<V>& result, const std::vector<V>& rows, const V* gradients,
              int64_t time) {
    const AttentionPlace place = attentionWeights(a_, side), bias = attentionBiases(a_, side);
    for (int64_t row = 0; row < batch_ * time && place.heads; ++row)
      for (int64_t h = 0; h < place.heads; ++h)
        for (int64_t p = 0; p < place.rows; ++p) {
          const V gradient = gradients[(row * place.heads + h) * place.rows + p];
          if (bias.heads) result[static_cast<size_t>(at(bias, h, p, 0))] += gradient;
          for (int64_t i = 0; i < place.columns; ++i)
            result[static_cast<size_t>(at(place, h, p, i))] +=
                gradient * rows[static_cast<size_t>(row * place.columns + i)];
        }
  }

  Attention a_;
  AttentionArrays x_;
  int64_t batch_, queries_, keys_;
  AttentionTape<V> tape_;
  std::vector<V> weights_;
};

}  // namespace

size_t attentionTapeSize(const Attention& a, int64_t timeQuery, int64_t timeKey, int64_t batch) {
  // Only sizes are asked of it: its memory is not touched.
  char nothing = 0;
  return a.element == Element::kDouble
             ? sizeof(double) *
                   static_cast<size_t>(AttentionTape<double>(a, timeQuery, timeKey, batch, &nothing).count)
             : sizeof(float) *
                   static_cast<size_t>(AttentionTape<float>(a, timeQuery, timeKey, batch, &nothing).count);
}
Work attentionForward(const Attention& attention, const AttentionArrays& arrays) {
  return [=] { inPrecisionOf(attention.element, [&]<class V>(V) { Run<V>(attention, arrays).forward(); }); };
}
Work attentionBackwardData(const Attention& attention, const AttentionArrays& arrays,
                           const std::array<AttentionData, 4>& gradients) {
  return [=] {
    inPrecisionOf(attention.element, [&]<class V>(V) { Run<V>(attention, arrays).backwardData(gradients); });
  };
}
Work attentionBackwardWeights(const Attention& attention, const AttentionArrays& arrays,
                              const AttentionData& ofOut, void* gradient, bool adds) {
  return [=] {
    inPrecisionOf(attention.element,
                  [&]<class V>(V) { Run<V>(attention, arrays).backwardWeights(ofOut, gradient, adds); });
  };
}

}  // namespace musashim::mudnn
