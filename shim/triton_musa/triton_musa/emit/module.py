"""A module of Triton's as a source file of MUSA C++."""
import sys

from triton_musa.emit import control, dots, memory, reduction  # noqa: F401  their writers
from triton_musa.emit.control import function_name
from triton_musa.emit.function import Emitter, signature
from triton_musa.ttir.parser import parse

_RECURSION = 20000  # an expression may be as deep as a kernel is long


def source(text, warps=1):
    """(C++, the kernel's name, bytes of shared memory) of a module's text."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION))
    try:
        functions, locations = parse(text)
        parts, kernel = [], None
        for name, function in functions.items():
            if function.attributes['public']:
                kernel = name
            else:
                parts.append(_head(function) + ';')
        for function in functions.values():
            parts.append(_function(function, locations))
    finally:
        sys.setrecursionlimit(limit)
    shared = max((_between_warps(operation, warps) for function in functions.values() for operation in function.walk()), default=0)
    return '#include "triton_musa.h"\n' + '\n\n'.join(parts) + '\n', kernel, shared


def _between_warps(operation, warps):
    """Bytes that a device's warps hand each other: reductions and scans a value each. Here it is none, but scripts reckon with it."""
    if operation.name not in ('tt.reduce', 'tt.scan'):
        return 0
    return warps * sum(value.type.bits // 8 for value in operation.results)


def _head(function, names=None):
    results, arguments = signature(function)
    name = function.attributes['sym_name']
    names = names or [f'a{place}' for place in range(len(arguments))]
    parameters = [f'{value.type.code} {label}' for value, label in zip(arguments, names)]
    parameters += [f'{type_.code}& result{place}' for place, type_ in enumerate(results)]
    if function.attributes['public']:
        return f'extern "C" __global__ void __launch_bounds__(1) {name}({", ".join(parameters)})'
    return f'__device__ __noinline__ void {function_name(name)}({", ".join(parameters)})'


def _function(function, locations):
    emitter = Emitter(function, locations)
    blocks = function.regions[0].blocks
    for place, value in enumerate(blocks[0].arguments):
        emitter.names[value] = f'a{place}'
    emitter.blocks(blocks)
    return f'{_head(function)} {{\n{emitter.out.text()}\n}}'
