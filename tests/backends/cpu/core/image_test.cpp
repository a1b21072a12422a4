// Loading of device images.
#include <dlfcn.h>
#include <gnu/libc-version.h>

#include "../../support.h"
#include "cpu/core/cpu_level.h"
#include "cpu/devrt/control.h"

namespace musashim::backend::test {
namespace {

TEST(Image, EveryDeviceHasItsOwnVariables) {
  Machine machine(testSettings(3));
  int64_t out = 0;
  for (size_t device = 0; device < 3; ++device) {
    for (size_t i = 0; i <= device; ++i) {
      machine.run("launches", OutParams{&out, 0}, {1, 1, 1}, {1, 1, 1}, 0, device);
      EXPECT_EQ(out, static_cast<int64_t>(i) + 2);
    }
    Variable variable;
    ASSERT_TRUE(machine.images[device]->findVariable("launches", variable).isOk());
    EXPECT_EQ(*static_cast<int*>(variable.address), static_cast<int>(device) + 1);
    EXPECT_EQ(variable.size, sizeof(int));
  }
}

TEST(Image, KernelsRunByTheBodyThatFitsTheProcessor) {
  Machine machine;
  const auto level = [&] {
    int64_t out = 0;
    machine.run("level", OutParams{&out, 0});
    return out;
  };
  EXPECT_EQ(level(), cpu::cpuLevel() >= 4 ? 4 : 3);
  for (const bool wide : {false, true}) {
    devrt::useWideKernels(wide);
    EXPECT_EQ(level(), wide ? 4 : 3);
  }
  devrt::useWideKernels(cpu::cpuLevel() >= 4);
}

TEST(Image, LoadedTwiceIsTwoCopies) {
  Machine machine;
  std::unique_ptr<Image> again;
  ASSERT_TRUE(machine.device().loadImage(imageBytes(310), again).isOk());
  Variable first, second;
  ASSERT_TRUE(machine.images[0]->findVariable("table", first).isOk());
  ASSERT_TRUE(again->findVariable("table", second).isOk());
  EXPECT_NE(first.address, second.address);
  EXPECT_EQ(second.flags, uint32_t{MUSA_VARIABLE_CONSTANT});
}

TEST(Image, CanBeUnloadedAndLoadedManyTimes) {
  Machine machine;
  for (int i = 0; i < 50; ++i) {
    std::unique_ptr<Image> image;
    ASSERT_TRUE(machine.device().loadImage(imageBytes(310), image).isOk());
    Variable variable;
    ASSERT_TRUE(image->findVariable("launches", variable).isOk());
    EXPECT_EQ(*static_cast<int*>(variable.address), 0);
    *static_cast<int*>(variable.address) = 1;
  }
}

TEST(Image, NamesAreFoundOrNot) {
  Machine machine;
  const Kernel* kernel = nullptr;
  EXPECT_TRUE(machine.images[0]->findKernel("empty", kernel).isOk());
  EXPECT_EQ(kernel->arch, 310u);
  EXPECT_STREQ(kernel->info->name, "empty");
  EXPECT_EQ(machine.images[0]->findKernel("nonesuch", kernel).code(), StatusCode::kNotFound);
  Variable variable;
  EXPECT_EQ(machine.images[0]->findVariable("empty", variable).code(), StatusCode::kNotFound);
  EXPECT_GT(machine.images[0]->kernels().size(), 10u);
  EXPECT_EQ(machine.images[0]->variables().size(), 2u);
}

TEST(Image, OfAnotherArchitectureIsRefused) {
  Machine machine;
  std::unique_ptr<Image> image;
  Status status = machine.device().loadImage(imageBytes(220), image);
  EXPECT_EQ(status.code(), StatusCode::kNoBinaryForArch);
  EXPECT_NE(status.message().find("mp_22"), std::string::npos);
  EXPECT_EQ(image, nullptr);
}

TEST(Image, DamagedOnesAreRefused) {
  Machine machine;
  std::unique_ptr<Image> image;
  EXPECT_EQ(machine.device().loadImage({}, image).code(), StatusCode::kInvalidImage);
  std::vector<std::byte> bytes(1000, std::byte{7});
  EXPECT_EQ(machine.device().loadImage(bytes, image).code(), StatusCode::kInvalidImage);
  bytes = imageBytes(310);
  bytes.resize(200);
  Status status = machine.device().loadImage(bytes, image);
  EXPECT_EQ(status.code(), StatusCode::kInvalidImage);
  EXPECT_GT(status.message().size(), 20u) << "the loader's reason";
  // An ELF file that is no image: the C library.
  Dl_info info{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&gnu_get_libc_version), &info), 0);
  EXPECT_EQ(machine.device().loadImage(readFile(info.dli_fname), image).code(), StatusCode::kInvalidImage);
}

}  // namespace
}  // namespace musashim::backend::test
