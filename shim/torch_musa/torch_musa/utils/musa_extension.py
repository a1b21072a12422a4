"""Extensions with MUSA kernels: what torch.utils.cpp_extension is for CUDA.

    from torch_musa.utils.musa_extension import BuildExtension, MUSAExtension
    setup(ext_modules=[MUSAExtension('mine', ['mine.cpp', 'kernels.mu'], extra_compile_args={'cxx': [], 'mcc': ['-O3']})],
          cmdclass={'build_ext': BuildExtension})

Files named .mu go through mcc (`_is_musa_file`), others through the C++ compiler. TORCH_MUSA_ARCH_LIST ("22;31") says for which architectures.
"""
import contextlib
import hashlib
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import threading

import torch
from setuptools import Extension
from torch.utils import cpp_extension


_PACKAGE = pathlib.Path(__file__).resolve().parents[1]


def _find_home():
    places = [os.environ.get('MUSA_HOME'), os.environ.get('MUSA_PATH')]
    if found := shutil.which('mcc'):
        places.append(str(pathlib.Path(found).resolve().parent.parent))
    places.append('/usr/local/musa')
    return next((place for place in places if place and (pathlib.Path(place) / 'bin/mcc').exists()), None)


MUSA_HOME = _find_home()


def _home():
    if MUSA_HOME is None:
        raise OSError('the MUSA SDK was not found: set MUSA_HOME to its folder')
    return pathlib.Path(MUSA_HOME)


# PyTorch's own: other packages put theirs in these names' places, which ask here again.
_torch_include_paths, _torch_library_paths = cpp_extension.include_paths, cpp_extension.library_paths


def include_paths(device_type='musa', musa=True):
    """Folders of PyTorch's headers, torch_musa's and (but for `musa=False`, the vendor's word) the SDK's."""
    compatible = _PACKAGE / 'share/generated_cuda_compatible/include'  # <ATen/musa/...>, <c10/musa/...>
    paths = _torch_include_paths() + [str(_PACKAGE.parent), str(compatible)]
    return paths + [str(_home() / 'include')] if musa else paths


def library_paths(device_type='musa', musa=True):
    paths = _torch_library_paths()
    return paths + [str(_home() / 'lib')] if musa else paths


def _is_musa_file(path):
    """Is it mcc's? Others put more endings in (torchada: .cu)."""
    return os.path.splitext(path)[1] in ('.mu', '.muh')


def _architectures():
    wanted = os.environ.get('TORCH_MUSA_ARCH_LIST', '')
    return [f'--offload-arch=mp_{number}' for number in wanted.replace(';', ' ').split()]


def MUSAExtension(name, sources, *args, **kwargs):
    """A setuptools Extension for C++ with MUSA kernels; `extra_compile_args` may be a dict with 'cxx' and 'mcc', which ported
    code may still call 'nvcc'."""
    kwargs['include_dirs'] = list(kwargs.get('include_dirs', [])) + include_paths(musa=False)
    # The SDK's headers are none of the project's: torchada ports what include_dirs has, in place.
    headers, given = f'-isystem{_home() / "include"}', kwargs.get('extra_compile_args')
    kwargs['extra_compile_args'] = ({**given, 'cxx': [*given.get('cxx', []), headers]} if isinstance(given, dict)
                                    else [*(given or []), headers])
    kwargs['library_dirs'] = list(kwargs.get('library_dirs', [])) + library_paths()
    kwargs['runtime_library_dirs'] = list(kwargs.get('runtime_library_dirs', [])) + [str(_home() / 'lib')]
    kwargs['libraries'] = list(kwargs.get('libraries', [])) + ['c10', 'torch', 'torch_cpu', 'torch_python', 'musart']
    kwargs['language'] = 'c++'
    return Extension(name, sources, *args, **kwargs)


def _flags(given, *keys):
    """Of extra_compile_args those for a compiler, which is called by any of `keys`: a list is for all of them."""
    if not isinstance(given, dict):
        return list(given or [])
    return next((list(given[key]) for key in keys if given.get(key)), [])


def _mcc_flags(given):
    return _flags(given, 'mcc', 'nvcc')


def _mcc_command(source, target, includes, macros, flags):
    # PyTorch's headers take __CUDA__, which clang's MUSA mode defines, for NVIDIA's.
    command = [str(_home() / 'bin/mcc'), '-x', 'musa', '-std=c++20', '-fPIC', '-U__CUDA__', '-MMD', '-MF', f'{target}.d']
    # What they include of CUDA's for kernels with half types.
    command += [f'-D__MUSA_NO_{kind}_OPERATORS__' for kind in ('HALF', 'HALF2')]  # PyTorch's types have their own
    command += ['-include', str(_PACKAGE / 'csrc/aten/musa/Preamble.h'), '-isystem', str(_home() / 'include/cuda_alias')]
    command += _architectures() + [f'-I{folder}' for folder in includes]
    command += [f'-D{name}' if value is None else f'-D{name}={value}' for name, value in macros]
    return command + flags + ['-c', str(source), '-o', str(target)]


class BuildExtension(cpp_extension.BuildExtension):
    """setuptools' build_ext that knows .mu files."""

    def __init__(self, *args, **kwargs):
        kwargs['use_ninja'] = False  # one compiler a file is chosen below
        super().__init__(*args, **kwargs)
        self._building = threading.local()  # setuptools may build several extensions at a time

    def build_extension(self, ext):
        self._building.extension = ext
        super().build_extension(ext)

    def build_extensions(self):
        self.compiler.src_extensions += ['.mu']
        compile_one = self.compiler._compile

        def compile_with(target, source, suffix, cc_args, extra, pp_opts):
            if not _is_musa_file(source):
                return compile_one(target, source, suffix, cc_args, _flags(extra, 'cxx'), pp_opts)
            includes = [option[2:] for option in pp_opts if option.startswith('-I')]
            macros = [tuple(option[2:].split('=', 1)) if '=' in option else (option[2:], None)
                      for option in pp_opts if option.startswith('-D')]
            extension = self._building.extension
            macros += [('TORCH_EXTENSION_NAME', extension.name.split('.')[-1]), ('TORCH_API_INCLUDE_EXTENSION_H', None)]
            # `extra` is what PyTorch has chosen of extra_compile_args for a file that is not CUDA's: 'cxx'.
            return self.compiler.spawn(_mcc_command(source, target, includes, macros, _mcc_flags(extension.extra_compile_args)))

        self.compiler._compile = compile_with
        with _no_cuda():
            super().build_extensions()


@contextlib.contextmanager
def _no_cuda():
    """PyTorch compiles files with nvcc, and asks for its version, where they are CUDA's by their names."""
    is_cuda_file, check_version = cpp_extension._is_cuda_file, cpp_extension._check_cuda_version
    cpp_extension._is_cuda_file = lambda path: is_cuda_file(path) and not _is_musa_file(path)
    cpp_extension._check_cuda_version = lambda *_: None
    try:
        yield
    finally:
        cpp_extension._is_cuda_file, cpp_extension._check_cuda_version = is_cuda_file, check_version


def load(name, sources, extra_cflags=None, extra_musa_cflags=None, extra_ldflags=None, extra_include_paths=None,
         build_directory=None, verbose=False, with_musa=None, is_python_module=True, extra_cuda_cflags=None, **_):
    """Builds an extension when it is needed and imports it. Sources that did not change are not compiled again.
    `extra_cuda_cflags` is the name that ported code keeps for `extra_musa_cflags`."""
    extra_musa_cflags = list(extra_musa_cflags or []) + list(extra_cuda_cflags or [])
    sources = [sources] if isinstance(sources, str) else list(sources)
    folder = pathlib.Path(build_directory or pathlib.Path(os.environ.get('TORCH_EXTENSIONS_DIR', pathlib.Path.home() / '.cache/torch_musa')) / name)
    folder.mkdir(parents=True, exist_ok=True)
    includes = include_paths() + [sysconfig.get_paths()['include']] + list(extra_include_paths or [])
    macros = [('TORCH_EXTENSION_NAME', name), ('TORCH_API_INCLUDE_EXTENSION_H', None)]
    objects = []
    for source in sources:
        target = folder / f'{pathlib.Path(source).stem}-{hashlib.sha256(str(source).encode()).hexdigest()[:8]}.o'
        if _is_musa_file(str(source)):
            command = _mcc_command(source, target, includes, macros, extra_musa_cflags)
        else:
            command = [os.environ.get('CXX', 'c++'), '-std=c++20', '-fPIC', '-O2', *[f'-I{folder}' for folder in includes],
                       *[f'-D{n}' if v is None else f'-D{n}={v}' for n, v in macros], *(extra_cflags or []), '-c', str(source), '-o', str(target)]
        _run_if_new(command, source, target, verbose)
        objects.append(str(target))
    library = folder / f'{name}.so'
    link = [os.environ.get('CXX', 'c++'), '-shared', *objects, '-o', str(library), *[f'-L{path}' for path in library_paths()],
            '-lc10', '-ltorch', '-ltorch_cpu', '-ltorch_python', '-lmusart', f'-Wl,-rpath,{_home()}/lib', *(extra_ldflags or [])]
    _run(link, verbose)
    if not is_python_module:
        torch.ops.load_library(str(library))
        return str(library)
    spec = importlib.util.spec_from_file_location(name, library)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_inline(name, cpp_sources, musa_sources=None, functions=None, build_directory=None, cuda_sources=None, **more):
    """As load(), from texts. `functions`: names to bind, a list or {name: docstring}. `cuda_sources` is the name that ported
    code keeps for `musa_sources`."""
    folder = pathlib.Path(build_directory or pathlib.Path(os.environ.get('TORCH_EXTENSIONS_DIR', pathlib.Path.home() / '.cache/torch_musa')) / name)
    folder.mkdir(parents=True, exist_ok=True)
    as_list = lambda texts: [texts] if isinstance(texts, str) else list(texts or [])
    kernels = as_list(musa_sources) + as_list(cuda_sources)
    cpp = ['#include <torch/extension.h>', *as_list(cpp_sources)]
    if functions is not None:
        names = {functions: functions} if isinstance(functions, str) else functions
        names = names if isinstance(names, dict) else {one: one for one in names}
        cpp.append('PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {')
        cpp += [f'm.def("{one}", torch::wrap_pybind_function({one}), "{text}");' for one, text in names.items()]
        cpp.append('}')
    sources = [_write(folder / 'main.cpp', '\n'.join(cpp))]
    if kernels:
        begin = ['#include <torch/types.h>', '#include <musa_runtime.h>', '#include "torch_musa/csrc/aten/musa/MUSAContext.h"']
        sources.append(_write(folder / 'musa.mu', '\n'.join(begin + kernels)))
    return load(name, sources, build_directory=str(folder), **more)


def _write(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    return str(path)


def _run_if_new(command, source, target, verbose):
    key = hashlib.sha256(repr(command).encode() + pathlib.Path(source).read_bytes()).hexdigest()
    stamp = pathlib.Path(f'{target}.key')
    if target.exists() and stamp.exists() and stamp.read_text() == key:
        return
    _run(command, verbose)
    stamp.write_text(key)


def _run(command, verbose):
    if verbose:
        print(' '.join(command), file=sys.stderr)
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f'{" ".join(command)}\n{result.stdout}{result.stderr}')


CppExtension = cpp_extension.CppExtension
