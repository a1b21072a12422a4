"""torch.musa.FloatTensor and its kin: tensors of a type on the current device."""
import functools

import torch


class _Type(type):
    """Makes tensors, and is their class where isinstance() or Tensor.type() asks."""

    def __call__(cls, *arguments):
        """From sizes, or from a sequence of values."""
        if len(arguments) == 1 and not isinstance(arguments[0], (int, torch.Size)):
            return torch.tensor(arguments[0], dtype=cls.dtype, device='musa')
        return torch.empty(*arguments, dtype=cls.dtype, device='musa')

    def __instancecheck__(cls, value):
        return isinstance(value, torch.Tensor) and value.is_musa and value.dtype == cls.dtype


def _type(dtype, name):
    # Tensor.type() reads the name.
    return _Type(f'torch.musa.{name}', (), {'dtype': dtype, 'is_musa': True})


FloatTensor = _type(torch.float32, 'FloatTensor')
DoubleTensor = _type(torch.float64, 'DoubleTensor')
HalfTensor = _type(torch.float16, 'HalfTensor')
BFloat16Tensor = _type(torch.bfloat16, 'BFloat16Tensor')
IntTensor = _type(torch.int32, 'IntTensor')
LongTensor = _type(torch.int64, 'LongTensor')
ShortTensor = _type(torch.int16, 'ShortTensor')
CharTensor = _type(torch.int8, 'CharTensor')
ByteTensor = _type(torch.uint8, 'ByteTensor')
BoolTensor = _type(torch.bool, 'BoolTensor')


def register():
    """torch.set_default_tensor_type() takes them, too: as the default type of numbers and the default device."""
    original, ours = torch.set_default_tensor_type, {kind.__name__: kind for kind in globals().values() if isinstance(kind, _Type)}

    is_set = False

    @functools.wraps(original)
    def set_default_tensor_type(t):
        nonlocal is_set
        kind = ours.get(t) if isinstance(t, str) else t
        if isinstance(kind, _Type):
            torch.set_default_dtype(kind.dtype)
            torch.set_default_device('musa')
        else:
            original(t)
            if is_set:
                torch.set_default_device(None)
        is_set = isinstance(kind, _Type)
    torch.set_default_tensor_type = set_default_tensor_type
