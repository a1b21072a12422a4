// Plans whose lengths are below 1.
#include <mufft.h>

#include "mublas/support.h"

namespace musashim::test {
namespace {

// As on hardware: later lengths below 1 are 1, but lines of real numbers have a length.
TEST(MufftCalls, LengthsBelowOne) {
  mufftHandle handle = MUFFT_PLAN_NULL;
  const OnDevice<ComplexFloat> data(std::vector<ComplexFloat>{1, 2, 3, 4, 5, 6, 7, 8});
  ASSERT_EQ(mufftPlan2d(&handle, 4, 0, MUFFT_C2C), MUFFT_SUCCESS);
  EXPECT_EQ(mufftExecC2C(handle, data.api(), data.api(), MUFFT_FORWARD), MUFFT_SUCCESS);
  EXPECT_EQ(mufftDestroy(handle), MUFFT_SUCCESS);
  EXPECT_EQ(data.fetch(), (std::vector<ComplexFloat>{10, {-2, 2}, -2, {-2, -2}, 5, 6, 7, 8}));
  const OnDevice<ComplexFloat> plane(std::vector<ComplexFloat>{1, 2, 3, 4, 5});
  ASSERT_EQ(mufftPlan3d(&handle, 2, -6, 2, MUFFT_C2C), MUFFT_SUCCESS);
  EXPECT_EQ(mufftExecC2C(handle, plane.api(), plane.api(), MUFFT_FORWARD), MUFFT_SUCCESS);
  EXPECT_EQ(mufftDestroy(handle), MUFFT_SUCCESS);
  EXPECT_EQ(plane.fetch(), (std::vector<ComplexFloat>{10, -2, -4, 0, 5}));
  EXPECT_EQ(mufftPlan2d(&handle, 4, 0, MUFFT_R2C), MUFFT_INTERNAL_ERROR);
  EXPECT_EQ(mufftPlan2d(&handle, 0, 4, MUFFT_C2C), MUFFT_INVALID_SIZE);
  EXPECT_EQ(mufftGetSize1d(MUFFT_PLAN_NULL, 8, MUFFT_C2C, 1, nullptr), MUFFT_INVALID_VALUE);
}

}  // namespace
}  // namespace musashim::test
