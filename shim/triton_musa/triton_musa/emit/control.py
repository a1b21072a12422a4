"""Programs' ids, loops, branches, calls."""
from triton_musa.emit import alias
from triton_musa.emit.function import writes
from triton_musa.errors import Unsupported

_AXES = {'x': 'x', 'y': 'y', 'z': 'z', '0': 'x', '1': 'y', '2': 'z'}


@writes('tt.get_program_id', 'tt.get_num_programs')
def program(emitter, operation):
    axis = _AXES[str(operation.attributes.get('axis', operation.header.split(' ')[0].strip('{}')))]
    name = emitter.new_scalar(operation.result)
    emitter.out.line(f'{name} = {"blockIdx" if operation.name == "tt.get_program_id" else "gridDim"}.{axis};')


def _assign(emitter, target, value):
    """Gives the variable or array of `target` the value."""
    if not value.type.shape:
        emitter.out.line(f'{emitter.names[target]} = {emitter.names[value]};')
    elif emitter.arrays.get(value) != emitter.arrays[target]:
        _write(emitter, emitter.arrays[target], value)


def _write(emitter, array, value):
    with emitter.out.loop(value.type.shape) as (index, reads):
        text = emitter.read(value, index, reads)
        emitter.out.line(f'{array}[{index.linear()}] = {text};')


def _new(emitter, value):
    return emitter.new_array(value) if value.type.shape else emitter.new_scalar(value)


def _assign_all(emitter, targets, values, in_place=()):
    """All at once: values may be computed of the targets. in_place: those that only read their own element."""
    kept = []
    for target, value in zip(targets, values):
        if target is value or target in in_place or value.type.shape and emitter.arrays.get(value) == emitter.arrays.get(target):
            continue
        name = emitter.out.declare(value.type.code, 'n', value.type.count if value.type.shape else None)
        if value.type.shape:
            _write(emitter, name, value)
        else:
            emitter.out.line(f'{name} = {emitter.names[value]};')
        kept.append((target, name))
    for target, value in zip(targets, values):
        if target in in_place:
            _write(emitter, emitter.arrays[target], value)
    for target, name in kept:
        if not target.type.shape:
            emitter.out.line(f'{emitter.names[target]} = {name};')
        else:
            with emitter.out.nest([('i', target.type.count)]):
                emitter.out.line(f'{emitter.arrays[target]}[i] = {name}[i];')


@writes('scf.for')
def for_loop(emitter, operation):
    low, high, step = (emitter.names[value] for value in operation.operands[:3])
    body = operation.regions[0].blocks[0]
    counter, *carried = body.arguments
    for argument, result, value in zip(carried, operation.results, operation.operands[3:]):
        _new(emitter, argument)
        _assign(emitter, argument, value)
        if result.type.shape:
            emitter.arrays[result] = emitter.arrays[argument]
        else:
            emitter.names[result] = emitter.names[argument]
    code = counter.type.code if not operation.attributes['unsigned'] else 'u' + counter.type.code
    name = emitter.names[counter] = emitter.out.fresh('k')
    ending = _ending(body, 'scf.yield')
    shared, in_place = alias.carried(emitter.plan, ending, carried) if ending else ({}, ())
    for value, argument in shared.items():
        emitter.aliases[value] = emitter.arrays[argument]
    with emitter.out.block(f'for ({code} {name} = {low}; {name} < ({code}){high}; {name} += {step})'):
        emitter.names[counter] = f'({counter.type.code}){name}' if operation.attributes['unsigned'] else name
        emitter.operations(_body(body, ending))
        if ending:
            emitter.at(ending)
            _assign_all(emitter, carried, ending.operands, in_place)


def _ending(block, name):
    """The last operation if it has the name; MLIR prints no scf.yield without values."""
    return block.operations[-1] if block.operations and block.operations[-1].name == name else None


def _body(block, ending):
    return [operation for operation in block.operations if operation is not ending]


@writes('scf.while')
def while_loop(emitter, operation):
    before, after = (region.blocks[0] for region in operation.regions)
    for argument, value in zip(before.arguments, operation.operands):
        _new(emitter, argument)
        _assign(emitter, argument, value)
    for value in (*operation.results, *after.arguments):
        _new(emitter, value)
    with emitter.out.block('while (true)'):
        ending = before.operations[-1]
        emitter.operations(_body(before, ending))
        condition, *values = ending.operands
        with emitter.out.block(f'if (!{emitter.names[condition]})'):
            for result, value in zip(operation.results, values):
                _assign(emitter, result, value)
            emitter.out.line('break;')
        for argument, value in zip(after.arguments, values):
            _assign(emitter, argument, value)
        ending = _ending(after, 'scf.yield')
        emitter.operations(_body(after, ending))
        if ending:
            _assign_all(emitter, before.arguments, ending.operands)


@writes('scf.if')
def branch(emitter, operation):
    for result in operation.results:
        _new(emitter, result)
    heads = [f'if ({emitter.names[operation.operands[0]]})', 'else']
    for head, region in zip(heads, operation.regions):
        with emitter.out.block(head):
            block = region.blocks[0]
            ending = _ending(block, 'scf.yield')
            emitter.operations(_body(block, ending))
            for result, value in zip(operation.results, ending.operands if ending else ()):
                _assign(emitter, result, value)


@writes('cf.br')
def jump(emitter, operation):
    _go(emitter, operation, *operation.successors[0])


@writes('cf.cond_br')
def conditional_jump(emitter, operation):
    first, second = operation.successors
    with emitter.out.block(f'if ({emitter.names[operation.operands[0]]})'):
        _go(emitter, operation, *first)
    _go(emitter, operation, *second)


def _go(emitter, operation, label, values):
    block = next(block for block in operation.block.region.blocks if block.label == label)
    _assign_all(emitter, block.arguments, values)
    emitter.out.line(f'goto {emitter.labels[block]};')


@writes('tt.return')
def give_back(emitter, operation):
    for place, value in enumerate(operation.operands):
        if value.type.shape:
            raise Unsupported('a function that is not inlined and returns a tensor is not supported on musa')
        emitter.out.line(f'result{place} = {emitter.names[value]};')
    emitter.out.line('return;')


@writes('tt.call')
def call(emitter, operation):
    if any(value.type.shape for value in (*operation.operands, *operation.results)):
        raise Unsupported('a call of a function that is not inlined with a tensor is not supported on musa')
    arguments = [emitter.names[value] for value in operation.operands] + [emitter.new_scalar(result) for result in operation.results]
    emitter.out.line(f'{function_name(operation.header[1:].split("(")[0])}({", ".join(arguments)});')


def function_name(symbol):
    """C++'s name of a function that is not inlined."""
    return 'f_' + ''.join(letter if letter.isalnum() else f'_{ord(letter):x}' if letter != '_' else '_' for letter in symbol.strip('"@'))
