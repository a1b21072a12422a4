"""Products of matrices."""
from triton_musa.emit.function import writes
from triton_musa.emit.index import Index
from triton_musa.errors import Unsupported
from triton_musa.ttir.text import split


def _precision(operation):
    return operation.attributes.get('inputPrecision', 'ieee')


@writes('tt.dot')
def dot(emitter, operation):
    left, right, sum_ = operation.operands
    result = operation.result.type
    kind = {'i32': 'int32_t', 'f64': 'double'}.get(result.element, 'float')
    convert = '{}'
    if left.type.element == 'f32' and _precision(operation) == 'tf32':
        convert = 'triton_musa::tf32({})'
    first, second = (emitter.array(value, kind, convert) for value in (left, right))
    multiply(emitter, operation, first, second, left.type.shape, right.type.shape, sum_, kind)


def multiply(emitter, operation, first, second, left, right, sum_, kind):
    """first, second: arrays of `kind`, of the shapes left and right."""
    out, value = emitter.out, operation.result
    *batch, rows, depth = left
    columns = right[-1]
    count = 1
    for size in batch:
        count *= size
    exact = value.type.code == kind
    name = emitter.new_array(value) if exact else out.declare(kind, 't', value.type.count)
    if emitter.arrays.get(sum_) != name:
        with out.loop(value.type.shape) as (index, reads):
            text = emitter.read(sum_, index, reads)
            out.line(f'{name}[{index.linear()}] = {text};')
    with out.nest([('b', count)] if count > 1 else []):
        places = [f'{array} + b * {size}' if count > 1 else array
                  for array, size in ((first, rows * depth), (second, depth * columns), (name, rows * columns))]
        out.line(f'triton_musa::multiply<{rows}, {columns}, {depth}, {kind}>({", ".join(places)});')
    if not exact:
        target = emitter.new_array(value)
        with out.nest([('i', value.type.count)]):
            out.line(f'{target}[i] = ({value.type.code}){name}[i];')


_FORMATS = {'e4m3': 'triton_musa::f8e4m3fn', 'e5m2': 'triton_musa::f8e5m2'}


@writes('tt.dot_scaled')
def dot_scaled(emitter, operation):
    """`%a scale %s, %b scale %t, %c lhs = e2m1 rhs = e4m3`: scales are powers of two of a group of elements along the depth."""
    groups = split(operation.header.split(' lhs = ')[0])
    operands, found = list(operation.operands), []
    for group in groups:
        found.append([operands.pop(0) for _ in range(group.count('%'))])
    (left, *left_scale), (right, *right_scale), (sum_,) = found
    formats = [operation.attributes[side] for side in ('lhs', 'rhs')]
    packed = [operation.attributes.get(f'{side}_k_pack', True) for side in ('lhs', 'rhs')]
    *batch, rows, columns = operation.result.type.shape
    if batch:
        raise Unsupported('tl.dot_scaled of more than two axes is not supported on musa')
    halves = 2 if formats[0] == 'e2m1' and packed[0] else 1
    depth = left.type.shape[1] * halves
    first = _scaled(emitter, left, left_scale, formats[0], packed[0], rows, depth, 1)
    second = _scaled(emitter, right, right_scale, formats[1], packed[1], depth, columns, 0)
    multiply(emitter, operation, first, second, (rows, depth), (depth, columns), sum_, 'float')


def _scaled(emitter, value, scale, format_, packed, rows, columns, along):
    """An array of floats. along: the axis of the depth; scales have the other axis first."""
    out = emitter.out
    name = out.declare('float', 't', rows * columns)
    depth = (rows, columns)[along]
    i, j = out.fresh('i'), out.fresh('i')
    with out.nest([(i, rows), (j, columns)]):
        place = [i, j]
        if format_ == 'e2m1':
            axis = along if packed else 1 - along
            half, place[axis] = f'({place[axis]} & 1)', f'({place[axis]} / 2)'
        text = emitter.read(value, Index(value.type.shape, place), {})
        if format_ == 'e2m1':
            text = f'triton_musa::e2m1((uint8_t){text} >> ({half} * 4))'
        elif format_ in _FORMATS and value.type.element == 'i8':
            text = f'(float)triton_musa::bits<{_FORMATS[format_]}>({text})'
        else:
            text = f'(float){text}'
        if scale:
            group = depth // scale[0].type.shape[1]
            other, deep = (i, j) if along == 1 else (j, i)
            factor = emitter.read(scale[0], Index(scale[0].type.shape, [other, f'({deep} / {group})']), {})
            factor = f'triton_musa::e8m0((uint8_t){factor})' if scale[0].type.element == 'i8' else f'(float){factor}'
            text = f'{text} * {factor}'
        out.line(f'{name}[{i} * {columns} + {j}] = {text};')
    return name
