#!/usr/bin/env python3
"""-Wvendor names each gap of vendor.yml at its line, once for both passes, with its remedy, and no like code; without it nothing is
said. usage: run.py SDK MAPPINGS FOLDER
"""
import pathlib
import re
import subprocess
import sys

import yaml

HERE = pathlib.Path(__file__).resolve().parent
INCLUDES = ['musa_runtime.h', 'musa_bf16.h', 'musa_fp16.h', 'cooperative_groups.h', 'mccl.h', 'mublas.h', 'mudnn.h', 'mupti.h', 'cub/cub.cuh']
HOST = 'void host{number}(void* p, musaStream_t s, musaGraph_t g, musaGraphExec_t e) {{ {code} (void)p, (void)s, (void)g, (void)e; }}'
DEVICE = '__device__ void device{number}(int x) {{ {code} }}'


def load(mappings):
    sys.path.insert(0, str(mappings / 'tools'))
    import vendor
    return {gap['id']: gap for gap in vendor.load(mappings)}


def lineOf(number, case):
    for form, text in (('include', '{code}'), ('file', '{code}'), ('host', HOST), ('device', DEVICE)):
        if form in case:
            return text.format(number=number, code=case[form])
    return None


def sourceOf(cases, which):
    """The text, and for each gap's id the number of its line."""
    rows = [(identity, case[which]) for identity, case in cases.items()]
    includes = [(identity, case['include']) for identity, case in rows if 'include' in case]
    lines = [f'#include <{name}>' for name in INCLUDES]
    places = {}
    for identity, line in includes:
        lines.append(line)
        places[identity] = len(lines)
    lines.append('struct Less { __host__ __device__ bool operator()(int a, int b) const { return a < b; } };')
    for number, (identity, case) in enumerate(rows):
        if 'include' in case or 'options' in case:
            continue
        lines.append(lineOf(number, case))
        places[identity] = len(lines)
    return '\n'.join(lines) + '\nint main() {}\n', places


def folderOf(folder, name, text):
    """A source, with stand-ins for the headers of others."""
    place = folder / name
    for header in ('include/torch/types.h', 'include/torch/headeronly/util/Half.h', 'torch_of_ours.h'):
        (place / header).parent.mkdir(parents=True, exist_ok=True)
        (place / header).write_text('#pragma once\n')
    (place / 'a.mu').write_text(text)
    return place


class Checks:
    def __init__(self, sdk, mappings, folder):
        self.sdk, self.folder = sdk, folder
        self.gaps = load(mappings)
        self.cases = yaml.safe_load((HERE / 'cases.yml').read_text(encoding='utf-8'))
        self.problems = []

    def mcc(self, place, *options, phase='-fsyntax-only', source='a.mu'):
        command = [f'{self.sdk}/bin/mcc', phase, '--offload-arch=mp_31', '-I', 'include', *options, source]
        return subprocess.run(command, capture_output=True, text=True, cwd=place).stderr

    def expect(self, condition, text):
        if not condition:
            self.problems.append(text)

    def named(self, text):
        """{line: messages}"""
        found = {}
        for line, message in re.findall(r'a\.mu:(\d+):\d+: warning: (.*\[-Wvendor\])', text):
            found.setdefault(int(line), []).append(message)
        return found

    def sayAll(self):
        text, places = sourceOf(self.cases, 'fires')
        place = folderOf(self.folder, 'fires', text)
        output = self.mcc(place, '-Wvendor')
        found = self.named(output)
        for identity, line in places.items():
            messages = found.get(line, [])
            subject = f"'{self.cases[identity]['fires']['says']}'"
            gap = self.gaps[identity]
            matching = [one for one in messages if one.startswith(subject)]
            self.expect(len(matching) == 1, f'{identity}: {len(matching)} warnings of {subject} in line {line}: {messages}')
            for one in matching:
                self.expect(gap['reason'] in one and gap['remedy'] in one and gap['source'] in one, f'{identity}: {one}')
        lines = set(places.values())
        self.expect(not set(found) - lines, f'warnings of other lines: { {k: v for k, v in found.items() if k not in lines} }')

    def sayNothing(self):
        text, _ = sourceOf(self.cases, 'quiet')
        place = folderOf(self.folder, 'quiet', text)
        output = self.mcc(place, '-Wvendor')
        self.expect('[-Wvendor]' not in output and 'error' not in output, f'quiet code: {output}')
        fires = self.mcc(self.folder / 'fires')
        self.expect('Wvendor' not in fires, f'without -Wvendor: {fires}')

    def options(self):
        place = folderOf(self.folder, 'options', 'int main() {}\n')
        for identity, case in self.cases.items():
            for which in ('fires', 'quiet'):
                options = case[which].get('options')
                if options is None:
                    continue
                # What is to say nothing need not compile as well: options are mcc's own to judge.
                output = self.mcc(place, '-Wvendor', *options, *(['--dryrun'] if which == 'quiet' else []))
                said = re.findall(r"mcc: warning: ('.*' .*\[-Wvendor\])", output)
                if which == 'quiet':
                    self.expect(not said, f'{identity}: {options}: {said}')
                    continue
                self.expect(len(said) == 1 and said[0].startswith(f"'{case[which]['says']}'") and self.gaps[identity]['remedy'] in said[0],
                            f'{identity}: {options}: {output}')
                self.expect('Wvendor' not in self.mcc(place, *options, '--dryrun'), f'{identity}: {options} without -Wvendor')

    def otherSources(self):
        """PyTorch's headers where __CUDA__ is taken back; host sources; code that one architecture has."""
        place = folderOf(self.folder, 'others', '#include <torch/types.h>\nint main() {}\n')
        self.expect('Wvendor' not in self.mcc(place, '-Wvendor', '-U__CUDA__'), 'torch/types.h with -U__CUDA__')
        (place / 'b.cpp').write_text('#include <musa_runtime_api.h>\nint main() { void* p; return musaMallocAsync(&p, 4, 0); }\n')
        output = self.mcc(place, '-Wvendor', phase='-c', source='b.cpp')
        self.expect(len(re.findall(r"b\.cpp:2:\d+: warning: 'musaMallocAsync'", output)) == 1, f'host source: {output}')
        (place / 'a.mu').write_text('__device__ int f(int x) {\n#if __MUSA_ARCH__ == 310\n  return __byte_perm(x, 1, 2);\n#endif\n  return x;\n}\n')
        output = self.mcc(place, '-Wvendor', '--offload-arch=mp_22')
        self.expect(self.named(output).keys() == {3}, f'code of mp_31: {output}')

    def run(self):
        self.expect(self.cases.keys() == self.gaps.keys(), f'without a case, or without a gap: {self.cases.keys() ^ self.gaps.keys()}')
        if not self.problems:
            self.sayAll()
            self.sayNothing()
            self.options()
            self.otherSources()
        print('\n'.join(self.problems) or f'{len(self.cases)} gaps')
        return 1 if self.problems else 0


if __name__ == '__main__':
    sdkFolder, mappingsFolder, work = sys.argv[1:]
    sys.exit(Checks(sdkFolder, pathlib.Path(mappingsFolder), pathlib.Path(work).resolve()).run())
