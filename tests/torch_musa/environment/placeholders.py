#!/usr/bin/env python3
"""Placeholders for CUDA's libraries, so that PyPI's PyTorch can be imported on a machine without them: placeholders.py
TORCH_FOLDER. For a test's own environment alone: every function says that there is no device.

Which libraries and symbols are missing, and with which versions, is read from torch's own libraries.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

NO_DEVICE = 100  # cudaErrorNoDevice, CUDA_ERROR_NO_DEVICE
TEXT_BY_POINTER = {'cuGetErrorString', 'cuGetErrorName', 'cuptiGetResultString', 'cuptiGetErrorMessage'}  # the others return it
OURS = re.compile(r'^lib(cu|nv|nccl|cupti)[\w-]*\.so')


def read(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def needs(library):
    return set(re.findall(r'\(NEEDED\).*\[(.*)\]', read('readelf', '-dW', library)))


def versions(library):
    """{version: library that it is asked of}"""
    found, file = {}, None
    for line in read('readelf', '-VW', library).splitlines():
        if match := re.search(r'File: (\S+)', line):
            file = match[1]
        if (match := re.search(r'Name: (\S+)\s+Flags', line)) and file:
            found[match[1]] = file
    return found


def undefined(library):
    """[(symbol, version or '')]"""
    rows = []
    for line in read('readelf', '--dyn-syms', '-W', library).splitlines():
        fields = line.split()
        if len(fields) >= 8 and fields[6] == 'UND':
            name, _, version = fields[7].partition('@')
            rows.append((name, version.lstrip('@').split('(')[0]))
    return rows


def body(name):
    if name == 'cudaGetDeviceCount':
        return f'int {name}(int* count) {{ *count = 0; return {NO_DEVICE}; }}'
    if name in TEXT_BY_POINTER:
        return f'int {name}(int code, const char** text) {{ *text = "placeholder: no device"; return 0; }}'
    if re.search(r'(String|Name|GetStatusString)$', name):
        return f'const char* {name}(void) {{ return "placeholder: no device"; }}'
    if name == '__cudaRegisterFatBinary':
        return f'static void* kHandle; void** {name}(void* image) {{ return &kHandle; }}'
    return f'int {name}(void) {{ return {NO_DEVICE}; }}'


def is_cudas(name):
    return re.match(r'^_*(cu[A-Z]|cuda|cublas|cudnn|cufft|curand|cusolver|cusparse|cuFile|cupti|nccl|nvrtc|nvtx|nvshmem|nvJitLink|cu[a-z]+[A-Z])', name)


def main():
    folder = pathlib.Path(sys.argv[1]) / 'lib'
    libraries = [path for path in folder.glob('*.so*') if path.is_file() and not OURS.match(path.name)]
    wanted = {name for library in libraries for name in needs(library) if OURS.match(name)}
    wanted = {name for name in wanted if not (folder / name).exists()}
    defined = set()
    for library in libraries:
        for line in read('readelf', '--dyn-syms', '-W', library).splitlines():
            fields = line.split()
            if len(fields) >= 8 and fields[6] != 'UND':
                defined.add(fields[7].split('@')[0])
    symbols = collections.defaultdict(lambda: collections.defaultdict(set))  # library => version => names
    home = sorted(wanted)[0] if wanted else None
    for library in libraries:
        asked = versions(library)
        for name, version in undefined(library):
            if version in asked and asked[version] in wanted:
                symbols[asked[version]][version].add(name)
            elif not version and name not in defined and is_cudas(name):
                symbols[home][''].add(name)
    with tempfile.TemporaryDirectory() as work:
        for library in sorted(wanted):
            source, script = pathlib.Path(work) / 'a.c', pathlib.Path(work) / 'a.map'
            parts = symbols[library]
            names = sorted(set().union(*parts.values())) if parts else []
            source.write_text('\n'.join(body(name) for name in names) + '\n')
            command = ['gcc', '-shared', '-fPIC', '-w', '-o', str(folder / library), f'-Wl,-soname,{library}', str(source)]
            if any(parts):
                script.write_text(''.join(f'{version} {{ {" ".join(f"{n};" for n in sorted(names))} }};\n'
                                          for version, names in parts.items() if version))
                command.append(f'-Wl,--version-script={script}')
            subprocess.run(command, check=True)
    print(f'{len(wanted)} placeholders in {folder}')


if __name__ == '__main__':
    main()
