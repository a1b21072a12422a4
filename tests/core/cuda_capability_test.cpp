#include "core/cuda_capability.h"

#include <gtest/gtest.h>

namespace musashim::core {
namespace {

TEST(CudaCapability, IsEightUnlessSet) {
  for (const char* text : {static_cast<const char*>(nullptr), ""}) {
    const CudaCapabilitySetting setting = readCudaCapability(text);
    EXPECT_EQ(setting.capability.number(), 80);
    EXPECT_EQ(setting.capability.macro(), 800);
    EXPECT_EQ(setting.error, "");
  }
}

TEST(CudaCapability, TakesEachThatNvidiasDevicesHave) {
  for (const int number : cudaCapabilities()) {
    const std::string text = std::to_string(number / 10) + '.' + std::to_string(number % 10);
    const CudaCapabilitySetting setting = readCudaCapability(text.c_str());
    EXPECT_EQ(setting.capability.number(), number) << text;
    EXPECT_EQ(setting.capability.major, number / 10);
    EXPECT_EQ(setting.error, "");
  }
}

TEST(CudaCapability, RefusesOthersWithWhatIsAccepted) {
  for (const char* text : {"8", "80", "8.5", "8.", ".8", "8.0a", " 8.0", "sm_80", "3.1", "9.0", "10.0"}) {
    const CudaCapabilitySetting setting = readCudaCapability(text);
    EXPECT_EQ(setting.capability.number(), 80) << text;
    EXPECT_NE(
        setting.error.find("MUSASHIM_CUDA_CAPABILITY=" + std::string(text) +
                           " is not usable: accepted are 5.0, 5.2, 5.3, 6.0, 6.1, 6.2, 7.0, 7.2, 7.5, 8.0, "
                           "8.6, 8.7, 8.9"),
        std::string::npos)
        << setting.error;
  }
  EXPECT_NE(readCudaCapability("9.0").error.find("lack the instructions of 9.0"), std::string::npos);
  EXPECT_EQ(readCudaCapability("8.5").error.find("lack the instructions"), std::string::npos);
}

}  // namespace
}  // namespace musashim::core
