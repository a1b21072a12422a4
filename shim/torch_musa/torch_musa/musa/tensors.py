"""torch.musa.FloatTensor and its kin: tensors of a type on the current device."""
import torch


def _type(dtype, name):
    def make(*arguments):
        """From sizes, or from a sequence of values."""
        if len(arguments) == 1 and not isinstance(arguments[0], (int, torch.Size)):
            return torch.tensor(arguments[0], dtype=dtype, device='musa')
        return torch.empty(*arguments, dtype=dtype, device='musa')
    make.__name__ = name
    return make


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
