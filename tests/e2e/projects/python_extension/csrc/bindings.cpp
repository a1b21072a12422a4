#include <torch/extension.h>

#include "squares.h"

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("squares", &squares); }
