"""Stores, atomics, and what a kernel says: device_print, device_assert."""
from triton_musa.emit.elementwise import unsigned
from triton_musa.emit.function import writes
from triton_musa.errors import Unsupported

_CHANGES = {'and': '({c})(old & value)', 'or': '({c})(old | value)', 'xor': '({c})(old ^ value)', 'add': '({c})(old + value)',
            'fadd': '({c})(old + value)', 'max': 'old > value ? old : value', 'min': 'old < value ? old : value',
            'umax': '({u})old > ({u})value ? old : value', 'umin': '({u})old < ({u})value ? old : value'}


def _loop(emitter, shape):
    return emitter.out.loop(shape)


@writes('tt.store')
def store(emitter, operation):
    pointer, value, *mask = operation.operands
    with _loop(emitter, pointer.type.shape) as (index, reads):
        place, text, *masks = (emitter.read(operand, index, reads) for operand in (pointer, value, *mask))
        emitter.out.line(f'{f"if ({masks[0]}) " if masks else ""}*{place} = {text};')


def _atomic(emitter, operation, mask, write):
    """write(texts of the operands) gives the expression whose value is what was there before."""
    operands = [value for value in operation.operands if value is not mask]
    result = operation.results[0] if operation.results else None
    used = result is not None and emitter.is_used(result)
    shape = operands[0].type.shape
    name = None
    if used:
        name = emitter.new_array(result) if shape else emitter.new_scalar(result)
    with _loop(emitter, shape) as (index, reads):
        texts = [emitter.read(value, index, reads) for value in operands]
        target = (f'{name}[{index.linear()}] = ' if shape else f'{name} = ') if used else ''
        condition = f'if ({emitter.read(mask, index, reads)}) ' if mask is not None else ''
        if used and condition:
            emitter.out.line(f'{target}{result.type.code}();')
        emitter.out.line(f'{condition}{target}{write(*texts)};')


@writes('tt.atomic_rmw')
def read_modify_write(emitter, operation):
    kind = operation.header.split(',')[0].strip()
    type_ = operation.operands[1].type
    mask = operation.operands[2] if len(operation.operands) > 2 else None
    code = type_.code

    def write(pointer, value):
        if kind == 'exch':
            return f'triton_musa::exchange<{code}>({pointer}, {value})'
        if kind not in _CHANGES:
            raise Unsupported(f'the atomic operation {kind} is not supported on musa')
        change = _CHANGES[kind].format(c=code, u=unsigned(type_) if type_.is_integer else code)
        return f'triton_musa::update<{code}>({pointer}, [value = {value}]({code} old) -> {code} {{ return {change}; }})'
    _atomic(emitter, operation, mask, write)


@writes('tt.atomic_cas')
def compare_and_swap(emitter, operation):
    code = operation.operands[1].type.code
    mask = operation.operands[3] if len(operation.operands) > 3 else None
    _atomic(emitter, operation, mask, lambda pointer, expected, desired:
            f'triton_musa::compare_exchange<{code}>({pointer}, {expected}, {desired})')


@writes('tt.atomic_load')
def atomic_load(emitter, operation):
    code = operation.results[0].type.code
    mask = operation.operands[1] if len(operation.operands) > 1 else None
    _atomic(emitter, operation, mask, lambda pointer: f'triton_musa::update<{code}>({pointer}, []({code} old) {{ return old; }})')


@writes('tt.atomic_store')
def atomic_store(emitter, operation):
    code = operation.operands[1].type.code
    mask = operation.operands[2] if len(operation.operands) > 2 else None
    _atomic(emitter, operation, mask, lambda pointer, value: f'triton_musa::exchange<{code}>({pointer}, {value})')


@writes('gpu.barrier', 'ttg.barrier', 'tt.barrier')
def barrier(emitter, operation):
    emitter.out.line('__atomic_signal_fence(__ATOMIC_SEQ_CST);')  # a program is one thread


@writes('llvm.intr.assume')
def assume(emitter, operation):
    """Nothing: what is assumed is not used."""


def _literal(text):
    return '"' + ''.join(letter if 32 <= ord(letter) < 127 and letter not in '"\\?' else f'\\{byte:03o}'
                         for letter in text for byte in letter.encode()) + '"'


@writes('tt.print')
def print_(emitter, operation):
    prefix = operation.attributes['prefix'].replace('%', '%%')
    is_hex = operation.attributes.get('hex', False)
    is_signed = operation.attributes.get('isSigned', [])
    head, head_values = 'pid (%d, %d, %d)', 'blockIdx.x, blockIdx.y, blockIdx.z'
    if not operation.operands:
        emitter.out.line(f'printf({_literal(head + prefix)} "\\n", {head_values});')
    for place, operand in enumerate(operation.operands):
        type_ = operand.type
        label = f' (operand {place}) ' if len(operation.operands) > 1 else ''
        with _loop(emitter, type_.shape) as (index, reads):
            text = emitter.read(operand, index, reads)
            coordinates = index.coordinates() if type_.shape else []
            places = ' idx (' + ', '.join(f'%{len(str(size - 1))}d' for size in type_.shape) + ')' if type_.shape else ' idx ()'
            signed = place >= len(is_signed) or is_signed[place]
            form, value = _print_form(type_, text, is_hex, signed)
            values = ''.join(f', (int)({coordinate})' for coordinate in coordinates)
            emitter.out.line(f'printf({_literal(head + places + prefix + label)} "{form}\\n", {head_values}{values}, {value});')


def _print_form(type_, text, is_hex, signed):
    if type_.is_pointer:
        return '%p', f'(void*){text}'
    if is_hex:
        return (f'0x%0{type_.bits // 4}llx',
                f'(unsigned long long)triton_musa::bits<uint{type_.bits}_t>({"(uint8_t)" if type_.element == "i1" else ""}{text})')
    if type_.is_float:
        return '%f', f'(double){"" if type_.element == "f64" else "(float)"}{text}'
    if type_.element == 'i1' or not signed:
        return '%llu', f'(unsigned long long)({unsigned(type_)}){text}'
    return '%lld', f'(long long){text}'


@writes('tt.assert')
def assert_(emitter, operation):
    condition = operation.operands[0]
    message = operation.attributes.get('message')
    if message is None:
        from triton_musa.ttir.text import end_of_string, unquote
        start = operation.header.index('"')
        message = unquote(operation.header[start:end_of_string(operation.header, start)])
    place = emitter.locations.place(operation.location) or ('unknown', 0)
    with _loop(emitter, condition.type.shape) as (index, reads):
        text = emitter.read(condition, index, reads)
        emitter.out.line(f'if (!{text}) __assert_fail({_literal(message)}, {_literal(place[0])}, {place[1]}, '
                         f'{_literal(emitter.function.attributes["sym_name"])});')


@writes('tt.elementwise_inline_asm')
def inline_assembly(emitter, operation):
    raise Unsupported('tl.inline_asm_elementwise is not supported on musa, since there is no assembler for PTX; write the expression in '
                      'Triton, or call a function of tl.extra.libdevice')
