#include "libs/mudnn/operations/product.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "libs/mudnn/core/values.h"
#include "libs/mudnn/onednn/engine.h"
#include "libs/mudnn/operations/elementwise/elementwise.h"

namespace musashim::mudnn {
namespace {

// Sums of products of 8-bit integers are exact in floats up to here.
constexpr int64_t kExactInFloat = (int64_t{1} << 24) / (128 * 128);

void turn(Array& matrix) {
  const auto last = static_cast<size_t>(matrix.rank - 1);
  std::swap(matrix.sizes[last], matrix.sizes[last - 1]);
  std::swap(matrix.strides[last], matrix.strides[last - 1]);
}

// A vector as a matrix of one column, or of one row.
void addDimension(Array& array, bool inFront) {
  require(array.rank == 1, "a product is of matrices or vectors");
  array.rank = 2;
  const size_t one = inFront ? 0 : 1;
  if (inFront) {
    array.sizes[1] = array.sizes[0];
    array.strides[1] = array.strides[0];
  }
  array.sizes[one] = 1;
  array.strides[one] = inFront ? array.sizes[1] * array.strides[1] : 1;
}

// The array with as many dimensions as `rank`, new ones in front.
Array lifted(const Array& array, int rank) {
  Array result = array;
  const int more = rank - array.rank;
  require(more >= 0, "an input has more batches than the output");
  for (int i = rank; i-- > 0;) {
    const auto d = static_cast<size_t>(i);
    result.sizes[d] = i < more ? 1 : array.sizes[static_cast<size_t>(i - more)];
    result.strides[d] = i < more ? 0 : array.strides[static_cast<size_t>(i - more)];
  }
  result.rank = rank;
  return result;
}

struct Shapes {
  int64_t rows, terms, columns;
};

Shapes prepare(Product& p) {
  if (p.b.rank == 1) addDimension(p.b, false);
  if (p.a.rank == 1) addDimension(p.a, true);
  if (p.turnsA) turn(p.a);
  if (p.turnsB) turn(p.b);
  const auto last = [](const Array& array, int back) {
    return array.sizes[static_cast<size_t>(array.rank - back)];
  };
  const bool outIsColumn = last(p.b, 1) == 1;
  if (p.out.rank == 1) addDimension(p.out, !outIsColumn);
  if (p.c.data && p.c.rank == 1 && p.out.rank == 2) addDimension(p.c, !outIsColumn);
  require(p.out.rank >= 2, "a product is of matrices or vectors");
  p.a = lifted(p.a, p.out.rank);
  p.b = lifted(p.b, p.out.rank);
  const Shapes shapes{last(p.out, 2), last(p.a, 1), last(p.out, 1)};
  require(last(p.a, 2) == shapes.rows && last(p.b, 2) == shapes.terms && last(p.b, 1) == shapes.columns,
          "the matrices' sizes do not go together");
  for (int i = 0; i + 2 < p.out.rank; ++i) {
    const auto d = static_cast<size_t>(i);
    for (const Array* array : {&p.a, &p.b})
      require(array->sizes[d] == p.out.sizes[d] || array->sizes[d] == 1, "the batches do not go together");
  }
  if (p.c.data) (void)broadcast(p.c, p.out);
  if (p.bias.data) (void)broadcast(p.bias, p.out);
  for (const Array* scale : {&p.scaleA, &p.scaleOut})
    require(!scale->data || scale->count() == 1 || scale->count() == shapes.rows,
            "there is one scale, or one a row");
  require(!p.scaleB.data || p.scaleB.count() == 1 || p.scaleB.count() == shapes.columns,
          "there is one scale, or one a column");
  return shapes;
}

// As oneDNN takes it: its own memory, or a copy.
struct Floats {
  explicit Floats(const Array& array) : view(array) {
    const auto row = static_cast<size_t>(array.rank - 2), column = row + 1;
    const auto fits = [&](size_t outer, size_t inner) {
      return array.strides[inner] == 1 && array.strides[outer] >= array.sizes[inner];
    };
    bool isPlain = array.element == Element::kFloat && (fits(row, column) || fits(column, row));
    for (size_t i = 0; i < row; ++i)
      isPlain =
          isPlain && (array.sizes[i] == 1 || array.strides[i] >= array.sizes[row] * array.sizes[column]);
    if (isPlain) {
      // A batch of one has any stride.
      for (size_t i = row; i-- > 0;)
        if (array.sizes[i] == 1)
          view.strides[i] =
              std::max(view.strides[i + 1] * view.sizes[i + 1], view.strides[row] * view.sizes[row]);
      return;
    }
    copy = std::make_unique<Input<float>>(array);
    view = contiguousArray(Element::kFloat, const_cast<float*>(copy->data()), array.rank, array.sizes.data());
  }
  Array view;
  std::unique_ptr<Input<float>> copy;
};

double scaleOf(const Array& array) { return array.element == Element::kQint8 ? array.scale : 1; }

template <class V>
class Factors {
 public:
  explicit Factors(const Array& array) {
    if (!array.data) return;
    values_.emplace(array);
    isOne_ = array.count() == 1;
  }
  V operator[](int64_t index) const { return values_ ? (*values_)[isOne_ ? 0 : index] : V(1); }

 private:
  std::optional<Input<V>> values_;
  bool isOne_ = true;
};

template <class V>
void finish(const Product& p, const Shapes& shapes, const V* sums) {
  const Factors<V> scaleA(p.scaleA), scaleB(p.scaleB), scaleC(p.scaleC), scaleOut(p.scaleOut);
  const bool hasC = p.c.data && p.beta != 0, hasBias = p.bias.data && p.gamma != 0;
  const Array c = hasC ? broadcast(p.c, p.out) : Array(), bias = hasBias ? broadcast(p.bias, p.out) : Array();
  const V alpha = static_cast<V>(p.alpha * scaleOf(p.a) * scaleOf(p.b)),
          beta = static_cast<V>(hasC ? p.beta * scaleOf(p.c) : 0) * scaleC[0],
          gamma = static_cast<V>(hasBias ? p.gamma * scaleOf(p.bias) : 0),
          out = static_cast<V>(1 / scaleOf(p.out));
  const int64_t rows = p.out.count() / std::max<int64_t>(shapes.columns, 1);
  std::vector<V> largest(static_cast<size_t>(p.amax.data ? rows : 0));
  shareRange(rows, shapes.columns * 2, [&](int64_t begin, int64_t end) {
    std::vector<V> values(static_cast<size_t>(shapes.columns)), others(values.size());
    for (int64_t row = begin; row < end; ++row) {
      const int64_t at = row * shapes.columns;
      const V rowFactor = alpha * scaleA[row % shapes.rows];
      for (int64_t i = 0; i < shapes.columns; ++i)
        values[static_cast<size_t>(i)] = rowFactor * scaleB[i] * sums[at + i];
      const auto add = [&](const Array& array, V factor) {
        readPart(array, at, shapes.columns, others.data());
        for (size_t i = 0; i < values.size(); ++i) values[i] += factor * others[i];
      };
      if (hasC) add(c, beta);
      if (hasBias) add(bias, gamma);
      activate(p.activation, 0, values.data(), shapes.columns);
      if (p.amax.data)
        for (const V value : values)
          largest[static_cast<size_t>(row)] = std::max(largest[static_cast<size_t>(row)], std::abs(value));
      const V factor = out * scaleOut[row % shapes.rows];
      if (factor != 1)
        for (V& value : values) value *= factor;
      writePart(p.out, at, shapes.columns, values.data());
    }
  });
  if (!p.amax.data) return;
  const V most = largest.empty() ? V(0) : *std::max_element(largest.begin(), largest.end());
  writePart(p.amax, 0, 1, &most);
}

bool isPlain(const Product& p) {
  return p.alpha == 1 && !(p.c.data && p.beta != 0) && !(p.bias.data && p.gamma != 0) && !p.amax.data &&
         p.activation == Activation::kIdentity && !p.scaleA.data && !p.scaleB.data && !p.scaleOut.data &&
         p.out.element == Element::kFloat && p.out.isContiguous() && scaleOf(p.a) * scaleOf(p.b) == 1;
}

void inDouble(const Product& p, const Shapes& shapes) {
  std::vector<double> sums(static_cast<size_t>(p.out.count()));
  const int64_t size = shapes.rows * shapes.columns, batches = size ? p.out.count() / size : 0;
  Array left = p.out, right = p.out;  // with the batches of the output
  for (const auto& [to, from] : {std::pair{&left, &p.a}, std::pair{&right, &p.b}}) {
    *to = *from;
    for (int i = 0; i + 2 < from->rank; ++i) {
      const auto d = static_cast<size_t>(i);
      if (from->sizes[d] != p.out.sizes[d]) to->strides[d] = 0;
      to->sizes[d] = p.out.sizes[d];
    }
  }
  const Input<double> a(left), b(right);
  for (int64_t batch = 0; batch < batches; ++batch)
    productInDouble(sums.data() + batch * size, a.data() + batch * shapes.rows * shapes.terms,
                    b.data() + batch * shapes.terms * shapes.columns, shapes.rows, shapes.terms,
                    shapes.columns);
  finish(p, shapes, sums.data());
}

}  // namespace

void productInDouble(double* out, const double* a, const double* b, int64_t rows, int64_t terms,
                     int64_t columns) {
  constexpr int64_t kBlock = 64;  // terms at once, whose rows of b stay in the processor's cache
  shareRange(rows, terms * columns, [&](int64_t begin, int64_t end) {
    std::fill(out + begin * columns, out + end * columns, 0.0);
    for (int64_t first = 0; first < terms; first += kBlock)
      for (int64_t row = begin; row < end; ++row)
        for (int64_t k = first; k < std::min(terms, first + kBlock); ++k) {
          const double factor = a[row * terms + k];
          for (int64_t i = 0; i < columns; ++i) out[row * columns + i] += factor * b[k * columns + i];
        }
  });
}

Work product(const Product& wanted) {
  Product p = wanted;
  const Shapes shapes = prepare(p);
  bool isDouble = commonKind({p.a, p.b, p.out}) == Kind::kDouble;
  const bool integers = !isFloating(p.a.element) && !isFloating(p.b.element);
  if (integers)
    isDouble = isDouble || sizeOf(p.a.element) > 1 || sizeOf(p.b.element) > 1 || shapes.terms > kExactInFloat;
  return [=] {
    if (p.out.count() == 0) return;
    if (isDouble || shapes.terms == 0) return inDouble(p, shapes);
    const Floats a(p.a), b(p.b);
    if (isPlain(p)) return onednn::product(p.out, a.view, b.view);
    std::unique_ptr<float[]> sums(new float[static_cast<size_t>(p.out.count())]);
    onednn::product(contiguousArray(Element::kFloat, sums.get(), p.out.rank, p.out.sizes.data()), a.view,
                    b.view);
    finish(p, shapes, sums.get());
  };
}

}  // namespace musashim::mudnn
