#!/usr/bin/env python3
"""What CUDA 12.4's headers of the driver, the runtime and NVML declare, by name: the CUDA face has all of it, with the same numbers,
sizes, places of fields and signatures, for the host's compiler and for CUDA sources as they are.

    declared_test.py SDK [ROWS...]     ROWS: files of declared/; without any, all

A row is one of
    value NAME NUMBER            an enumerator or a macro
    type NAME SIZE               `-`: it need not be complete
    field TYPE FIELD OFFSET
    function NAME SIGNATURE

Left out: fields and macros without a meaning (reserved, padding), per-thread spellings, parameters of graph nodes that CUDA 13
extended, and what shim/api/absent.yml and crt/graphics_resources.h give reasons for.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BEGINNING = {'cuda': '#define MUSA_NO_DRIVER_OVERLOADS\n#include <cuda.h>\n#include <cuda_runtime_api.h>\n',
             'nvml': '#define NVML_NO_UNVERSIONED_FUNC_DEFS\n#include <nvml.h>\n'}
# Ports give it another meaning: what MUSA has no counterpart of is ignored (translator/mappings/runtime.yml).
NOT_IN_SOURCES = {'cudaLaunchAttributeProgrammaticStreamSerialization'}


def statement(row, number):
    kind, name, rest = row.split(' ', 2)
    if kind == 'value':
        return f'static_assert((long long)({name}) == {rest}LL, "");'
    if kind == 'type':
        return f'using Type{number} = {name};' if rest == '-' else f'static_assert(sizeof({name}) == {rest}, "");'
    if kind == 'field':
        field, offset = rest.split()
        return f'static_assert(offsetof({name}, {field}) == {offset}, "");'
    return f'auto* const function{number} = static_cast<std::add_pointer_t<{rest}>>(&{name});'


def wrong_rows(rows, beginning, suffix, command):
    """What the compiler says of each row that it does not take."""
    text = f'{beginning}#include <cstddef>\n#include <type_traits>\n'
    first = text.count('\n') + 1
    text += '\n'.join(statement(row, number) for number, row in enumerate(rows)) + '\n'
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / f'declared{suffix}'
        source.write_text(text)
        ran = subprocess.run([*command, str(source)], capture_output=True, text=True, timeout=250, check=False)
    wrong = {}
    for line in ran.stderr.splitlines():
        if found := re.match(rf'\S*declared{re.escape(suffix)}:(\d+):\d+: error: (.*)', line):
            wrong.setdefault(rows[int(found[1]) - first], found[2])
    if ran.returncode != 0 and not wrong:
        sys.exit(ran.stderr)
    return wrong


def main():
    sdk = pathlib.Path(sys.argv[1])
    files = [pathlib.Path(name) for name in sys.argv[2:]] or sorted((HERE / 'declared').glob('*.txt'))
    failed = 0
    for file in files:
        rows = file.read_text().splitlines()
        sources = [row for row in rows if row.split()[1] not in NOT_IN_SOURCES]
        host = ['g++', '-std=c++17', '-fsyntax-only', '-w', f'-I{sdk}/cuda/include']
        device = [str(sdk / 'bin/mcc'), '-x', 'cuda', '-std=c++17', '-fsyntax-only', '-w', '-ferror-limit=0', '--cuda-host-only']
        for where, some, suffix, command in [('host', rows, '.cpp', host), ('CUDA source', sources, '.cu', device)]:
            wrong = wrong_rows(some, BEGINNING[file.stem], suffix, command)
            for row, said in wrong.items():
                print(f'{file.stem}, {where}: {row}: {said}')
            failed += len(wrong)
            print(f'{file.stem}, {where}: {len(some)} declarations, {len(wrong)} wrong')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
