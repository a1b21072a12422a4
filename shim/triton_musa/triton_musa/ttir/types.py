"""Types of Triton's IR: an element and, for tensors, a shape."""
import math
import re
from typing import NamedTuple

from triton_musa.errors import Unsupported

_ELEMENTS = {
    'i1': 'bool', 'i8': 'int8_t', 'i16': 'int16_t', 'i32': 'int32_t', 'i64': 'int64_t', 'index': 'int64_t',
    'f16': '_Float16', 'bf16': 'triton_musa::bf16', 'f32': 'float', 'f64': 'double',
    'f8E5M2': 'triton_musa::f8e5m2', 'f8E4M3FN': 'triton_musa::f8e4m3fn',
    'f8E5M2FNUZ': 'triton_musa::f8e5m2fnuz', 'f8E4M3FNUZ': 'triton_musa::f8e4m3fnuz',
}
_BITS = {'i1': 8, 'index': 64, 'f16': 16, 'bf16': 16, 'f32': 32, 'f64': 64}


class Type(NamedTuple):
    """element: as MLIR spells it, `ptr<f32>` for a pointer. shape: () for a scalar."""
    element: str
    shape: tuple = ()

    @property
    def count(self):
        return math.prod(self.shape)

    @property
    def is_pointer(self):
        return self.element.startswith('ptr<')

    @property
    def is_float(self):
        return not self.is_pointer and 'f' in self.element

    @property
    def is_integer(self):
        return not self.is_pointer and self.element[0] == 'i'

    @property
    def pointee(self):
        return self.element[4:-1]

    @property
    def bits(self):
        """Bits of an element in memory; a truth value has a byte."""
        if self.is_pointer:
            return 64
        return _BITS.get(self.element) or (8 if self.element.startswith('f8') else int(self.element[1:]))

    @property
    def code(self):
        """The element's type in C++."""
        return code_of(self.element)

    def scalar(self):
        return Type(self.element)


def code_of(element):
    if element.startswith('ptr<'):
        return code_of(element[4:-1]) + '*'
    if element not in _ELEMENTS:
        raise Unsupported(f'values of the type {element} are not supported on musa')
    return _ELEMENTS[element]


def parse_type(text):
    """A Type of MLIR's text, as `tensor<16x!tt.ptr<f32>>`."""
    text = text.strip()
    if text.startswith('tensor<'):
        inner = text[len('tensor<'):-1]
        shape = []
        while match := re.match(r'(\d+)x', inner):
            shape.append(int(match[1]))
            inner = inner[match.end():]
        return Type(parse_type(inner).element, tuple(shape))
    if text.startswith('!tt.ptr<'):
        inner = text[len('!tt.ptr<'):-1]
        depth = 0
        for place, letter in enumerate(inner):  # `f32, 1`: an address space, which is of no interest
            depth += (letter == '<') - (letter == '>')
            if letter == ',' and depth == 0:
                inner = inner[:place]
                break
        return Type(f'ptr<{parse_type(inner).element}>')
    if text.startswith('!'):
        raise Unsupported(f'values of the type {text} are not supported on musa')
    return Type(text)
