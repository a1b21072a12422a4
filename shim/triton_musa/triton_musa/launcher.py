"""Launches: values of Python become a kernel's arguments."""
import ctypes
import re
import struct

from triton_musa import toolkit

try:
    from triton.backends.driver import decompose_descriptor, expand_signature
except ImportError:  # before Triton 3.8
    def decompose_descriptor(descriptor):
        """Sizes and strides are there twice: the kernel takes those of the pointer that it became, and those of the argument."""
        nan = descriptor.padding == 'nan'
        return [descriptor.base, *descriptor.shape, *descriptor.strides, nan, *descriptor.shape, *descriptor.strides]

    def expand_signature(signature, metadata, kind):
        """Of one descriptor."""
        element, sizes = re.match(r'tensordesc<([^[>]*)\[([^]]*)\]', signature[0]).groups()
        count = sizes.count(',') + 1
        return [f'*{element}', *['i64'] * (2 * count), 'i1', *['i32'] * count, *['i64'] * count]

_FORMS = {'i1': '?', 'i8': 'b', 'i16': 'h', 'i32': 'i', 'i64': 'q', 'u1': '?', 'u8': 'B', 'u16': 'H', 'u32': 'I', 'u64': 'Q', 'fp16': 'e',
          'fp32': 'f', 'f32': 'f', 'fp64': 'd'}


def _bf16(value):
    word = struct.unpack('<I', struct.pack('<f', value))[0]
    if value != value:
        return b'\xff\x7f'
    return struct.pack('<H', (word + 0x7fff + (word >> 16 & 1)) >> 16 & 0xffff)


def _address(value):
    if value is None:
        return 0
    device = getattr(value, 'device', None)
    if device is not None and device.type == 'cpu' and not value.is_pinned():
        raise ValueError('Pointer argument cannot be accessed from Triton (cpu tensor?)')
    return value.data_ptr() if hasattr(value, 'data_ptr') else int(value)


def _bytes(type_, value):
    if type_[0] == '*':
        return struct.pack('<Q', _address(value))
    if type_ == 'bf16':
        return _bf16(value)
    form = _FORMS[type_]
    try:
        return struct.pack('<' + form, value)
    except struct.error:  # a number of the other sign's range
        if form in 'bhiq':
            return struct.pack('<' + form.upper(), value)
        if form in 'BHIQ':
            return struct.pack('<' + form.lower(), value)
        raise
    except OverflowError:
        return struct.pack('<' + form, float('inf') if value > 0 else float('-inf'))


def _flatten(types, values):
    """(type, value) of what the kernel has a parameter for."""
    for type_, value in zip(types, values):
        if isinstance(type_, tuple):
            yield from _flatten(type_, value)
        elif type_.startswith('tensordesc'):
            parts = decompose_descriptor(value)
            yield from _flatten(expand_signature([type_], None, None), parts)
        elif type_ != 'constexpr':
            yield type_, value


class MUSALauncher:
    def __init__(self, source, metadata):
        self.types = tuple(source.signature.values())
        self.launch = toolkit.library('libmusa.so').muLaunchKernel

    def __call__(self, x, y, z, stream, function, kernel_metadata, launch_metadata, enter_hook, exit_hook, *arguments):
        if enter_hook is not None:
            enter_hook(launch_metadata)
        if x * y * z > 0:
            parts = [ctypes.create_string_buffer(_bytes(*pair), 8) for pair in _flatten(self.types, arguments)]
            pointers = (ctypes.c_void_p * max(len(parts), 1))(*map(ctypes.addressof, parts))
            toolkit.check(self.launch(ctypes.c_void_p(function), x, y, z, 1, 1, 1, 0, ctypes.c_void_p(stream), pointers, None))
        if exit_hook is not None:
            exit_hook(launch_metadata)
