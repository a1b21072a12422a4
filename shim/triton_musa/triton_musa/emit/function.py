"""A function of Triton's as a function of MUSA C++."""
from triton_musa.emit import elementwise, kinds
from triton_musa.emit.index import Index
from triton_musa.emit.plan import Plan
from triton_musa.emit.writer import Writer
from triton_musa.errors import Unsupported
from triton_musa.ttir.text import outermost

WRITERS = {}  # of operations that are neither views nor elementwise: operation's name -> function(emitter, operation)


def writes(*names):
    def register(function):
        for name in names:
            WRITERS[name] = function
        return function
    return register


class Emitter:
    """names: of scalars. arrays: of tensors that are in memory."""

    def __init__(self, function, locations):
        self.function, self.locations = function, locations
        self.plan = Plan(function)
        self.out = Writer()
        self.names, self.arrays, self.aliases, self.labels, self.tables = {}, {}, {}, {}, {}

    def at(self, operation):
        self.out.at(self.locations.place(operation.location))

    def operations(self, operations):
        for operation in operations:
            self.operation(operation)

    def blocks(self, blocks):
        """A region with jumps between its blocks; the first one's arguments have names."""
        for block in blocks[1:]:
            self.labels[block] = self.out.fresh(block.label)
            for value in block.arguments:
                if value.type.shape:
                    self.new_array(value)
                else:
                    self.new_scalar(value)
        for block in blocks:
            if block in self.labels:
                self.out.line(f'{self.labels[block]}:;')
            self.operations(block.operations)

    def operation(self, operation):
        try:
            self._operation(operation)
        except Unsupported as error:
            place = self.locations.place(operation.location)
            raise Unsupported(error.message, error.place or (place and f'{place[0]}:{place[1]}')) from None

    def _operation(self, operation):
        if operation.name in WRITERS:
            self.at(operation)
            WRITERS[operation.name](self, operation)
        elif kinds.is_lazy(operation):
            value = operation.results[0]
            if not value.type.shape:
                self.at(operation)
                self.names[value] = self.scalar(operation)
            elif value in self.plan.arrays:
                self.at(operation)
                self.materialize(value)
            elif kinds.is_elementwise(operation) and operation.name != 'tt.load' and not elementwise.is_known(operation):
                raise Unsupported(f'{operation.name} is not supported on musa')
        else:
            raise Unsupported(f'{operation.name} is not supported on musa')

    # Scalars.

    def scalar(self, operation):
        type_ = operation.result.type
        if operation.name == 'arith.constant':
            return elementwise.constant(_constant_text(operation), type_)
        name = self.out.declare(type_.code)
        if operation.name == 'ub.poison':
            return name
        operands = [self.names[value] for value in operation.operands]
        if operation.name == 'tt.load':
            self.load(name, operands)
        else:
            self.out.line(f'{name} = {elementwise.expression(operation, operands)};')
        return name

    def load(self, name, operands):
        pointer, mask, other = (*operands, None, None)[:3]
        if mask is None:
            self.out.line(f'{name} = *{pointer};')
        elif other is None:
            self.out.line(f'if ({mask}) {name} = *{pointer};')
        else:
            self.out.line(f'if ({mask}) {name} = *{pointer}; else {name} = {other};')

    def new_scalar(self, value):
        """A variable for a value that is not one yet."""
        self.names[value] = self.out.declare(value.type.code)
        return self.names[value]

    # Tensors.

    def new_array(self, value):
        """An array for a tensor; the one that it is to share, if there is one."""
        if value not in self.arrays:
            self.arrays[value] = self.aliases.get(value) or self.out.declare(value.type.code, 't', value.type.count)
        return self.arrays[value]

    def materialize(self, value, name=None):
        """Writes a tensor into its array, or into that of the name."""
        type_ = value.type
        name = name or self.new_array(value)
        own = self.arrays.pop(value, None) if self.arrays.get(value) == name else None
        with self.out.loop(type_.shape) as (index, reads):
            text = self.read(value, index, reads)
            self.out.line(f'{name}[{index.linear()}] = {text};')
        if own:
            self.arrays[value] = own
        return name

    def array(self, value, code=None, convert='{}'):
        """The name of an array that holds the tensor, as elements of the type `code`."""
        if value in self.arrays and code in (None, value.type.code) and convert == '{}':
            return self.arrays[value]
        name = self.out.declare(code or value.type.code, 't', value.type.count)
        with self.out.loop(value.type.shape) as (index, reads):
            text = self.read(value, index, reads)
            self.out.line(f'{name}[{index.linear()}] = ({code or value.type.code}){convert.format(text)};')
        return name

    def read(self, value, index, reads):
        """C++ of an element. reads: what this loop has read."""
        if not value.type.shape:
            return self.names[value]
        key = (value, index.key)
        if key in reads:
            return reads[key]
        operation = value.operation
        if value in self.arrays:
            text = f'{self.arrays[value]}[{index.linear()}]'
        elif operation is None or not kinds.is_lazy(operation):
            raise AssertionError(f'no array of {operation and operation.name}')
        elif kinds.is_view(operation):
            reads[key] = self.view(value, operation, index, reads)
            return reads[key]
        else:
            operands = [self.read(operand, index, reads) for operand in operation.operands]
            if operation.name == 'tt.load':
                name = self.out.declare(value.type.code, 'x')
                self.load(name, operands)
                reads[key] = name
                return name
            text = elementwise.expression(operation, operands)
        name = self.out.fresh('x')
        self.out.line(f'{value.type.code} const {name} = {text};')
        reads[key] = name
        return name

    def view(self, value, operation, index, reads):
        shape = operation.operands[0].type.shape if operation.operands else ()
        name = operation.name
        if name == 'arith.constant':
            return self.constant_element(operation, index)
        if name == 'ub.poison':
            return f'{value.type.code}()'
        if name == 'tt.make_range':
            return f'((int32_t)({operation.attributes["start"]} + {index.coordinates()[0]}))'
        operand = operation.operands[0]
        if name == 'tt.splat':
            return self.read(operand, index, reads)
        if name == 'tt.expand_dims':
            return self.read(operand, index.without(operation.attributes['axis'], shape), reads)
        if name == 'tt.broadcast':
            return self.read(operand, index.narrowed(shape), reads)
        if name == 'tt.reshape':
            return self.read(operand, index.reshaped(shape), reads)
        if name == 'tt.trans':
            return self.read(operand, index.permuted(operation.attributes['order'], shape), reads)
        if name == 'tt.join':
            inner = Index(shape, index.coordinates()[:-1])
            first, second = (self.read(part, inner, reads) for part in operation.operands)
            return f'({index.coordinates()[-1]} == 0 ? {first} : {second})'
        part = operation.results.index(value)  # of tt.split
        return self.read(operand, Index(shape, [*index.coordinates(), str(part)]), reads)

    def constant_element(self, operation, index):
        type_ = operation.result.type
        items = elementwise.lists_of(_constant_text(operation), type_)
        if isinstance(items, str):
            return elementwise.constant(items, type_)
        if operation not in self.tables:
            name = self.tables[operation] = self.out.fresh('c')
            texts = ', '.join(elementwise.constant(item, type_.scalar()) for item in items)
            self.out.scopes[0][0].append(f'const {type_.code} {name}[{type_.count}] = {{{texts}}};')
        return f'{self.tables[operation]}[{index.linear()}]'

    def is_used(self, value):
        return bool(value.users)


def _constant_text(operation):
    """A constant's value: the text without attributes."""
    text = operation.header
    if text.startswith('{'):  # of the operation's, as overflow flags
        text = text[text.index('}') + 1:].strip()
    for place, letter in outermost(text):
        if letter == ' ':
            return text[:place]
    return text


def signature(function):
    """(results' types, arguments) of a function."""
    return function.attributes['result_types'], function.regions[0].blocks[0].arguments


