"""Functions that kernels call by the names of CUDA's libdevice, as tl.extra.libdevice has them: musa's of the same meaning."""
import re

from triton_musa.errors import Unsupported

# Names that differ by more than the rules below say.
_OTHERS = {'isnand': 'isnan', 'isnanf': 'isnan', 'isinfd': 'isinf', 'isinff': 'isinf', 'isfinited': 'isfinite', 'finitef': 'isfinite',
           'signbitd': 'signbit', 'signbitf': 'signbit', 'powi': 'pow', 'powif': 'powf', 'llabs': 'llabs', 'abs': 'abs'}
_INTRINSICS = re.compile(r'.*_r[nduz]$|.*_as_.*|(brev|clz|ffs|popc|umul64hi|mul64hi)(ll)?$|byte_perm$|u?mul24$|u?mulhi$|u?r?hadd$|u?sad$|'
                         r'saturatef$|hiloint2double$|double2(hi|lo)int$')
_LACKING = {'rcp64h'}


def call(symbol, operands, types, result):
    """C++ of a call; symbol: as `__nv_expf`, or a name of musa's own."""
    name = symbol
    if symbol.startswith('__nv_'):
        name = symbol[len('__nv_'):]
        if name in _LACKING:
            raise Unsupported(f'libdevice\'s {name} is not supported on musa')
        if name in _OTHERS:
            name = _OTHERS[name]
        elif name.startswith('fast_'):
            name = '__' + name[len('fast_'):]
        elif _INTRINSICS.match(name):
            name = '__' + name
    elif not re.fullmatch(r'[A-Za-z_]\w*', symbol):
        raise Unsupported(f'the external function {symbol!r} is not supported on musa')
    arguments = ', '.join(f'({type_.code}){operand}' for operand, type_ in zip(operands, types))
    return f'({result.code})::{name}({arguments})'
