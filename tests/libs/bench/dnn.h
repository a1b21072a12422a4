// What the benchmarks of libmudnn share: times, and oneDNN called directly.
#pragma once

#include <mudnn.h>

#include <functional>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace musashim::bench {

using dnnl::memory;
using Dims = memory::dims;

void check(bool ok, const char* what);
void check(mudnnStatus_t status, const char* what);

struct Worst {
  std::string name;
  double ratio = 0, more = 0;  // more: in us, of a call
};

// Prints the least times of both, of `calls` calls, taken in turn, and their ratio.
void compare(const char* name, const std::function<void()>& ours,
             const std::vector<std::function<void()>>& direct, Worst& worst, int calls = 1);

dnnl::engine& engine();
dnnl::stream& stream();
size_t countOf(const Dims& sizes);

class DeviceArray {
 public:
  explicit DeviceArray(size_t count);
  ~DeviceArray();
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  float* data() const { return data_; }

 private:
  float* data_ = nullptr;
};

// Memory as devices', which the program reads.
class HostArray {
 public:
  explicit HostArray(size_t count);
  ~HostArray();
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;
  float* data() const { return data_; }

 private:
  float* data_ = nullptr;
};

mudnnHandle_t handle();
mudnnTensorDescriptor_t tensorOf(const Dims& sizes, bool byChannels);
// Windows of 3x3, two apart: maxima, or averages of what lies inside.
mudnnPoolingDescriptor_t poolingOf(bool isMax);

// A primitive with its arguments in the caller's layouts, and the copies that it needs.
class Direct {
 public:
  void input(int argument, const memory::desc& own, const memory::desc& wanted);
  void output(int argument, const memory::desc& own, const memory::desc& wanted);
  void own(int argument, const memory& made) { arguments_.emplace(argument, made); }
  memory array(const memory::desc& layout);  // which lives as long
  void set(const dnnl::primitive& primitive) { primitive_ = primitive; }
  void run();

 private:
  struct Copy {
    dnnl::reorder reorder;
    memory from, to;
  };
  dnnl::primitive primitive_;
  std::unordered_map<int, memory> arguments_;
  std::vector<Copy> before_, after_;
  std::vector<std::unique_ptr<HostArray>> arrays_;
};

memory::desc layoutOf(const Dims& sizes, bool byChannels);

void benchConvolutions(Worst& worst);
void benchGradients(Worst& worst);
void benchSmallConvolutions(Worst& worst);
void benchOthers(Worst& worst);
void benchOtherGradients(Worst& worst);
void benchSmallOthers(Worst& worst);

}  // namespace musashim::bench
