"""Products of matrices."""
from triton_musa.emit.function import writes
from triton_musa.errors import Unsupported


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


@writes('tt.dot_scaled')
def dot_scaled(emitter, operation):
    raise Unsupported('tl.dot_scaled is not supported on musa')
