// MCCL_IB_HCA: which ports of which devices may be used.
#pragma once

#include <string_view>

namespace musashim::mccl {

// "mlx5" (all that begin so), "=mlx5_0:1,mlx5_1" (these names, the first one's port 1 alone), "^mlx5_3" (all
// others), "^=..." (all but these names). An empty list takes all.
bool takesHca(std::string_view list, std::string_view device, int port);

}  // namespace musashim::mccl
