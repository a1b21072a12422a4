"""The SDK's libraries: the driver API, and the compiler that runs in the process."""
import ctypes
import functools
import os
import pathlib
import re

from triton_musa.errors import CompilationFailed

INCLUDE = pathlib.Path(__file__).resolve().parent / 'include'


@functools.lru_cache(maxsize=None)
def home():
    """The SDK's folder: that of the environment, or the one whose runtime torch_musa has loaded."""
    places = [os.environ.get('MUSA_PATH'), os.environ.get('MUSA_HOME')]
    if found := re.search(r'(/\S*)/lib/libmusart\.so', pathlib.Path('/proc/self/maps').read_text()):
        places.append(found[1])
    places.append('/usr/local/musa')
    for place in places:
        if place and (pathlib.Path(place) / 'lib/libmtrtc.so').exists():
            return pathlib.Path(place)
    raise OSError('triton_musa needs the MUSA SDK: set MUSA_PATH to its folder')


@functools.lru_cache(maxsize=None)
def library(name):
    return ctypes.CDLL(str(home() / 'lib' / name))


# The driver API.

def check(status):
    if status:
        text = ctypes.c_char_p()
        library('libmusa.so').muGetErrorString(status, ctypes.byref(text))
        raise RuntimeError(f'Triton Error [MUSA]: {(text.value or b"unknown error").decode()}')


def load_module(image, name):
    """(module, function) as numbers."""
    driver = library('libmusa.so')
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    check(driver.muModuleLoadData(ctypes.byref(module), image))
    check(driver.muModuleGetFunction(ctypes.byref(function), module, name.encode()))
    return module.value, function.value


def registers(function):
    """Registers of a thread, as the driver tells them."""
    value = ctypes.c_int()
    check(library('libmusa.so').muFuncGetAttribute(ctypes.byref(value), 4, ctypes.c_void_p(function)))  # MU_FUNC_ATTRIBUTE_NUM_REGS
    return value.value


def unload_module(module):
    check(library('libmusa.so').muModuleUnload(ctypes.c_void_p(module)))


# The compiler.

def version():
    """Of the compiler, for keys of caches: its files' sizes and times."""
    parts = []
    for name in ('libmtrtc.so', 'musashim/mtrtc-compiler.so', 'musashim/mcc-device.so'):
        found = (home() / 'lib' / name).stat()
        parts.append(f'{name}-{found.st_size}-{found.st_mtime_ns}')
    return '_'.join(parts)


def compile_source(source, name, options):
    """The image of a source as bytes."""
    rtc = library('libmtrtc.so')
    rtc.mtrtcGetErrorString.restype = ctypes.c_char_p
    program = ctypes.c_void_p()

    def done(status):
        if status:
            size = ctypes.c_size_t()
            log = b''
            if rtc.mtrtcGetProgramLogSize(program, ctypes.byref(size)) == 0 and size.value:
                text = ctypes.create_string_buffer(size.value)
                rtc.mtrtcGetProgramLog(program, text)
                log = text.value
            raise CompilationFailed(f'the code made of the kernel {name} does not compile, please report it: '
                                    f'{rtc.mtrtcGetErrorString(status).decode()}\n{log.decode(errors="replace")}')

    done(rtc.mtrtcCreateProgram(ctypes.byref(program), source.encode(), f'{name}.mu'.encode(), 0, None, None))
    try:
        texts = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        done(rtc.mtrtcCompileProgram(program, len(options), texts))
        size = ctypes.c_size_t()
        done(rtc.mtrtcGetFatBinSize(program, ctypes.byref(size)))
        image = ctypes.create_string_buffer(size.value)
        done(rtc.mtrtcGetFatBin(program, image))
        return image.raw
    finally:
        rtc.mtrtcDestroyProgram(ctypes.byref(program))
