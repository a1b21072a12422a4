// libmudnn beside oneDNN called directly, on as many threads, in one run: the least of many times of either,
// taken in turn. Both have their tensors row by row (NCHW) or by channels (NHWC), in memory of the runtime;
// called directly, oneDNN has its primitives and memory made before, and takes the better of those layouts
// and its own with copies.
#include "bench/dnn.h"

#include <musa_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

extern "C" void omp_set_num_threads(int count);  // libgomp's, which oneDNN runs on

namespace musashim::bench {

void check(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}
void check(mudnnStatus_t status, const char* what) {
  if (status == MUDNN_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s: %s\n", what, mudnnGetErrorString(status));
  std::exit(1);
}

// One thread's work is the processor's time, which other programs do not change.
bool isAlone() {
  static const bool kAlone = [] {
    const char* const threads = std::getenv("MUSASHIM_THREADS");
    return threads && std::atoi(threads) == 1;
  }();
  return kAlone;
}

double now(bool ofProcessor) {
  timespec time{};
  clock_gettime(ofProcessor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double seconds(const std::function<void()>& work, bool ofProcessor) {
  const double begin = now(ofProcessor);
  work();
  return now(ofProcessor) - begin;
}

std::string only;  // what names are to hold

// The least times of all, in turn for kLong of ours or a hundred rounds.
void compare(const char* name, const std::function<void()>& ours,
             const std::vector<std::function<void()>>& direct, Worst& worst, int calls) {
  if (std::string(name).find(only) == std::string::npos) return;
  constexpr double kLong = 0.2;
  const bool ofProcessor = isAlone() && calls == 1;  // small calls wait for nothing but their queue
  ours();
  for (const auto& way : direct) way();
  double first = 1e9, second = 1e9, passed = 0;
  for (int i = 0; i < 100 && (i < 5 || passed < kLong); ++i) {
    const double mine = seconds(ours, ofProcessor);
    double others = 1e9;
    for (const auto& way : direct) others = std::min(others, seconds(way, ofProcessor));
    first = std::min(first, mine);
    second = std::min(second, others);
    passed += mine;
  }
  const double ratio = first / second, more = (first - second) / calls * 1e6;
  std::printf("%-44s %10.2f us, directly %10.2f us: %.2f times\n", name, first / calls * 1e6,
              second / calls * 1e6, ratio);
  std::fflush(stdout);
  worst.more = std::max(worst.more, more);
  if (ratio <= worst.ratio) return;
  worst.ratio = ratio;
  worst.name = name;
}

dnnl::engine& engine() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}
dnnl::stream& stream() {
  static dnnl::stream stream(engine());
  return stream;
}

size_t countOf(const Dims& sizes) {
  size_t count = 1;
  for (const auto size : sizes) count *= static_cast<size_t>(size);
  return count;
}

DeviceArray::DeviceArray(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * 7919 % 1000) / 500 - 1;
  check(musaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(float)) == musaSuccess, "musaMalloc");
  check(musaMemcpy(data_, values.data(), count * sizeof(float), musaMemcpyHostToDevice) == musaSuccess,
        "musaMemcpy");
}
DeviceArray::~DeviceArray() { (void)musaFree(data_); }

HostArray::HostArray(size_t count) {
  check(musaMallocHost(reinterpret_cast<void**>(&data_), count * sizeof(float)) == musaSuccess,
        "musaMallocHost");
  for (size_t i = 0; i < count; ++i) data_[i] = static_cast<float>(i * 7919 % 1000) / 500 - 1;
}
HostArray::~HostArray() { (void)musaFreeHost(data_); }

memory Direct::array(const memory::desc& layout) {
  arrays_.push_back(std::make_unique<HostArray>(layout.get_size() / sizeof(float)));
  return {layout, engine(), arrays_.back()->data()};
}

mudnnHandle_t handle() {
  static const mudnnHandle_t kHandle = [] {
    mudnnHandle_t made = nullptr;
    check(mudnnCreate(&made), "mudnnCreate");
    return made;
  }();
  return kHandle;
}

mudnnTensorDescriptor_t tensorOf(const Dims& sizes, bool byChannels) {
  mudnnTensorDescriptor_t made = nullptr;
  check(mudnnCreateTensorDescriptor(&made), "mudnnCreateTensorDescriptor");
  check(mudnnSetTensor4dDescriptor(made, byChannels ? MUDNN_TENSOR_NHWC : MUDNN_TENSOR_NCHW, MUDNN_DATA_FLOAT,
                                   static_cast<int>(sizes[0]), static_cast<int>(sizes[1]),
                                   static_cast<int>(sizes[2]), static_cast<int>(sizes[3])),
        "mudnnSetTensor4dDescriptor");
  return made;
}

mudnnPoolingDescriptor_t poolingOf(bool isMax) {
  mudnnPoolingDescriptor_t made = nullptr;
  check(mudnnCreatePoolingDescriptor(&made), "mudnnCreatePoolingDescriptor");
  check(mudnnSetPooling2dDescriptor(made,
                                    isMax ? MUDNN_POOLING_MAX : MUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING,
                                    MUDNN_NOT_PROPAGATE_NAN, 3, 3, 1, 1, 2, 2),
        "mudnnSetPooling2dDescriptor");
  return made;
}

void Direct::input(int argument, const memory::desc& own, const memory::desc& wanted) {
  const memory mine = array(own);
  if (own == wanted) return void(arguments_.emplace(argument, mine));
  const memory copy(wanted, engine());
  before_.push_back({dnnl::reorder(mine, copy), mine, copy});
  arguments_.emplace(argument, copy);
}

void Direct::output(int argument, const memory::desc& own, const memory::desc& wanted) {
  const memory mine = array(own);
  if (own == wanted) return void(arguments_.emplace(argument, mine));
  const memory copy(wanted, engine());
  after_.push_back({dnnl::reorder(copy, mine), copy, mine});
  arguments_.emplace(argument, copy);
}

void Direct::run() {
  for (Copy& copy : before_) copy.reorder.execute(stream(), copy.from, copy.to);
  primitive_.execute(stream(), arguments_);
  for (Copy& copy : after_) copy.reorder.execute(stream(), copy.from, copy.to);
}

memory::desc layoutOf(const Dims& sizes, bool byChannels) {
  return {sizes, memory::data_type::f32, byChannels ? memory::format_tag::nhwc : memory::format_tag::nchw};
}

namespace {

void tell(const char* what, const Worst& worst) {
  std::printf("%s: at most %.2f times (%s)\n", what, worst.ratio, worst.name.c_str());
}

void run(const std::string& part) {
  const bool all = part.empty();
  const auto bench = [&](const char* name, const char* what, void (*work)(Worst&)) {
    if (!all && part != name) return;
    Worst worst;
    work(worst);
    tell(what, worst);
  };
  bench("convolutions", "ResNet-50's convolutions, forward", benchConvolutions);
  bench("gradients", "ResNet-50's convolutions, gradients", benchGradients);
  bench("others", "the rest", benchOthers);
  bench("other-gradients", "the gradients of the rest", benchOtherGradients);
  if (!all && part != "calls") return;
  Worst calls;
  benchSmallConvolutions(calls);
  benchSmallOthers(calls);
  std::printf("small calls: at most %.2f us more than oneDNN's\n", calls.more);
}

}  // namespace
}  // namespace musashim::bench

int main(int count, char** arguments) {
  const char* const threads = std::getenv("MUSASHIM_THREADS");
  if (threads) omp_set_num_threads(std::atoi(threads));
  if (count > 2) musashim::bench::only = arguments[2];
  musashim::bench::run(count > 1 ? arguments[1] : "");
  return 0;
}
