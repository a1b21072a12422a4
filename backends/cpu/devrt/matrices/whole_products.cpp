// Products of whole matrices, as MUSA's own matrix instructions have them. How its hardware rounds is not
// published: products are exact, and added one after the other along k by fused multiply-add.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <new>
#include <type_traits>

#include "cpu/devrt/matrices/number_format.h"
#include "cpu/devrt/matrices/products.h"
#include "cpu/devrt/services/fault.h"

namespace musashim::devrt::matrices {

namespace {

constexpr uint32_t kMostRows = 128, kMostColumns = 128, kMostAlong = ProductScratch::kMostAlong;
constexpr int64_t kLeastSum = INT32_MIN, kGreatestSum = INT32_MAX;

bool isInteger(uint32_t format) { return format == MUSA_MATRIX_S8 || format == MUSA_MATRIX_U8; }

// Rows are multiplied sixteen at a time.
constexpr uint32_t kRows = 16;

// Elements of both factors, one after the other along the sums' columns (a, up to a multiple of sixteen) and
// rows (b), for each k.
template <typename T>
struct Numbers {
  std::array<T, kMostRows * kMostAlong> a;
  std::array<T, kMostColumns * kMostAlong> b;
};
static_assert(sizeof(Numbers<float>) == sizeof(ProductScratch));

// --- Elements => numbers ----------------------------------------------------------------

// What the bits of formats of 8 bits mean.
template <NumberFormat kFormat>
constexpr std::array<float, 256> tableOf() {
  std::array<float, 256> table{};
  for (uint32_t bits = 0; bits < 256; ++bits) {
    const bool nan = kFormat.isSpecial(bits) && (!kFormat.hasInfinity || kFormat.fractionOf(bits) != 0);
    float value = static_cast<float>(kFormat.significand(bits));
    for (int power = kFormat.power(bits) - kFormat.fractionBits; power != 0; power += power < 0 ? 1 : -1)
      value = power < 0 ? value / 2 : value * 2;
    if (kFormat.isSpecial(bits)) value = kFormat.isNegative(bits) ? -__builtin_inff() : __builtin_inff();
    table[bits] = nan ? __builtin_nanf("") : value;
  }
  return table;
}

template <uint32_t kFormat>
float floatOf(const char* from) {
  static constexpr std::array<float, 256> kOfE4m3 = tableOf<kE4m3>(), kOfE5m2 = tableOf<kE5m2>();
  if constexpr (kFormat == MUSA_MATRIX_F16 || kFormat == MUSA_MATRIX_BF16) {
    uint16_t half = 0;
    std::memcpy(&half, from, sizeof half);
    return kFormat == MUSA_MATRIX_F16 ? static_cast<float>(std::bit_cast<_Float16>(half))
                                      : std::bit_cast<float>(uint32_t{half} << 16);
  } else if constexpr (kFormat == MUSA_MATRIX_TF32) {
    uint32_t word = 0;
    std::memcpy(&word, from, sizeof word);
    return std::bit_cast<float>(word & ~0x1fffu);
  } else if constexpr (kFormat == MUSA_MATRIX_E4M3 || kFormat == MUSA_MATRIX_E5M2) {
    return (kFormat == MUSA_MATRIX_E4M3 ? kOfE4m3 : kOfE5m2)[static_cast<uint8_t>(*from)];
  } else {
    return kFormat == MUSA_MATRIX_U8 ? static_cast<float>(static_cast<uint8_t>(*from))
                                     : static_cast<float>(static_cast<int8_t>(*from));
  }
}
template <typename T, uint32_t kFormat>
T numberOf(const char* from) {
  if constexpr (std::is_same_v<T, float>) {
    return floatOf<kFormat>(from);
  } else {
    return kFormat == MUSA_MATRIX_U8 ? static_cast<T>(static_cast<uint8_t>(*from))
                                     : static_cast<T>(static_cast<int8_t>(*from));
  }
}

// A factor whose elements follow each other as the numbers do.
struct Gapless {
  const char* from;
  uint32_t bytes;  // of an element

  const char* element(uint32_t place, uint32_t k, uint32_t across) const {
    return from + size_t{k * across + place} * bytes;
  }
};

// One in shared memory. Its lines, of 256 bytes, begin where addresses are multiples of that.
class Shared {
 public:
  Shared(const SharedFactor& factor, bool alongIsInner, uint32_t bytes, std::span<const char> shared)
      : factor_(factor), alongIsInner_(alongIsInner), bytes_(bytes), shared_(shared) {}

  void requireWithin(uint32_t across, uint32_t along) const {
    const uint32_t rows = alongIsInner_ ? across : along, columns = alongIsInner_ ? along : across;
    uint64_t end = factor_.address + uint64_t{rows - 1} * factor_.stride + uint64_t{columns} * bytes_;
    if (factor_.granule != 0) end = (end + kLine - 1) / kLine * kLine;
    if (end <= shared_.size()) return;
    raiseFault(
        StatusCode::kIllegalAddress,
        fmt::format("a factor of a matrix instruction reaches up to byte {} of shared memory, which has {}",
                    end, shared_.size()));
  }
  const char* element(uint32_t place, uint32_t k, uint32_t /*across*/) const {
    const uint32_t row = alongIsInner_ ? place : k, column = alongIsInner_ ? k : place;
    uint32_t address = factor_.address + row * factor_.stride + column * bytes_;
    if (factor_.granule != 0) {
      const uint32_t shift = 3 + factor_.granule;  // granules of 16, 32, 64 bytes
      address ^= (address / kLine % (kLine >> shift)) << shift;
    }
    return shared_.data() + address;
  }

 private:
  static constexpr uint32_t kLine = 256;

  SharedFactor factor_;
  bool alongIsInner_;  // neighbours in memory are neighbours along k
  uint32_t bytes_;
  std::span<const char> shared_;
};

template <typename T, uint32_t kFormat, typename Factor>
void readAs(T* to, uint32_t pitch, const Factor& factor, uint32_t across, uint32_t along, bool negates) {
  for (uint32_t k = 0; k < along; ++k) {
    for (uint32_t i = 0; i < across; ++i) {
      const T number = numberOf<T, kFormat>(factor.element(i, k, across));
      to[k * pitch + i] = negates ? static_cast<T>(-number) : number;
    }
    for (uint32_t i = across; i < pitch; ++i) to[k * pitch + i] = T{0};
  }
}
template <typename T, typename Factor>
void readFactor(T* to, uint32_t pitch, const Factor& factor, uint32_t format, uint32_t across, uint32_t along,
                bool negates) {
  const auto read = [&]<uint32_t kFormat>() {
    readAs<T, kFormat>(to, pitch, factor, across, along, negates);
  };
  switch (format) {
    case MUSA_MATRIX_F16:
      return read.template operator()<MUSA_MATRIX_F16>();
    case MUSA_MATRIX_BF16:
      return read.template operator()<MUSA_MATRIX_BF16>();
    case MUSA_MATRIX_TF32:
      return read.template operator()<MUSA_MATRIX_TF32>();
    case MUSA_MATRIX_E4M3:
      return read.template operator()<MUSA_MATRIX_E4M3>();
    case MUSA_MATRIX_E5M2:
      return read.template operator()<MUSA_MATRIX_E5M2>();
    case MUSA_MATRIX_U8:
      return read.template operator()<MUSA_MATRIX_U8>();
    default:
      return read.template operator()<MUSA_MATRIX_S8>();
  }
}

// --- Sums -------------------------------------------------------------------------------

template <typename T>
using Rows = T __attribute__((ext_vector_type(kRows)));
template <typename T>
using LooseRows = T __attribute__((ext_vector_type(kRows), aligned(4), may_alias));

uint32_t pitchOf(uint32_t rows) { return (rows + kRows - 1) / kRows * kRows; }

// `kColumns` columns of the sums at a time, which stay in registers.
template <typename T, uint32_t kColumns>
[[gnu::always_inline]] inline void addColumns(const Product& product, const T* a, const T* b, T* sums,
                                              bool fromZero) {
  const uint32_t pitch = pitchOf(product.m);
  for (uint32_t row = 0; row < product.m; row += kRows) {
    Rows<T> columns[kColumns];
    for (uint32_t i = 0; i < kColumns; ++i)
      columns[i] =
          fromZero ? Rows<T>(T{0}) : *reinterpret_cast<LooseRows<T>*>(sums + i * MUSA_SQUAD_PITCH + row);
    for (uint32_t k = 0; k < product.k; ++k) {
      const Rows<T> left = *reinterpret_cast<const LooseRows<T>*>(a + k * pitch + row);
      for (uint32_t i = 0; i < kColumns; ++i) {
        const Rows<T> right = b[k * product.n + i];
        if constexpr (std::is_same_v<T, float>) {
          columns[i] = __builtin_elementwise_fma(left, right, columns[i]);
        } else {
          columns[i] = left * right + columns[i];
        }
      }
    }
    for (uint32_t i = 0; i < kColumns; ++i)
      *reinterpret_cast<LooseRows<T>*>(sums + i * MUSA_SQUAD_PITCH + row) = columns[i];
  }
}

template <typename T>
[[gnu::always_inline]] inline void addAll(const Product& product, const Numbers<T>& numbers, T* sums) {
  const bool fromZero = (product.flags & MUSA_MATRIX_BEGINS_WITH_ZERO) != 0;
  constexpr uint32_t kColumns = 8;
  for (uint32_t column = 0; column < product.n; column += kColumns)
    addColumns<T, kColumns>(product, numbers.a.data(), &numbers.b[column], sums + column * MUSA_SQUAD_PITCH,
                            fromZero);
}

// By what processors have.
template <typename T>
void addPlain(const Product& product, const Numbers<T>& numbers, T* sums) {
  addAll(product, numbers, sums);
}
template <typename T>
[[gnu::target("arch=x86-64-v3")]] void addV3(const Product& product, const Numbers<T>& numbers, T* sums) {
  addAll(product, numbers, sums);
}
template <typename T>
[[gnu::target("arch=x86-64-v4")]] void addV4(const Product& product, const Numbers<T>& numbers, T* sums) {
  addAll(product, numbers, sums);
}
template <typename T>
void add(const Product& product, const Numbers<T>& numbers, T* sums) {
  static const auto chosen = __builtin_cpu_supports("x86-64-v4")   ? &addV4<T>
                             : __builtin_cpu_supports("x86-64-v3") ? &addV3<T>
                                                                   : &addPlain<T>;
  chosen(product, numbers, sums);
}

// Sums of 64 bits, for those that saturate.
void addSaturated(const Product& product, const Numbers<uint32_t>& numbers, uint32_t* sums) {
  const bool fromZero = (product.flags & MUSA_MATRIX_BEGINS_WITH_ZERO) != 0;
  const uint32_t pitch = pitchOf(product.m);
  for (uint32_t column = 0; column < product.n; ++column) {
    for (uint32_t row = 0; row < product.m; ++row) {
      uint32_t& place = sums[column * MUSA_SQUAD_PITCH + row];
      int64_t sum = fromZero ? 0 : static_cast<int32_t>(place);
      for (uint32_t k = 0; k < product.k; ++k)
        sum += int64_t{static_cast<int32_t>(numbers.a[k * pitch + row])} *
               static_cast<int32_t>(numbers.b[k * product.n + column]);
      place = static_cast<uint32_t>(sum < kLeastSum ? kLeastSum : sum > kGreatestSum ? kGreatestSum : sum);
    }
  }
}

template <typename T, typename Factor>
void multiply(const Product& product, const Factor& a, const Factor& b, T* sums, ProductScratch& scratch) {
  auto& numbers = *new (&scratch) Numbers<T>;
  readFactor(numbers.a.data(), pitchOf(product.m), a, product.a, product.m, product.k,
             (product.flags & MUSA_MATRIX_NEGATES_A) != 0);
  readFactor(numbers.b.data(), product.n, b, product.b, product.n, product.k,
             (product.flags & MUSA_MATRIX_NEGATES_B) != 0);
  if constexpr (std::is_same_v<T, uint32_t>) {
    if ((product.flags & MUSA_MATRIX_SATURATES) != 0) return addSaturated(product, numbers, sums);
  }
  add(product, numbers, sums);
}

template <typename Factor>
void multiplyFactors(const Product& product, const Factor& a, const Factor& b, void* sums,
                     ProductScratch& scratch) {
  if (isInteger(product.a) && isInteger(product.b)) {
    multiply(product, a, b, static_cast<uint32_t*>(sums), scratch);
  } else {
    multiply(product, a, b, static_cast<float*>(sums), scratch);
  }
}

}  // namespace

void multiplyWhole(const Product& product, const void* a, const void* b, void* sums,
                   ProductScratch& scratch) {
  const Gapless left{static_cast<const char*>(a), widthOf(product.a) / 8},
      right{static_cast<const char*>(b), widthOf(product.b) / 8};
  multiplyFactors(product, left, right, sums, scratch);
}

void multiplyShared(const Product& product, const SharedFactor& a, const SharedFactor& b,
                    std::span<const char> shared, void* sums, ProductScratch& scratch) {
  // Rows of a, and columns of b, run along k.
  const Shared left(a, !a.columns, widthOf(product.a) / 8, shared),
      right(b, b.columns, widthOf(product.b) / 8, shared);
  left.requireWithin(product.m, product.k);
  right.requireWithin(product.n, product.k);
  multiplyFactors(product, left, right, sums, scratch);
}

}  // namespace musashim::devrt::matrices
