// Many threads that compute with muBLAS, muBLASLt and muSOLVER at once, each with a stream of its own: all
// results are whole numbers, so each is right exactly or wrong. The library below has buffers that calls
// share one after the other.
//
//   blas_threads [--products 1000000] [--threads 16] [--seed 1]
//
// Products of all four types and of orders from 8 to 200, one by one and in batches (whose parts run on
// further threads), and Cholesky factors. Nothing else may be written, by whichever library.
#include <muComplex.h>
#include <mublasLt.h>
#include <mublas.h>
#include <musa_runtime.h>
#include <musolverDn.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

constexpr int kLeast = 8, kMost = 200, kBatch = 6;
constexpr size_t kElements = size_t{kMost} * kMost;

#define MUST(call)                                      \
  do {                                                  \
    if (const int status_ = static_cast<int>(call)) {   \
      std::fprintf(stderr, "%s: %d\n", #call, status_); \
      std::exit(2);                                     \
    }                                                   \
  } while (0)

template <class Element>
struct Type;
#define TYPE(Element, letter, data, compute, makes)                         \
  template <>                                                               \
  struct Type<Element> {                                                    \
    static Element of(int real, int imaginary) { return makes; }            \
    static constexpr musaDataType kData = data;                             \
    static constexpr mublasComputeType_t kCompute = compute;                \
    static constexpr auto gemm = mublas##letter##gemm;                      \
    static constexpr auto gemmBatch = mublas##letter##gemmStridedBatched;   \
    static constexpr auto potrfSize = musolverDn##letter##potrf_bufferSize; \
    static constexpr auto potrf = musolverDn##letter##potrf;                \
  };
TYPE(float, S, MUSA_R_32F, MUBLAS_COMPUTE_32F, ((void)imaginary, static_cast<float>(real)))
TYPE(double, D, MUSA_R_64F, MUBLAS_COMPUTE_64F, ((void)imaginary, static_cast<double>(real)))
TYPE(muComplex, C, MUSA_C_32F, MUBLAS_COMPUTE_32F,
     make_muComplex(static_cast<float>(real), static_cast<float>(imaginary)))
TYPE(muDoubleComplex, Z, MUSA_C_64F, MUBLAS_COMPUTE_64F, make_muDoubleComplex(real, imaginary))

template <class T>
constexpr bool kIsComplex = !std::is_arithmetic_v<T>;

// A whole number of the Gaussian plane, computed with exactly.
struct Whole {
  int re = 0, im = 0;
  friend Whole operator*(Whole a, Whole b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
  friend Whole operator+(Whole a, Whole b) { return {a.re + b.re, a.im + b.im}; }
};
template <class T>
T numberOf(Whole value) {
  return Type<T>::of(value.re, value.im);
}
template <class T>
bool is(const T& got, Whole expected) {
  const T want = numberOf<T>(expected);
  if constexpr (kIsComplex<T>) {
    return got.x == want.x && got.y == want.y;
  } else {
    return got == want;
  }
}

// What a thread has.
class Worker {
 public:
  Worker(unsigned seed, std::atomic<long>& left, std::atomic<long>& wrong)
      : random_(seed), left_(left), wrong_(wrong) {}

  void run() {
    const size_t bytes = kBatch * kElements * sizeof(muDoubleComplex);
    MUST(musaStreamCreateWithFlags(&stream_, musaStreamNonBlocking));
    for (void** memory : {&a_, &b_, &c_, &work_}) MUST(musaMalloc(memory, bytes));
    MUST(musaMalloc(&info_, sizeof(int)));
    MUST(mublasCreate(&blas_));
    MUST(mublasSetStream(blas_, stream_));
    MUST(mublasLtCreate(&lt_));
    MUST(musolverDnCreate(&solver_));
    MUST(musolverDnSetStream(solver_, stream_));
    while (left_ > 0) {
      switch (below(4)) {
        case 0:
          one<float>();
          break;
        case 1:
          one<double>();
          break;
        case 2:
          one<muComplex>();
          break;
        default:
          one<muDoubleComplex>();
      }
    }
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  template <class T>
  void one() {
    const int n = kLeast + below(kMost - kLeast + 1);
    switch (below(8)) {
      case 0:
        factor<T>(n);
        break;
      case 1:
        multiply<T>(n, 1, Way::kLight);
        break;
      case 2:
      case 3:
        multiply<T>(n, kBatch, Way::kBatch);
        break;
      default:
        multiply<T>(n, 1, Way::kPlain);
    }
  }

  template <class T>
  Whole some(int limit) {
    return {below(2 * limit + 1) - limit, kIsComplex<T> ? below(2 * limit + 1) - limit : 0};
  }

  enum class Way { kPlain, kBatch, kLight };

  // Of an element of matrix k.
  static size_t place(int n, int k, int i, int j) {
    return (static_cast<size_t>(k) * static_cast<size_t>(n) + static_cast<size_t>(j)) *
               static_cast<size_t>(n) +
           static_cast<size_t>(i);
  }

  // A = x s^T and B = t y^T, so an element of the product is x_i y_j times the sum of all s_l t_l.
  template <class T>
  void multiply(int n, int count, Way way) {
    const size_t size = static_cast<size_t>(n) * static_cast<size_t>(n);
    std::vector<T> a(size * static_cast<size_t>(count)), b(a.size()), c(a.size());
    std::vector<std::vector<Whole>> x, y;
    std::vector<Whole> sums;
    for (int k = 0; k < count; ++k) {
      std::vector<Whole> s, t;
      x.emplace_back();
      y.emplace_back();
      sums.emplace_back();
      for (int i = 0; i < n; ++i) {
        x.back().push_back(some<T>(3));
        y.back().push_back(some<T>(3));
        s.push_back(some<T>(2));
        t.push_back(some<T>(2));
        sums.back() = sums.back() + s.back() * t.back();
      }
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          const size_t at = place(n, k, i, j);
          a[at] = numberOf<T>(x.back()[static_cast<size_t>(i)] * s[static_cast<size_t>(j)]);
          b[at] = numberOf<T>(t[static_cast<size_t>(i)] * y.back()[static_cast<size_t>(j)]);
        }
    }
    send(a_, a);
    send(b_, b);
    const T unit = Type<T>::of(1, 0), zero = Type<T>::of(0, 0);
    T *const A = static_cast<T*>(a_), *const B = static_cast<T*>(b_), *const C = static_cast<T*>(c_);
    const auto stride = static_cast<long long>(size);
    if (way == Way::kPlain) {
      MUST(Type<T>::gemm(blas_, MUBLAS_OP_N, MUBLAS_OP_N, n, n, n, &unit, A, n, B, n, &zero, C, n));
    } else if (way == Way::kBatch) {
      MUST(Type<T>::gemmBatch(blas_, MUBLAS_OP_N, MUBLAS_OP_N, n, n, n, &unit, A, n, stride, B, n, stride,
                              &zero, C, n, stride, count));
    } else {
      mublasLtMatmulDesc_t description = nullptr;
      mublasLtMatrixLayout_t layout = nullptr;
      const auto order = static_cast<uint64_t>(n);
      MUST(mublasLtMatmulDescCreate(&description, Type<T>::kCompute, Type<T>::kData));
      MUST(mublasLtMatrixLayoutCreate(&layout, Type<T>::kData, order, order, n));
      MUST(mublasLtMatmul(lt_, description, &unit, A, layout, B, layout, &zero, C, layout, C, layout, nullptr,
                          nullptr, 0, stream_));
      MUST(mublasLtMatrixLayoutDestroy(layout));
      MUST(mublasLtMatmulDescDestroy(description));
    }
    fetch(c, c_);
    for (int k = 0; k < count; ++k) {
      bool isWrong = false;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          const size_t at = place(n, k, i, j);
          const auto member = static_cast<size_t>(k);
          isWrong |= !is(
              c[at], x[member][static_cast<size_t>(i)] * y[member][static_cast<size_t>(j)] * sums[member]);
        }
      if (isWrong) ++wrong_;
    }
    left_ -= count;
  }

  // A = L L^H of a triangle of small whole numbers with 1 and 2 on its diagonal: it is found again exactly.
  template <class T>
  void factor(int n) {
    const auto order = static_cast<size_t>(n);
    constexpr size_t kBelow = 6;  // elements of a row left of its diagonal, so that sums stay small
    std::vector<Whole> l(order * order);
    for (size_t j = 0; j < order; ++j) {
      l[j * order + j] = {1 + below(2), 0};
      for (size_t i = j + 1; i < std::min(order, j + 1 + kBelow); ++i) l[j * order + i] = some<T>(1);
    }
    std::vector<T> a(order * order, numberOf<T>({}));
    for (size_t j = 0; j < order; ++j)
      for (size_t i = j; i < std::min(order, j + 1 + kBelow); ++i) {
        Whole sum;
        for (size_t k = i > kBelow ? i - kBelow : 0; k <= j; ++k)
          sum = sum + l[k * order + i] * Whole{l[k * order + j].re, -l[k * order + j].im};
        a[j * order + i] = numberOf<T>(sum);
      }
    send(a_, a);
    int size = 0, info = -1;
    T* const A = static_cast<T*>(a_);
    MUST(Type<T>::potrfSize(solver_, MUBLAS_FILL_MODE_LOWER, n, A, n, &size));
    MUST(Type<T>::potrf(solver_, MUBLAS_FILL_MODE_LOWER, n, A, n, static_cast<T*>(work_), size, info_));
    fetch(a, a_);
    MUST(musaMemcpyAsync(&info, info_, sizeof info, musaMemcpyDeviceToHost, stream_));
    MUST(musaStreamSynchronize(stream_));
    bool isWrong = info != 0;
    for (size_t j = 0; j < order; ++j)
      for (size_t i = j; i < order; ++i) isWrong |= !is(a[j * order + i], l[j * order + i]);
    if (isWrong) ++wrong_;
    --left_;
  }

  template <class T>
  void send(void* to, const std::vector<T>& from) {
    MUST(musaMemcpyAsync(to, from.data(), from.size() * sizeof(T), musaMemcpyHostToDevice, stream_));
  }
  template <class T>
  void fetch(std::vector<T>& to, const void* from) {
    MUST(musaMemcpyAsync(to.data(), from, to.size() * sizeof(T), musaMemcpyDeviceToHost, stream_));
    MUST(musaStreamSynchronize(stream_));
  }

  std::mt19937 random_;
  std::atomic<long>&left_, &wrong_;
  musaStream_t stream_ = nullptr;
  mublasHandle_t blas_ = nullptr;
  mublasLtHandle_t lt_ = nullptr;
  musolverDnHandle_t solver_ = nullptr;
  void *a_ = nullptr, *b_ = nullptr, *c_ = nullptr, *work_ = nullptr;
  int* info_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  long products = 4000, threadCount = 16, seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const long value = std::atol(argv[i + 1]);
    (std::strcmp(argv[i], "--products") == 0  ? products
     : std::strcmp(argv[i], "--threads") == 0 ? threadCount
                                              : seed) = value;
  }
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<long> left{products}, wrong{0};
  std::vector<std::thread> threads;
  for (long i = 0; i < threadCount; ++i)
    threads.emplace_back([&, i] { Worker(static_cast<unsigned>(seed * 1000 + i), left, wrong).run(); });
  for (std::thread& thread : threads) thread.join();
  std::printf("%ld results by %ld threads, %ld wrong, %.1f s\n", products - left, threadCount, wrong.load(),
              std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return wrong != 0;
}
