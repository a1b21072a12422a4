// musa::dnn's classes that move, choose and count elements.
#include <algorithm>

#include "mudnn/support.h"

namespace musashim::test {
namespace {

using Numbers = std::vector<double>;

class LayoutTest : public testing::Test {
 protected:
  static Sizes sizesOf(const Tensor& tensor) {
    Sizes sizes;
    EXPECT_EQ(Status::SUCCESS, tensor.GetNdInfo(sizes));
    return sizes;
  }
  dnn::Handle handle;
};

Numbers counted(size_t count) {
  Numbers values(count);
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

TEST_F(LayoutTest, ATensorGivesItsMemory) {
  const Device<float> in({2}, {3, 4});
  float back[2] = {};
  ASSERT_EQ(musaSuccess, musaMemcpy(back, in.tensor.GetImpl(), sizeof back, musaMemcpyDeviceToHost));
  EXPECT_EQ(3, back[0]);
  EXPECT_EQ(4, back[1]);
  EXPECT_EQ(nullptr, Tensor().GetImpl());
}

TEST_F(LayoutTest, PermutesAndSlices) {
  Device<int32_t> in({2, 3, 4}, counted(24)), turned({4, 2, 3}), part({1, 2, 2});
  dnn::Permute op;
  const int64_t order[] = {2, 0, 1};
  Tensor view = in.tensor;
  ASSERT_DNN(op.ConfigDimStride(turned.tensor, view, 3, order));
  ASSERT_DNN(op.Run(handle, turned.tensor, view));
  Numbers right(24);
  for (size_t i = 0; i < 24; ++i) right[i] = static_cast<double>(i % 6 * 4 + i / 6);
  EXPECT_EQ(right, turned.fetch());
  const int twice[] = {0, 0, 1};
  view = in.tensor;
  EXPECT_EQ(Status::INVALID_PARAMETER, op.ConfigDimStride(turned.tensor, view, 3, twice));

  const int64_t starts[] = {1, 2, 3}, steps[] = {1, -1, -2};
  view = in.tensor;
  ASSERT_DNN(op.ConfigDimStrideForSlice(part.tensor, view, starts, steps));
  ASSERT_DNN(op.Run(handle, part.tensor, view));
  EXPECT_EQ((Numbers{23, 21, 19, 17}), part.fetch());
  view = in.tensor;
  const int64_t beyond[] = {1, 2, 0};
  EXPECT_EQ(Status::INVALID_PARAMETER, op.ConfigDimStrideForSlice(part.tensor, view, beyond));
}

TEST_F(LayoutTest, Concatenates) {
  Device<__half> a({2, 1}, {1, 2}), b({2, 2}, {3, 4, 5, 6}), nothing({0}), out({2, 3});
  const Tensor inputs[] = {a.tensor, nothing.tensor, b.tensor};
  dnn::Concat op;
  ASSERT_DNN(op.SetAxis(-1));
  ASSERT_DNN(op.Run(handle, out.tensor, 3, inputs));
  EXPECT_EQ((Numbers{1, 3, 4, 2, 5, 6}), out.fetch());
  EXPECT_EQ(Status::INVALID_PARAMETER, op.Run(handle, out.tensor, 1, inputs));
}

TEST_F(LayoutTest, Pads) {
  using Mode = dnn::Pad::Mode;
  Device<float> in({1, 2, 3}, {1, 2, 3, 4, 5, 6}), out({1, 4, 6});
  const int pads[] = {2, 1, 1, 1};
  dnn::Pad op;
  ASSERT_DNN(op.SetPaddingInfo(4, pads));
  ASSERT_DNN(op.SetValue(9));
  const std::pair<Mode, Numbers> cases[] = {
      {Mode::CONSTANT, {9, 9, 9, 9, 9, 9, 9, 9, 1, 2, 3, 9, 9, 9, 4, 5, 6, 9, 9, 9, 9, 9, 9, 9}},
      {Mode::REFLECT, {6, 5, 4, 5, 6, 5, 3, 2, 1, 2, 3, 2, 6, 5, 4, 5, 6, 5, 3, 2, 1, 2, 3, 2}},
      {Mode::REPLICATE, {1, 1, 1, 2, 3, 3, 1, 1, 1, 2, 3, 3, 4, 4, 4, 5, 6, 6, 4, 4, 4, 5, 6, 6}}};
  for (const auto& [mode, right] : cases) {
    ASSERT_DNN(op.SetMode(mode));
    ASSERT_DNN(op.Run(handle, out.tensor, in.tensor));
    EXPECT_EQ(right, out.fetch());
  }
  Device<float> cut({1, 2, 1});
  const int negative[] = {-1, -1};
  ASSERT_DNN(op.SetMode(Mode::CONSTANT));
  ASSERT_DNN(op.SetPaddingInfo(2, negative));
  ASSERT_DNN(op.Run(handle, cut.tensor, in.tensor));
  EXPECT_EQ((Numbers{2, 5}), cut.fetch());
  EXPECT_EQ(Status::INVALID_PARAMETER, op.SetPaddingInfo(3, pads));
  EXPECT_EQ(Status::INVALID_PARAMETER, op.Run(handle, out.tensor, in.tensor));
}

TEST_F(LayoutTest, Gathers) {
  Device<float> in({2, 3, 2}, counted(12)), out({2, 4, 2});
  Device<int32_t> indices({4}, {2, 0, 7, 1}), each({2, 2}, {0, 1, 2, 0});
  dnn::GatherX op;
  ASSERT_DNN(op.SetMode(dnn::GatherX::Mode::GATHER));
  ASSERT_DNN(op.SetAxis(1));
  ASSERT_DNN(op.Run(handle, out.tensor, indices.tensor, in.tensor));
  EXPECT_EQ((Numbers{4, 5, 0, 1, 0, 0, 2, 3, 10, 11, 6, 7, 0, 0, 8, 9}), out.fetch());
  Device<float> batched({2, 2, 2});
  ASSERT_DNN(op.SetBatchDims(1));
  ASSERT_DNN(op.Run(handle, batched.tensor, each.tensor, in.tensor));
  EXPECT_EQ((Numbers{0, 1, 2, 3, 10, 11, 6, 7}), batched.fetch());
}

TEST_F(LayoutTest, Scatters) {
  using Mode = dnn::Scatter::Mode;
  const Numbers start{10, 20, 30, 40, 50, 60};
  const std::pair<Mode, Numbers> cases[] = {
      {Mode::UPDATE_ONLY, {2, 20, 1, 40, 4, 60}}, {Mode::ADD, {12, 20, 31, 40, 57, 60}},
      {Mode::SUB, {8, 20, 29, 40, 43, 60}},       {Mode::MUL, {20, 20, 30, 40, 600, 60}},
      {Mode::MAX, {10, 20, 30, 40, 50, 60}},      {Mode::MIN, {2, 20, 1, 40, 3, 60}}};
  Device<int64_t> indices({2, 2}, {2, 0, 1, 1}), slices({2, 2}, {0, 2, 1, -2});
  Device<float> source({2, 2}, {1, 2, 3, 4}), updates({2}, {7, 8});
  for (const auto& [mode, right] : cases) {
    Device<float> out({2, 3}, start);
    dnn::Scatter op;
    ASSERT_DNN(op.SetMode(mode));
    ASSERT_DNN(op.Run(handle, out.tensor, indices.tensor, source.tensor, 1));
    EXPECT_EQ(right, out.fetch()) << static_cast<int>(mode);
    Device<float> other({2, 3}, start);
    dnn::ScatterND nd;
    ASSERT_DNN(nd.SetMode(mode));
    ASSERT_DNN(nd.Run(handle, other.tensor, slices.tensor, updates.tensor));
    if (mode == Mode::UPDATE_ONLY) EXPECT_EQ((Numbers{10, 20, 7, 40, 8, 60}), other.fetch());
    if (mode == Mode::ADD) EXPECT_EQ((Numbers{10, 20, 37, 40, 58, 60}), other.fetch());
  }
  // Rows of an embedding.
  Device<float> table({3, 2}, start), rows({2, 2}, {1, 1, 2, 2});
  Device<int32_t> which({2, 1}, {2, 2});
  dnn::ScatterND nd;
  ASSERT_DNN(nd.SetMode(Mode::ADD));
  ASSERT_DNN(nd.Run(handle, table.tensor, which.tensor, rows.tensor));
  EXPECT_EQ((Numbers{10, 20, 30, 40, 53, 63}), table.fetch());
}

TEST_F(LayoutTest, WhatIsNotZero) {
  Device<bool> in({2, 3}, {1, 0, 1, 0, 0, 1});
  Device<int64_t> out({6, 2});
  ASSERT_DNN(dnn::Nonzero().Run(handle, out.tensor, in.tensor));
  EXPECT_EQ((Sizes{3, 2}), sizesOf(out.tensor));
  const Numbers places = out.fetch();
  EXPECT_EQ((Numbers{0, 0, 0, 2, 1, 2}), Numbers(places.begin(), places.begin() + 6));
  musaStream_t stream = nullptr;
  musaGraph_t graph = nullptr;
  ASSERT_EQ(musaSuccess, musaStreamCreate(&stream));
  ASSERT_DNN(handle.SetStream(stream));
  ASSERT_EQ(musaSuccess, musaStreamBeginCapture(stream, musaStreamCaptureModeRelaxed));
  EXPECT_EQ(Status::NOT_SUPPORTED, dnn::Nonzero().Run(handle, out.tensor, in.tensor));
  ASSERT_EQ(musaSuccess, musaStreamEndCapture(stream, &graph));
  ASSERT_EQ(musaSuccess, musaGraphDestroy(graph));
  ASSERT_EQ(musaSuccess, musaStreamDestroy(stream));
}

TEST_F(LayoutTest, Masks) {
  Device<float> in({2, 3}, {1, 2, 3, 4, 5, 6}), out({6}), source({4}, {7, 8, 9, 10});
  Device<bool> mask({2, 3}, {0, 1, 1, 0, 1, 0}), row({3}, {1, 0, 1});
  ASSERT_DNN(dnn::MaskedSelect().Run(handle, out.tensor, in.tensor, mask.tensor));
  EXPECT_EQ((Sizes{3}), sizesOf(out.tensor));
  const Numbers chosen = out.fetch();
  EXPECT_EQ((Numbers{2, 3, 5}), Numbers(chosen.begin(), chosen.begin() + 3));
  ASSERT_DNN(dnn::MaskedScatter().Run(handle, in.tensor, row.tensor, source.tensor));
  EXPECT_EQ((Numbers{7, 2, 8, 9, 5, 10}), in.fetch());
}

TEST_F(LayoutTest, Uniques) {
  Device<int64_t> in({6}, {5, 3, 5, 9, 3, 5}), values({6});
  Device<int32_t> which({6}), counts({6});
  dnn::Unique op;
  const auto first = [](const Numbers& all) { return Numbers(all.begin(), all.begin() + 3); };
  ASSERT_DNN(op.SetMode(dnn::Unique::Mode::UNSORTED));
  ASSERT_DNN(op.Run(handle, values.tensor, which.tensor, counts.tensor, in.tensor));
  EXPECT_EQ((Sizes{3}), sizesOf(counts.tensor));
  EXPECT_EQ((Numbers{5, 3, 9}), first(values.fetch()));
  EXPECT_EQ((Numbers{0, 1, 0, 2, 1, 0}), which.fetch());
  EXPECT_EQ((Numbers{3, 2, 1}), first(counts.fetch()));
  ASSERT_DNN(values.tensor.SetNdInfo({6}));
  ASSERT_DNN(counts.tensor.SetNdInfo({6}));
  ASSERT_DNN(op.SetMode(dnn::Unique::Mode::SORTED));
  ASSERT_DNN(op.Run(handle, values.tensor, which.tensor, counts.tensor, in.tensor));
  EXPECT_EQ((Numbers{3, 5, 9}), first(values.fetch()));
  EXPECT_EQ((Numbers{1, 0, 1, 2, 0, 1}), which.fetch());
  EXPECT_EQ((Numbers{2, 3, 1}), first(counts.fetch()));
}

}  // namespace
}  // namespace musashim::test
