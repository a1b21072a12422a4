#pragma once

#include <torch/types.h>

torch::Tensor squares(torch::Tensor x);
