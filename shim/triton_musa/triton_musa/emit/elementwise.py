"""An element of a result as an expression of the operands' elements."""
import math
import struct

from triton_musa import libdevice
from triton_musa.errors import Unsupported

_SMALL = ('f16', 'bf16')  # arithmetic on them is float's, rounded


def unsigned(type_):
    return 'bool' if type_.element == 'i1' else 'u' + type_.code


def constant(text, type_):
    """C++ of a constant of MLIR's."""
    if type_.is_pointer:
        return f'({type_.code}){text}'
    if type_.is_float:
        return _float_constant(text, type_)
    if text in ('true', 'false'):
        return text
    value = int(text, 0)
    if type_.element == 'i1':
        return 'true' if value else 'false'
    if type_.bits == 64:
        return f'((int64_t){value & (1 << 64) - 1:#x}ull)'
    if value == -1 << 31:
        return '((int32_t)0x80000000u)'
    return f'(({type_.code}){value})' if type_.bits < 32 else str(value)


def _float_constant(text, type_):
    if text.startswith('0x'):
        bits = int(text, 16)
        if type_.element == 'f64':
            value = struct.unpack('<d', struct.pack('<Q', bits))[0]
        elif type_.element == 'f32':
            value = struct.unpack('<f', struct.pack('<I', bits))[0]
        else:
            return f'triton_musa::bits<{type_.code}>((uint{type_.bits}_t){bits:#x}u)'
    else:
        value = float(text)
    if math.isnan(value):
        number = '__builtin_nan("")'
    elif math.isinf(value):
        number = '__builtin_inf()' if value > 0 else '-__builtin_inf()'
    else:
        number = value.hex()
    return number if type_.element == 'f64' else f'({type_.code})({"" if type_.element == "f32" else "(float)"}{number})'


def _integer(sign):
    def write(operation, a, b):
        type_ = operation.result.type
        if type_.element == 'i1':
            return f'({a} && {b})' if sign == '*' else f'({a} != {b})'
        if operation.is_offset:
            return f'({a} {sign} {b})'
        wide = 'uint64_t' if type_.bits == 64 else 'uint32_t'
        return f'({type_.code})(({wide}){a} {sign} ({wide}){b})'
    return write


def _float(sign):
    def write(operation, a, b):
        return f'({a} {sign} {b})' if operation.result.type.element not in _SMALL else f'((float){a} {sign} (float){b})'
    return write


def _bitwise(sign):
    def write(operation, a, b):
        return f'({operation.result.type.code})({a} {sign} {b})'
    return write


def _call(name, unsigned_operands=False):
    def write(operation, *operands):
        type_ = operation.operands[0].type
        code = unsigned(type_) if unsigned_operands else type_.code
        return f'({operation.result.type.code}){name}<{code}>({", ".join(f"({code}){value}" for value in operands)})'
    return write


def _extreme(sign, is_unsigned):
    def write(operation, a, b):
        code = unsigned(operation.result.type) if is_unsigned else operation.result.type.code
        return f'(({code}){a} {sign} ({code}){b} ? {a} : {b})'
    return write


def _float_extreme(name):
    def write(operation, a, b):
        type_ = operation.result.type
        code = 'double' if type_.element == 'f64' else 'float'
        return f'({type_.code})triton_musa::{name}<{code}>({a}, {b})'
    return write


def _math(name):
    def write(operation, *operands):
        type_ = operation.result.type
        suffix = '' if type_.element == 'f64' else 'f'
        cast = 'double' if type_.element == 'f64' else 'float'
        return f'({type_.code}){name}{suffix}({", ".join(f"({cast}){value}" for value in operands)})'
    return write


_INTEGER_COMPARISONS = {'eq': '==', 'ne': '!=', 'slt': '<', 'sle': '<=', 'sgt': '>', 'sge': '>=', 'ult': '<', 'ule': '<=', 'ugt': '>',
                        'uge': '>='}
_FLOAT_COMPARISONS = {'oeq': '{a} == {b}', 'ogt': '{a} > {b}', 'oge': '{a} >= {b}', 'olt': '{a} < {b}', 'ole': '{a} <= {b}',
                      'one': '{a} < {b} || {a} > {b}', 'ord': '{a} == {a} && {b} == {b}', 'ueq': '!({a} < {b} || {a} > {b})',
                      'ugt': '!({a} <= {b})', 'uge': '!({a} < {b})', 'ult': '!({a} >= {b})', 'ule': '!({a} > {b})', 'une': '{a} != {b}',
                      'uno': '{a} != {a} || {b} != {b}'}


def _predicate(operation):
    return operation.header.split(',')[0].split(' ')[0].strip()


def _cmpi(operation, a, b):
    predicate, type_ = _predicate(operation), operation.operands[0].type
    if type_.element == 'i1' and predicate[0] == 's':  # true is -1
        a, b, predicate = b, a, 'u' + predicate[1:]
    code = f'({unsigned(type_)})' if predicate[0] == 'u' else ''
    return f'({code}{a} {_INTEGER_COMPARISONS[predicate]} {code}{b})'


def _cmpf(operation, a, b):
    predicate = _predicate(operation)
    if predicate in ('true', 'false', 'AlwaysTrue', 'AlwaysFalse'):
        return predicate.removeprefix('Always').lower()
    cast = 'double' if operation.operands[0].type.element == 'f64' else 'float'
    return '(' + _FLOAT_COMPARISONS[predicate].format(a=f'({cast}){a}', b=f'({cast}){b}') + ')'


def _select(operation, condition, a, b):
    return f'({condition} ? {a} : {b})'


def _cast(operation, a):
    return f'({operation.result.type.code}){a}'


def _extui(operation, a):
    return f'({operation.result.type.code})({unsigned(operation.operands[0].type)}){a}'


def _extsi(operation, a):
    minus = '-' if operation.operands[0].type.element == 'i1' else ''
    return f'({operation.result.type.code}){minus}{a}'


def _trunci(operation, a):
    return f'(({a} & 1) != 0)' if operation.result.type.element == 'i1' else f'({operation.result.type.code}){a}'


def _float_cast(operation, a):
    """Between floats; f64 goes to 16 bits at once."""
    source, target = operation.operands[0].type, operation.result.type
    rounding = operation.attributes.get('rounding', operation.attributes.get('roundingmode'))
    value = f'(float){a}' if source.element not in ('f32', 'f64') else str(a)
    if rounding in ('rtz', 'toward_zero'):
        return f'triton_musa::toward_zero<{target.code}>({value})'
    if target.element == 'f64' or source.element == 'f64' and target.element in ('f32', 'f16'):
        return f'({target.code}){value}'
    return f'({target.code})(float){value}'


def _sitofp(operation, a):
    source, target = operation.operands[0].type, operation.result.type
    minus = '-' if source.element == 'i1' else ''
    return f'({target.code}){"" if target.element in ("f32", "f64") else "(float)"}{minus}{a}'


def _uitofp(operation, a):
    target = operation.result.type
    return f'({target.code}){"" if target.element in ("f32", "f64") else "(float)"}({unsigned(operation.operands[0].type)}){a}'


def _to_integer(is_unsigned):
    def write(operation, a):
        source, target = operation.operands[0].type, operation.result.type
        code = unsigned(target) if is_unsigned else target.code
        cast = 'double' if source.element == 'f64' else 'float'
        if target.element == 'i1':
            return f'(({cast}){a} != 0)'
        return f'({target.code})triton_musa::to_integer<{code}, {cast}>({a})'
    return write


def _bitcast(operation, a):
    source, target = operation.operands[0].type, operation.result.type
    if source.is_pointer and target.is_pointer:
        return f'({target.code}){a}'
    if source.element == 'i1' or target.element == 'i1':
        return f'({target.code}){a}'
    return f'triton_musa::bits<{target.code}>({a})'


def _clampf(operation, value, low, high):
    type_ = operation.result.type
    cast = 'double' if type_.element == 'f64' else 'float'
    suffix = '_or_nan' if 'all' in operation.header else ''
    return (f'({type_.code})triton_musa::lesser{suffix}<{cast}>(triton_musa::greater{suffix}<{cast}>({value}, {low}), {high})')


def _extern(operation, *operands):
    return libdevice.call(operation.attributes['symbol'], operands, [value.type for value in operation.operands], operation.result.type)


def _mulhi(operation, a, b):
    code = unsigned(operation.result.type)
    return f'({operation.result.type.code})triton_musa::multiply_high(({code}){a}, ({code}){b})'


def _fabs(operation, a):
    type_ = operation.result.type
    return f'({type_.code})__builtin_fabs{"" if type_.element == "f64" else "f"}({a})'


_WRITERS = {
    'arith.addi': _integer('+'), 'arith.subi': _integer('-'), 'arith.muli': _integer('*'),
    'arith.addf': _float('+'), 'arith.subf': _float('-'), 'arith.mulf': _float('*'), 'arith.divf': _float('/'),
    'arith.andi': _bitwise('&'), 'arith.ori': _bitwise('|'), 'arith.xori': _bitwise('^'),
    'arith.divsi': _call('triton_musa::divide'), 'arith.remsi': _call('triton_musa::remainder'),
    'arith.divui': _call('triton_musa::divide', True), 'arith.remui': _call('triton_musa::remainder', True),
    'arith.shli': _call('triton_musa::shift_left', True), 'arith.shrsi': _call('triton_musa::shift_right'),
    'arith.shrui': _call('triton_musa::shift_right', True),
    'arith.minsi': _extreme('<', False), 'arith.maxsi': _extreme('>', False),
    'arith.minui': _extreme('<', True), 'arith.maxui': _extreme('>', True),
    'arith.maxnumf': _float_extreme('greater'), 'arith.minnumf': _float_extreme('lesser'),
    'arith.maximumf': _float_extreme('greater_or_nan'), 'arith.minimumf': _float_extreme('lesser_or_nan'),
    'arith.negf': lambda operation, a: f'({operation.result.type.code})(-({a}))', 'arith.remf': _math('fmod'),
    'arith.cmpi': _cmpi, 'arith.cmpf': _cmpf, 'arith.select': _select, 'arith.extsi': _extsi, 'arith.extui': _extui,
    'arith.trunci': _trunci, 'arith.extf': _float_cast, 'arith.truncf': _float_cast, 'tt.fp_to_fp': _float_cast,
    'arith.sitofp': _sitofp, 'arith.uitofp': _uitofp, 'arith.fptosi': _to_integer(False), 'arith.fptoui': _to_integer(True),
    'arith.bitcast': _bitcast, 'tt.bitcast': _bitcast, 'arith.index_cast': _cast,
    'tt.int_to_ptr': lambda operation, a: f'({operation.result.type.code})(uint64_t){a}',
    'tt.ptr_to_int': lambda operation, a: f'({operation.result.type.code})(uint64_t){a}',
    'tt.addptr': lambda operation, pointer, offset: f'({pointer} + {offset})',
    'tt.clampf': _clampf, 'tt.mulhiui': _mulhi, 'tt.extern_elementwise': _extern,
    'tt.precise_sqrt': _math('sqrt'), 'tt.precise_divf': _float('/'), 'tt.approx_divf': _float('/'),
    'math.absf': _fabs, 'math.absi': lambda operation, a: f'({operation.result.type.code})({a} < 0 ? 0 - ({unsigned(operation.result.type)}){a} : {a})',
}
for _name in ('exp', 'exp2', 'log', 'log2', 'log10', 'log1p', 'expm1', 'sin', 'cos', 'tan', 'tanh', 'sqrt', 'rsqrt', 'erf', 'floor', 'ceil',
              'fma', 'trunc', 'atan', 'sinh', 'cosh', 'asin', 'acos', 'cbrt'):
    _WRITERS[f'math.{_name}'] = _math(_name)
_WRITERS['math.round'], _WRITERS['math.roundeven'] = _math('round'), _math('rint')
_WRITERS['math.powf'], _WRITERS['math.copysign'], _WRITERS['math.atan2'] = _math('pow'), _math('copysign'), _math('atan2')


def is_known(operation):
    return operation.name in _WRITERS


def expression(operation, operands):
    """C++ of an element of the result."""
    if operation.name not in _WRITERS:
        raise Unsupported(f'{operation.name} is not supported on musa')
    return _WRITERS[operation.name](operation, *operands)


def lists_of(text, type_):
    """The elements of a constant with `dense<...>`: one text for all, or a list in the order of rows."""
    inner = text[text.index('<') + 1:text.rindex('>')]
    if inner.startswith('"0x'):
        raw = bytes.fromhex(inner[3:-1])
        size = type_.bits // 8
        if type_.element == 'i1':
            return [str(raw[place // 8] >> place % 8 & 1) for place in range(type_.count)]
        return [hex(int.from_bytes(raw[place:place + size], 'little')) if type_.is_float
                else str(int.from_bytes(raw[place:place + size], 'little', signed=True)) for place in range(0, len(raw), size)]
    if inner.startswith('['):
        return [item.strip() for item in inner.replace('[', '').replace(']', '').split(',')]
    return inner
