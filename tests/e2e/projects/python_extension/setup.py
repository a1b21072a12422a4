import os

from setuptools import find_packages, setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CUDAExtension

debug = os.environ.get("DEBUG", "0") == "1"
flags = {
    "cxx": ["-O0", "-g"] if debug else ["-O2"],
    "nvcc": ["-O2", "--expt-relaxed-constexpr", "-lineinfo", "-gencode=arch=compute_80,code=sm_80",
             "-gencode", "arch=compute_90,code=sm_90"],
}
if CUDA_HOME is None:
    raise SystemExit("squares needs the CUDA toolkit")

setup(
    name="squares",
    version="1.0",
    description="Squares with CUDA",
    packages=find_packages(),
    ext_modules=[CUDAExtension("squares._C", ["csrc/bindings.cpp", "csrc/squares.cu"], include_dirs=[os.path.abspath("csrc")],
                               extra_compile_args=flags)],
    cmdclass={"build_ext": BuildExtension},
)
