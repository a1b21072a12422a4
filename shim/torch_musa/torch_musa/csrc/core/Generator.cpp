#include "torch_musa/csrc/core/Generator.h"

#include <ATen/CPUGeneratorImpl.h>

#include <deque>
#include <mutex>
#include <optional>

#include "torch_musa/csrc/core/Device.h"

namespace at::musa {
namespace {

class GeneratorImpl final : public c10::GeneratorImpl {
 public:
  explicit GeneratorImpl(c10::DeviceIndex device, Generator inside = detail::createCPUGenerator())
      : c10::GeneratorImpl({c10::musa::kDevice, device}, c10::DispatchKeySet(c10::DispatchKey::PrivateUse1)),
        inside_(std::move(inside)) {}

  void set_current_seed(uint64_t seed) override { inside_.set_current_seed(seed); }
  void set_offset(uint64_t offset) override { inside_.set_offset(offset); }
  uint64_t get_offset() const override { return inside_.get_offset(); }
  uint64_t current_seed() const override { return inside_.current_seed(); }
  uint64_t seed() override { return const_cast<Generator&>(inside_).seed(); }
  void set_state(const c10::TensorImpl& state) override {
    inside_.unsafeGetGeneratorImpl()->set_state(state);
  }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    return inside_.unsafeGetGeneratorImpl()->get_state();
  }
  static c10::DeviceType device_type() { return c10::musa::kDevice; }
  const Generator& inside() const { return inside_; }

 private:
  GeneratorImpl* clone_impl() const override { return new GeneratorImpl(device().index(), inside_.clone()); }
  Generator inside_;
};

struct Defaults {
  std::mutex mutex;
  std::deque<Generator> generators;
  std::optional<uint64_t> seed;  // of all that are still to come
};

Defaults& defaults() {
  static Defaults all;
  return all;
}

}  // namespace

Generator newGenerator(c10::DeviceIndex device) { return make_generator<GeneratorImpl>(device); }

const Generator& defaultGenerator(c10::DeviceIndex device) {
  if (device < 0) device = c10::musa::current_device();
  Defaults& all = defaults();
  const std::lock_guard lock(all.mutex);
  while (all.generators.size() <= static_cast<std::size_t>(device)) {
    all.generators.push_back(newGenerator(static_cast<c10::DeviceIndex>(all.generators.size())));
    if (all.seed.has_value()) {
      all.generators.back().set_current_seed(*all.seed);
    } else {
      all.generators.back().seed();
    }
  }
  return all.generators[static_cast<std::size_t>(device)];
}

void seedAll(uint64_t seed) {
  Defaults& all = defaults();
  const std::lock_guard lock(all.mutex);
  all.seed = seed;
  for (Generator& generator : all.generators) generator.set_current_seed(seed);
}

Generator insideOf(const Generator& generator) {
  return static_cast<const GeneratorImpl*>(generator.unsafeGetGeneratorImpl())->inside();
}

}  // namespace at::musa
