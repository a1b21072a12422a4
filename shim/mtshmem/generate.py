#!/usr/bin/env python3
"""Writes what follows from api.yml: generate.py API.yml OUTPUT_FOLDER.

mtshmem_detail/host_functions.h    prototypes of the library's functions, for C and C++
mtshmem_detail/device_functions.h  the same names in kernels
mtshmem_entries_N.cpp              the library's entries, in parts that compile side by side
nvshmem_names.h                    CUDA's names as macros
"""
import pathlib
import re
import sys

import yaml

# Written by hand, in mtshmem.h and mtshmemx.h.
OTHERS = """init init_thread query_thread finalize global_exit my_pe n_pes info_get_version info_get_name malloc calloc align free ptr
team_my_pe team_n_pes team_translate_pe team_split_strided team_split_2d team_destroy team_get_config team_t team_config_t
TEAM_WORLD TEAM_SHARED TEAM_INVALID CMP_EQ CMP_NE CMP_GT CMP_LE CMP_LT CMP_GE SIGNAL_SET SIGNAL_ADD THREAD_SINGLE THREAD_FUNNELED
THREAD_SERIALIZED THREAD_MULTIPLE MAJOR_VERSION MINOR_VERSION VENDOR_MAJOR_VERSION VENDOR_MINOR_VERSION VENDOR_PATCH_VERSION MAX_NAME_LEN
VENDOR_STRING STATUS_NOT_INITIALIZED STATUS_IS_BOOTSTRAPPED STATUS_IS_INITIALIZED STATUS_LIMITED_MPG STATUS_FULL_MPG""".split()
EXTENDED = """init_attr get_uniqueid set_attr_uniqueid_args set_attr_mpi_comm_args hostlib_init_attr hostlib_finalize init_status
collective_launch collective_launch_query_gridsize vendor_get_version_info buffer_register buffer_unregister buffer_unregister_all buffer_register_symmetric buffer_unregister_symmetric
cumodule_init cumodule_finalize uniqueid_t
init_attr_t init_status_t TEAM_NODE TEAM_SAME_MYPE_NODE INIT_WITH_UNIQUEID INIT_WITH_MPI_COMM INIT_WITH_SHMEM INIT_THREAD_PES
INIT_ATTR_INITIALIZER UNIQUEID_INITIALIZER SUCCESS ERROR_INVALID_VALUE ERROR_OUT_OF_MEMORY ERROR_NOT_SUPPORTED ERROR_SYMMETRY
ERROR_GPU_NOT_SELECTED ERROR_COLLECTIVE_LAUNCH_FAILED ERROR_INTERNAL mc_ptr""".split()
INTERNAL = "TEAM_SAME_GPU TEAM_GPU_LEADERS".split()  # that programs use all the same
NARROW = re.compile(r'\b(__half|__mt_bfloat16)\b')  # types that C lacks


class Function:
    def __init__(self, name, returns, parameters, body, scopes=False, stream=False, extended=False, stream_returns=None):
        self.name, self.returns, self.parameters, self.body = name, returns, parameters, body
        self.scopes, self.stream, self.extended = scopes, stream, extended
        self.stream_returns = stream_returns or returns

    @property
    def is_cpp(self):
        return bool(NARROW.search(self.returns + self.parameters))

    @property
    def prefix(self):
        return 'mtshmemx_' if self.extended else 'mtshmem_'

    @property
    def arguments(self):
        return [re.search(r'(\w+)$', parameter.strip())[1] for parameter in self.parameters.split(',') if parameter.strip()]


def qualified(body, scope):
    """The expression with mtshmemi:: before its functions and operations."""
    body = re.sub(r'\bScope\b', scope, body)
    names = ('load put putNbi get putWord getWord putStrided getStrided putSignal atomicFetch atomicSet atomicSwap atomicCompareSwap atomicAdd '
             'atomicAnd atomicOr atomicXor atomicFetchAdd atomicFetchAnd atomicFetchOr atomicFetchXor waitUntil test waitAll waitAny waitSome '
             'testAll testAny testSome broadcast fcollect alltoall reduce reduceScatter barrier syncTeam fence quiet waitSignal signalAt '
             'Sum Prod Min Max And Or Xor Host Thread Warp Block Word128')
    return re.sub(r'(?<![\w:])(' + '|'.join(names.split()) + r')(?=[<(,>*])', r'mtshmemi::\1', body)


def functions(data):
    sets = {**data['sets'], 'all': list(data['types'])}
    for family in data['families']:
        chosen = family['types'] if isinstance(family['types'], list) else [family['types']]
        for name in [name for one in chosen for name in sets[one]]:
            words = {'N': name, 'T': data['types'][name]}
            fill = lambda text: text.replace('{N}', words['N']).replace('{T}', words['T'])
            yield Function(fill(family['name']), fill(family['returns']), fill(family['parameters']), fill(family['body']),
                           family.get('scopes', False), family.get('stream', False))
    for width, size in data['widths'].items():
        for family in data['sized']:
            word = 'Word128' if width == 128 else f'uint{width}_t'
            fill = lambda text: text.replace('{W}', str(width)).replace('{B}', str(size)).replace('{X}', word)
            yield Function(fill(family['name']), 'void', family['parameters'], fill(family['body']), True, True)
    for family in data['plain']:
        yield Function(family['name'], family['returns'], family['parameters'], family['body'], family.get('scopes', False),
                       family.get('stream', False), stream_returns=family.get('stream_returns'))
    for family in data['extended']:
        yield Function(family['name'], family['returns'], family['parameters'], family['body'], False, family.get('stream', False), True)


def joined(*parts):
    return ', '.join(part for part in parts if part) or 'void'


def host_header(all_functions):
    out = ['/* Generated from shim/mtshmem/api.yml; do not edit. */', '#ifdef __cplusplus', 'extern "C" {', '#endif']
    for f in sorted(all_functions, key=lambda f: f.is_cpp):
        if f.is_cpp and '#include <musa_fp16.h>' not in '\n'.join(out):
            out += ['#ifdef __cplusplus', '}', '#include <musa_bf16.h>', '#include <musa_fp16.h>', 'extern "C" {']
        out.append(f'{f.returns} {f.prefix}{f.name}({joined(f.parameters)});')
        if f.stream:
            out.append(f'{f.stream_returns} mtshmemx_{f.name}_on_stream({joined(f.parameters, "musaStream_t stream")});')
    return out + ['}', '#endif', '']


def device_header(all_functions):
    out = ['/* Generated from shim/mtshmem/api.yml; do not edit. */']
    for f in all_functions:
        give = '' if f.returns == 'void' else 'return '
        def write(name, scope):
            body = test_any(f, qualified(f.body, scope))
            out.append(f'__device__ inline {f.returns} {name}({joined(f.parameters)}) {{ {give}{body}; }}'.replace('(void)', '()'))
        write(f.prefix + f.name, 'Thread')
        if f.scopes:
            write(f'mtshmemx_{f.name}_warp', 'Warp')
            write(f'mtshmemx_{f.name}_block', 'Block')
    return out + ['']


def test_any(f, body):
    """testAny and testSome also tell what nobody asks for here."""
    return re.sub(r'mtshmemi::(testAny|testSome)\((.*)\)$', r'mtshmemi::\1Alone(\2)', body)


def entries(part):
    out = ['// Generated from shim/mtshmem/api.yml; do not edit.', '#include "mtshmem/host/entries.h"', '', 'extern "C" {']
    for f in part:
        give = '' if f.returns == 'void' else 'return '
        body = test_any(f, qualified(f.body, 'Host'))
        out.append(f'MTSHMEM_EXPORT {f.returns} {f.prefix}{f.name}({joined(f.parameters)}) {{')
        guard = 'OrderCall' if f.name in ('quiet', 'fence') else 'HostCall'
        out.append(f'  const mtshmemi::{guard} call("{f.prefix}{f.name}");')
        out.append(f'  {give}{body};\n}}')
        if f.stream:
            captures = ', '.join(f.arguments)
            out.append(f'MTSHMEM_EXPORT {f.stream_returns} mtshmemx_{f.name}_on_stream({joined(f.parameters, "musaStream_t stream")}) {{')
            work = f'[{captures}] {{ (void)({body}); }}' if f.returns != 'void' else f'[{captures}] {{ {body}; }}'
            if f.name.endswith('_g'):  # what it gives is known once the stream has come there
                out.append(f'  {f.returns} value{{}};')
                out.append(f'  mtshmemi::onStreamNow("mtshmemx_{f.name}_on_stream", stream, [{captures}, &value] {{ value = {body}; }});')
                out.append('  return value;\n}')
                continue
            call = f'mtshmemi::onStream("mtshmemx_{f.name}_on_stream", stream, {work})'
            out.append(f'  {call};' if f.stream_returns == 'void' else f'  return static_cast<{f.returns}>({call});')
            out.append('}')
    return out + ['}  // extern "C"', '']


def names(all_functions):
    ours = []
    for f in all_functions:
        ours.append(f.prefix + f.name)
        if f.stream:
            ours.append(f'mtshmemx_{f.name}_on_stream')
        if f.scopes:
            ours += [f'mtshmemx_{f.name}_warp', f'mtshmemx_{f.name}_block']
    ours += [('MTSHMEM_' if name.isupper() else 'mtshmem_') + name for name in OTHERS]
    ours += [('MTSHMEMX_' if name.isupper() else 'mtshmemx_') + name for name in EXTENDED]
    ours += ['MTSHMEMI_' + name for name in INTERNAL]
    out = ['/* Generated from shim/mtshmem/api.yml; do not edit. NVSHMEM\'s names for MTSHMEM\'s. */']
    for name in ours:
        theirs = name.replace('mtshmem', 'nvshmem', 1).replace('MTSHMEM', 'NVSHMEM', 1)
        out.append(f'#define {theirs} {name}')
    return out + ['']


def write(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    text = '\n'.join(lines)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    data = yaml.safe_load(pathlib.Path(sys.argv[1]).read_text())
    out = pathlib.Path(sys.argv[2])
    all_functions = list(functions(data))
    write(out / 'mtshmem_detail/host_functions.h', host_header(all_functions))
    write(out / 'mtshmem_detail/device_functions.h', device_header(all_functions))
    write(out / 'mtshmem_detail/nvshmem_names.h', names(all_functions))
    parts = 4
    for part in range(parts):
        write(out / f'mtshmem_entries_{part}.cpp', entries(all_functions[part::parts]))


if __name__ == '__main__':
    main()
