#include "mccl/net/ib/hca_list.h"

#include <gtest/gtest.h>

namespace musashim::mccl {
namespace {

TEST(HcaList, TakesBeginningsNamesPortsOrAllOthers) {
  EXPECT_TRUE(takesHca("", "mlx5_0", 1));
  EXPECT_TRUE(takesHca("mlx5", "mlx5_3", 2));
  EXPECT_TRUE(takesHca("mlx4,mlx5_3:2", "mlx5_3", 2));
  EXPECT_FALSE(takesHca("mlx4,mlx5_3:2", "mlx5_3", 1));
  EXPECT_FALSE(takesHca("=mlx5", "mlx5_0", 1));
  EXPECT_TRUE(takesHca("=mlx5_0:1,mlx5_1", "mlx5_1", 2));
  EXPECT_FALSE(takesHca("=mlx5_1", "mlx5_10", 1));
  EXPECT_TRUE(takesHca("mlx5_1", "mlx5_10", 1));
  EXPECT_FALSE(takesHca("^mlx5_3", "mlx5_3", 1));
  EXPECT_TRUE(takesHca("^mlx5_3:2", "mlx5_3", 1));
  EXPECT_TRUE(takesHca("^=mlx5_1", "mlx5_10", 1));
  EXPECT_FALSE(takesHca("^=mlx5_1:1", "mlx5_1", 1));
  EXPECT_TRUE(takesHca("mlx5_0:1:3", "mlx5_0", 1));  // a rail chooses nothing here
  EXPECT_FALSE(takesHca(",,:1", "mlx5_0", 1));
}

}  // namespace
}  // namespace musashim::mccl
