"""Builds torch_musa against the PyTorch that is installed and the SDK at MUSA_PATH: pip install --no-build-isolation ."""
import os
import pathlib

os.environ['TORCH_DEVICE_BACKEND_AUTOLOAD'] = '0'  # what is being built is not there yet

from setuptools import Extension, find_packages, setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

HERE = pathlib.Path(__file__).resolve().parent
SDK = next((pathlib.Path(path) for path in (os.environ.get('MUSA_PATH'), os.environ.get('MUSA_HOME'), '/usr/local/musa')
            if path and (pathlib.Path(path) / 'include/musa_runtime.h').exists()), None)
if SDK is None:
    raise SystemExit('torch_musa needs the MUSA SDK: set MUSA_PATH to its folder')


class Build(BuildExtension):
    def get_ext_filename(self, name):
        path = pathlib.Path(super().get_ext_filename(name))
        # It is linked by this name, not imported.
        return str(path.with_name('libmusa_python.so') if path.name.startswith('libmusa_python.') else path)


sources = [str(path.relative_to(HERE)) for path in sorted(HERE.glob('torch_musa/csrc/**/*.cpp'))]
setup(
    name='torch_musa',
    version='0.1.0',
    description='PyTorch on emulated MUSA devices',
    license='Apache-2.0',
    packages=find_packages(include=['torch_musa', 'torch_musa.*']),
    package_data={'torch_musa': ['csrc/**/*.h', 'csrc/**/*.muh', 'share/**/*.h', 'share/**/*.muh', 'utils/mapping/*.json']},
    ext_modules=[CppExtension(
        'torch_musa._C', sources, include_dirs=[str(HERE), str(SDK / 'include')], library_dirs=[str(SDK / 'lib')],
        libraries=['musart', 'mccl', 'mtml_nvml', 'mublas', 'musparse'], runtime_library_dirs=[str(SDK / 'lib')],
        extra_compile_args=['-std=c++20', '-O2', '-g0', '-DUSE_C10D_MCCL']),
        Extension('torch_musa.lib.libmusa_python', ['torch_musa/lib/musa_python.cpp'])],
    cmdclass={'build_ext': Build.with_options(use_ninja=True)},
    # `import torch` does the rest.
    entry_points={'torch.backends': ['torch_musa = torch_musa:_autoload']},
    python_requires='>=3.9',
)
