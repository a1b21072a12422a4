// Generators of a device: numbers are work on the generator's stream.
#include <gtest/gtest.h>
#include <murand.h>
#include <musa_runtime_api.h>

#include <vector>

namespace {

class RandStreams : public ::testing::Test {
 protected:
  static constexpr size_t kCount = 1 << 20;

  void SetUp() override {
    ASSERT_EQ(musaStreamCreate(&stream_), musaSuccess);
    ASSERT_EQ(musaMalloc(reinterpret_cast<void**>(&out_), kCount * sizeof(float)), musaSuccess);
    ASSERT_EQ(murandCreateGenerator(&generator_, MURAND_RNG_PSEUDO_PHILOX4_32_10), MURAND_STATUS_SUCCESS);
    ASSERT_EQ(murandCreateGeneratorHost(&host_, MURAND_RNG_PSEUDO_PHILOX4_32_10), MURAND_STATUS_SUCCESS);
    ASSERT_EQ(murandSetStream(generator_, stream_), MURAND_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(murandDestroyGenerator(host_), MURAND_STATUS_SUCCESS);
    EXPECT_EQ(murandDestroyGenerator(generator_), MURAND_STATUS_SUCCESS);
    EXPECT_EQ(musaFree(out_), musaSuccess);
    EXPECT_EQ(musaStreamDestroy(stream_), musaSuccess);
  }
  std::vector<float> fetched() {
    std::vector<float> values(kCount);
    EXPECT_EQ(musaMemcpyAsync(values.data(), out_, kCount * sizeof(float), musaMemcpyDeviceToHost, stream_),
              musaSuccess);
    EXPECT_EQ(musaStreamSynchronize(stream_), musaSuccess);
    return values;
  }
  std::vector<float> hosts() {
    std::vector<float> values(kCount);
    EXPECT_EQ(murandGenerateUniform(host_, values.data(), kCount), MURAND_STATUS_SUCCESS);
    return values;
  }

  musaStream_t stream_ = nullptr;
  float* out_ = nullptr;
  murandGenerator_t generator_ = nullptr, host_ = nullptr;
};

TEST_F(RandStreams, NumbersAreThoseOfTheHostsGenerator) {
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(murandGenerateUniform(generator_, out_, kCount), MURAND_STATUS_SUCCESS);
    EXPECT_EQ(fetched(), hosts());
  }
}

TEST_F(RandStreams, QueuedWorkOutlivesItsGenerator) {
  murandGenerator_t other = nullptr;
  ASSERT_EQ(murandCreateGenerator(&other, MURAND_RNG_PSEUDO_PHILOX4_32_10), MURAND_STATUS_SUCCESS);
  ASSERT_EQ(murandSetStream(other, stream_), MURAND_STATUS_SUCCESS);
  ASSERT_EQ(murandGenerateUniform(other, out_, kCount), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandDestroyGenerator(other), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(fetched(), hosts());
}

TEST_F(RandStreams, ACapturedCallGoesOnAtEachLaunch) {
  musaGraph_t graph = nullptr;
  musaGraphExec_t exec = nullptr;
  ASSERT_EQ(musaStreamBeginCapture(stream_, musaStreamCaptureModeGlobal), musaSuccess);
  ASSERT_EQ(murandGenerateUniform(generator_, out_, kCount), MURAND_STATUS_SUCCESS);
  ASSERT_EQ(musaStreamEndCapture(stream_, &graph), musaSuccess);
  ASSERT_EQ(musaGraphInstantiate(&exec, graph, 0), musaSuccess);
  for (int launch = 0; launch < 2; ++launch) {
    ASSERT_EQ(musaGraphLaunch(exec, stream_), musaSuccess);
    EXPECT_EQ(fetched(), hosts());
  }
  EXPECT_EQ(musaGraphExecDestroy(exec), musaSuccess);
  EXPECT_EQ(musaGraphDestroy(graph), musaSuccess);
}

}  // namespace
