#include "linked_image.h"

#include <fmt/core.h>

#include <set>
#include <string>

#include "abi/offload_bundle.h"
#include "musa/module/module.h"

namespace musashim::musa {
namespace {

constexpr std::string_view kInput = "musa-linked-";

class LinkedImage : public backend::Image {
 public:
  Result add(std::unique_ptr<backend::Image> part) {
    for (const backend::Kernel& kernel : part->kernels()) {
      MUSA_REQUIRE(names_.insert(kernel.info->name).second, MUSA_ERROR_INVALID_IMAGE,
                   fmt::format("kernel {} is defined twice", kernel.info->name));
      kernels_.push_back(kernel);
    }
    for (const MusaVariableInfo& variable : part->variables()) {
      MUSA_REQUIRE(names_.insert(variable.name).second, MUSA_ERROR_INVALID_IMAGE,
                   fmt::format("variable {} is defined twice", variable.name));
      variables_.push_back(variable);
    }
    parts_.push_back(std::move(part));
    return {};
  }

  std::span<const backend::Kernel> kernels() const override { return kernels_; }
  std::span<const MusaVariableInfo> variables() const override { return variables_; }

  Status findKernel(std::string_view name, const backend::Kernel*& kernel) const override {
    return find([&](const backend::Image& part) { return part.findKernel(name, kernel); });
  }
  Status findVariable(std::string_view name, backend::Variable& variable) const override {
    return find([&](const backend::Image& part) { return part.findVariable(name, variable); });
  }

 private:
  template <class Look>
  Status find(Look look) const {
    Status status{StatusCode::kNotFound, "nothing was linked"};
    for (const auto& part : parts_) {
      status = look(*part);
      if (status.isOk()) break;
    }
    return status;
  }

  std::vector<std::unique_ptr<backend::Image>> parts_;
  std::vector<backend::Kernel> kernels_;
  std::vector<MusaVariableInfo> variables_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<std::byte> writeLinked(const std::vector<std::vector<std::byte>>& inputs) {
  std::vector<abi::BundleEntry> entries;
  for (const auto& input : inputs)
    entries.push_back({std::string(kInput) + std::to_string(entries.size()), input});
  return abi::writeBundle(entries);
}

bool isLinked(const void* data, size_t limit) {
  std::vector<abi::BundleEntry> entries;
  std::string error;
  return abi::isBundle(data) && abi::readBundle(data, limit, entries, error) && !entries.empty() &&
         entries.front().id.starts_with(kInput);
}

Result loadLinked(const void* data, size_t limit, backend::Device& device,
                  std::unique_ptr<backend::Image>& image) {
  std::vector<abi::BundleEntry> entries;
  std::string error;
  MUSA_REQUIRE(abi::readBundle(data, limit, entries, error), MUSA_ERROR_INVALID_IMAGE, error);
  auto linked = std::make_unique<LinkedImage>();
  for (const abi::BundleEntry& entry : entries) {
    std::span<const std::byte> bytes;
    std::unique_ptr<backend::Image> part;
    MUSA_TRY(selectImage(entry.image.data(), entry.image.size(), device, bytes));
    MUSA_TRY(device.loadImage(bytes, part));
    MUSA_TRY(linked->add(std::move(part)));
  }
  image = std::move(linked);
  return {};
}

}  // namespace musashim::musa
