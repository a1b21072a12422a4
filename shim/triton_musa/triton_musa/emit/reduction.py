"""Reductions, scans, and what moves elements by numbers that are known in the kernel alone."""
from triton_musa.emit.function import writes
from triton_musa.emit.index import Index
from triton_musa.emit.writer import rolled
from triton_musa.errors import Unsupported

_FEW = 4  # elements along an axis that are combined one after another
_LANES = 32  # parts of an axis that are combined side by side


def combine(emitter, operation, operands):
    """Emits the region for elements by their names; gives the names of what it returns."""
    blocks = operation.regions[0].blocks
    for argument, name in zip(blocks[0].arguments, operands):
        emitter.names[argument] = name
    if len(blocks) == 1:
        emitter.operations(blocks[0].operations[:-1])
        return [emitter.names[value] for value in blocks[0].operations[-1].operands]
    # The last block returns.
    emitter.blocks(blocks)
    return [emitter.names[value] for value in blocks[-1].operations[-1].operands]


@writes('tt.map_elementwise.return', 'tt.reduce.return', 'tt.scan.return')
def returned(emitter, operation):
    if operation.block is not operation.block.region.blocks[-1]:
        raise Unsupported('a return before the end of a function for elements is not supported on musa')


class _Axis:
    """The elements of operands along an axis, in loops over the rest."""

    def __init__(self, emitter, operation):
        self.emitter, self.operation = emitter, operation
        self.shape = operation.operands[0].type.shape
        self.axis = operation.attributes['axis'] % len(self.shape)
        self.length = self.shape[self.axis]
        self.outer, self.inner = self.shape[:self.axis], self.shape[self.axis + 1:]
        self.outer_count = _count(self.outer)
        self.inner_count = _count(self.inner)

    def index(self, outer, along, inner):
        """outer, inner: C++ of the numbers among the elements before and behind the axis."""
        if len([size for size in self.outer if size > 1]) < 2 and len([size for size in self.inner if size > 1]) < 2:
            coordinates = ['0' if size == 1 else outer for size in self.outer] + [along] + \
                ['0' if size == 1 else inner for size in self.inner]
            return Index(self.shape, coordinates)
        stride = self.inner_count
        return Index(self.shape, None, f'(({outer} * {self.length} + {along}) * {stride} + {inner})')

    def read(self, outer, along, inner):
        index, reads = self.index(outer, along, inner), {}
        return [self.emitter.read(value, index, reads) for value in self.operation.operands]

    def reduced(self, outer, inner):
        """The number of an element of the result's."""
        if self.inner_count == 1:
            return outer
        return inner if self.outer_count == 1 else f'{outer} * {self.inner_count} + {inner}'


def _count(shape):
    count = 1
    for size in shape:
        count *= size
    return count


@writes('tt.reduce')
def reduce(emitter, operation):
    axis, out = _Axis(emitter, operation), emitter.out
    scalar = not operation.results[0].type.shape
    names = [emitter.new_scalar(value) if scalar else emitter.new_array(value) for value in operation.results]

    def place(name, outer, inner):
        return name if scalar else f'{name}[{axis.reduced(outer, inner)}]'

    outer = out.fresh('o') if axis.outer_count > 1 else '0'
    with out.nest([(outer, axis.outer_count)] if outer != '0' else []):
        if axis.inner_count > 1 or axis.length <= _FEW:
            inner = out.fresh('n') if axis.inner_count > 1 else '0'
            loops = [(inner, axis.inner_count)] if inner != '0' else []
            with out.nest(loops):
                for name, text in zip(names, axis.read(outer, '0', inner)):
                    out.line(f'{place(name, outer, inner)} = {text};')
            if axis.length > 1:
                along = out.fresh('a')
                with out.block(f'for (int {along} = 1; {along} < {axis.length}; ++{along})'), out.nest(loops):
                    texts = axis.read(outer, along, inner)
                    before = [place(name, outer, inner) for name in names]
                    for name, text in zip(before, combine(emitter, operation, [*before, *texts])):
                        out.line(f'{name} = {text};')
            return
        lanes = min(axis.length // 2, _LANES)
        parts = [out.declare(value.type.code, 'h', lanes) for value in operation.operands]
        with out.nest([('i', lanes)]):
            for name, text in zip(parts, axis.read(outer, 'i', '0')):
                out.line(f'{name}[i] = {text};')
        with out.block(rolled(f'for (int r = {lanes}; r < {axis.length}; r += {lanes})', axis.length)), out.nest([('i', lanes)]):
            read = axis.read(outer, '(r + i)', '0')
            for name, text in zip(parts, combine(emitter, operation, [*(f'{name}[i]' for name in parts), *read])):
                out.line(f'{name}[i] = {text};')
        with out.block(f'for (int s = {lanes // 2}; s > 0; s /= 2)'), out.block('for (int i = 0; i < s; ++i)'):
            texts = combine(emitter, operation, [*(f'{name}[i]' for name in parts), *(f'{name}[i + s]' for name in parts)])
            for name, text in zip(parts, texts):
                out.line(f'{name}[i] = {text};')
        for name, part in zip(names, parts):
            out.line(f'{place(name, outer, "0")} = {part}[0];')


@writes('tt.scan')
def scan(emitter, operation):
    axis, out = _Axis(emitter, operation), emitter.out
    names = [emitter.new_array(value) for value in operation.results]
    reverse = operation.attributes.get('reverse', False)
    outer = out.fresh('o') if axis.outer_count > 1 else '0'
    inner = out.fresh('n') if axis.inner_count > 1 else '0'
    loops = [(inner, axis.inner_count)] if inner != '0' else []

    def place(name, along):
        return f'{name}[({outer} * {axis.length} + {along}) * {axis.inner_count} + {inner}]'

    with out.nest([(outer, axis.outer_count)] if outer != '0' else []):
        first = str(axis.length - 1) if reverse else '0'
        with out.nest(loops):
            for name, text in zip(names, axis.read(outer, first, inner)):
                out.line(f'{place(name, first)} = {text};')
        along = out.fresh('a')
        head = (f'for (int {along} = {axis.length - 2}; {along} >= 0; --{along})' if reverse
                else f'for (int {along} = 1; {along} < {axis.length}; ++{along})')
        with out.block(head), out.nest(loops):
            texts = axis.read(outer, along, inner)
            before = [place(name, f'({along} {"+" if reverse else "-"} 1)') for name in names]
            for name, text in zip(names, combine(emitter, operation, [*before, *texts])):
                out.line(f'{place(name, along)} = {text};')


@writes('tt.map_elementwise')
def map_elementwise(emitter, operation):
    pack = operation.attributes.get('pack', 1)
    names = [emitter.new_array(value) for value in operation.results]
    shape = operation.results[0].type.shape
    count = _count(shape)
    with emitter.out.nest([('i', count // pack)]):
        operands = []
        for value in operation.operands:
            for part in range(pack):
                operands.append(emitter.read(value, Index(shape, None, f'(i * {pack} + {part})'), {}))
        results = combine(emitter, operation, operands)
        for place, name in enumerate(names):
            for part in range(pack):
                emitter.out.line(f'{name}[i * {pack} + {part}] = {results[place * pack + part]};')


@writes('tt.histogram')
def histogram(emitter, operation):
    source, *mask = operation.operands
    name, bins = emitter.new_array(operation.result), operation.result.type.count
    with emitter.out.nest([('i', bins)]):
        emitter.out.line(f'{name}[i] = 0;')
    with emitter.out.loop(source.type.shape) as (index, reads):
        text = emitter.read(source, index, reads)
        condition = f' && {emitter.read(mask[0], index, reads)}' if mask else ''
        emitter.out.line(f'if ((uint64_t){text} < {bins}{condition}) ++{name}[{text}];')


@writes('tt.gather')
def gather(emitter, operation):
    source, places = operation.operands
    axis = operation.attributes['axis'] % len(source.type.shape)
    array = emitter.array(source)
    name = emitter.new_array(operation.result)
    with emitter.out.loop(places.type.shape) as (index, reads):
        text = emitter.read(places, index, reads)
        length = source.type.shape[axis]
        along = '0' if length == 1 else f'((uint64_t){text} % {length}u)'
        emitter.out.line(f'{name}[{index.linear()}] = {array}[{index.with_axis(axis, along, source.type.shape).linear()}];')


@writes('tt.cat')
def concatenate(emitter, operation):
    name, start = emitter.new_array(operation.result), 0
    for value in operation.operands:
        with emitter.out.loop(value.type.shape) as (index, reads):
            text = emitter.read(value, index, reads)
            emitter.out.line(f'{name}[{start} + {index.linear()}] = {text};')
        start += value.type.count


@writes('tt.unsplat')
def only_element(emitter, operation):
    value = operation.operands[0]
    name = emitter.new_scalar(operation.result)
    with emitter.out.block():
        text = emitter.read(value, Index(value.type.shape, ['0'] * len(value.type.shape)), {})
        emitter.out.line(f'{name} = {text};')
