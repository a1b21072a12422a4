#!/usr/bin/env python3
"""Does with a folder of inputs what situations.yml says of each: compiles them as they are and ported, at every -O,
with and without -rdc=true, runs them on both warp sizes, and reads what compilers, programs and ports say.

    situations.py SDK ROWS [FOLDER]           ROWS: situations.yml. Without the folder, or without its files: skipped (77)
    situations.py SDK ROWS FOLDER --all       at every -O that a row lists, each with and without -rdc=true
    situations.py SDK ROWS FOLDER --match X   those whose names match

A file without a row in a folder of inputs that the table knows, and a test of ours that a row names and is not there, are
failures too. A folder of inputs that no row names is not covered yet: one line says so.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

TESTS = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


class Wrong(Exception):
    pass


def check(good, what):
    if not good:
        raise Wrong(what)


def run(*command, cwd=None, **environment):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(('CUDA', 'MUSA', 'CMAKE'))}
    result = subprocess.run([str(word) for word in command], cwd=cwd, env={**kept, **environment}, capture_output=True,
                            text=True, errors='replace', timeout=300, check=False)
    return result.returncode, result.stdout + result.stderr


class Situation:
    def __init__(self, row, inputs, sdk, work, every_level):
        self.row, self.sdk, self.work, self.inputs = row, sdk, work, inputs
        self.folder = inputs / row['file']
        if 'without' in row:
            self.folder = shutil.copytree(self.folder, work / self.folder.name)
            for name in row['without']:
                (self.folder / name).unlink()
        self.source = self.folder / row.get('source', '')
        self.every_level = every_level

    def judge(self):
        for kind in ('cmake', 'configures', 'script'):
            if kind in self.row:
                getattr(self, f'judge_{kind}')()
                return
        ported = self.judge_port() if not self.is_ported_already() else None
        if 'refused' in self.row:
            self.judge_refusal()
            return
        ways = {'cuda': self.source, 'port': ported}
        for way in self.row.get('builds', ['cuda', 'port']):
            if ways[way] is not None:
                self.judge_builds(way, ways[way])

    def is_ported_already(self):
        return self.source.suffix == '.mu' or bool(self.row.get('musa'))

    def judge_port(self):
        """The port of the file, within a copy of its folder."""
        brings = [self.inputs / name for name in self.row.get('brings', [])]
        whole = 'source' in self.row or self.source.is_dir() or bool(brings)
        target = self.work / 'ported' if whole else self.work / 'ported' / self.source.with_suffix('.mu').name
        folder = self.folder if self.folder.is_dir() else self.work / 'in'
        if brings:  # a project of its own
            for path in [self.source, *brings]:
                copy = folder / path.relative_to(self.source.parent)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, copy)
        wanted = self.row.get('port', {})
        target.parent.mkdir(parents=True, exist_ok=True)
        status, said = run(self.sdk / 'bin/musaport', folder if whole else self.source, '-o', target)
        check(status == 0, f'musaport: {said}')
        files = sorted(one for one in target.rglob('*') if one.is_file() and one.name != '.musaport') if whole else [target]
        text = '\n'.join(one.read_text() for one in files)
        for part in wanted.get('holds', []):
            check(part in text, f'{part!r} is not in the port:\n{text}')
        for part in wanted.get('lacks', []):
            check(part not in text, f'{part!r} is in the port:\n{text}')
        for pattern in wanted.get('reports', []):
            check(re.search(pattern, said), f'musaport does not report {pattern!r}:\n{said}')
        if 'left' in wanted:
            check(wanted['left'] != ('nothing is left unported' in said), f'musaport says of what is left:\n{said}')
        return next((one for one in files if one.stem == self.source.stem), None)

    def compiler(self, way, folder, *options):
        """The command that compiles as CUDA or as it is (`by`: mcc, nvcc, gcc, g++), or a port (mcc)."""
        by = self.row.get('by', 'mcc') if way == 'cuda' else 'mcc'
        command = {'mcc': self.sdk / 'bin/mcc', 'nvcc': self.sdk / 'cuda/bin/nvcc'}.get(by, by)
        language = ['-x', 'cuda'] if by == 'mcc' and way == 'cuda' and not self.is_ported_already() else []
        return [command, *(option.format(sdk=self.sdk, folder=folder) for option in self.row.get('with', [])), *options, *language]

    def judge_refusal(self):
        status, said = run(*self.compiler('cuda', self.source.parent, '-c', '-o', os.devnull), self.source.name, cwd=self.source.parent)
        errors = [line for line in said.splitlines() if 'error:' in line]
        check(status == 1 and errors and re.search(self.row['refused'], errors[0]), f'not refused as it should be:\n{said}')

    def judge_builds(self, way, source):
        separate = [[], ['-rdc=true']] if self.row.get('rdc', True) else [[]]
        if self.every_level:
            ways = [[f'-O{level}', *more] for level in self.row.get('levels', [0, 1, 2, 3]) for more in separate]
        else:
            levels = {0: ['-O0'], 3: ['-O3', *separate[-1]]}
            ways = [levels[level] for level in self.row.get('quick', [0, 3])] if way == 'cuda' else [['-O2']]
        for options in ways:
            self.judge_build(way, source, options)
        for variant in self.row.get('variants', []):
            if way in variant.get('builds', ['cuda']) and (self.every_level or not variant.get('all')):
                self.judge_build(way, source, variant['with'], variant)

    def judge_build(self, way, source, options, variant=None):
        right = {**self.row, **(variant or {})}
        runs = 'prints' in self.row or 'status' in self.row
        program = self.work / 'program'
        command = self.compiler(way, source.parent, *options, *([] if runs else ['-c']))
        status, said = run(*command, source, '-o', program, *(self.row.get('links', {}).get(way, []) if runs else []))
        where = f'{way} {" ".join(options)}'
        check(status == 0, f'{where}: {said}')
        lines = [line for line in said.splitlines() if re.search(r'(warning|error):', line)]
        warns = right.get('warns')
        check(not lines if warns is None else lines and all(re.search(warns, line) for line in lines), f'{where} says:\n{said}')
        if not runs:
            return
        for arch in right.get('arches', ['mp_22', 'mp_31']):
            for words in right.get('runs', [[]]):
                ended = run(program, *words, MUSASHIM_ARCH=arch, MUSASHIM_DEVICES=str(self.row.get('devices', 1)))
                self.judge_end(right, ' '.join([where, *map(str, words), 'on', arch]), *ended)

    def judge_end(self, right, where, status, said):
        check(status == right.get('status', 0), f'{where} ends with {status}: {said}')
        check(re.search(right.get('prints', ''), said), f'{where} prints:\n{said}')
        for pattern, count in right.get('counts', {}).items():
            check(len(re.findall(pattern, said)) == count, f'{where}: not {count} times {pattern!r}:\n{said}')

    def judge_script(self):
        nvcc = self.sdk / 'cuda/bin/nvcc'
        shell = sys.executable if self.source.suffix == '.py' else 'bash'
        ended = run(shell, self.source, cwd=self.source.parent, MUSA_PATH=str(self.sdk), CC=str(nvcc), TMPDIR=str(self.work),
                    PATH=f'{self.sdk}/bin:{os.environ["PATH"]}')
        self.judge_end(self.row, 'the script', *ended)

    def judge_configures(self):
        status, said = run('cmake', '-S', self.source, '-B', self.work / 'build',
                           f'-DCMAKE_CXX_COMPILER={self.sdk}/cuda/bin/nvcc')
        check(status == 0 and re.search(self.row['configures'], said), f'configures with {status}:\n{said}')

    def judge_cmake(self):
        build = self.work / 'build'
        tools = [] if self.row.get('musa') else [f'-DCMAKE_TOOLCHAIN_FILE={self.sdk}/cmake/cuda_sources.cmake']
        folder = self.source if self.source.is_dir() else self.source.parent
        status, said = run('cmake', '-S', folder, '-B', build, *tools, MUSA_PATH=str(self.sdk))
        check(status == 0, said)
        status, said = run('cmake', '--build', build)
        check(status == 0, said)
        self.judge_end(self.row, 'the program', *run(build / self.row['cmake']))


def rows_and_files(rows, inputs):
    """What is wrong with the table itself."""
    wrong = [f"{row['file']}: no test of ours" for row in rows if not row.get('ours')]
    wrong += [f"{row['file']}: {name} is not there" for row in rows for name in row.get('ours', []) if not (TESTS / name).exists()]
    covered = [inputs / row['file'] for row in rows] + [inputs / name for row in rows for name in row.get('brings', [])]
    for path in sorted(one for folder in known_folders(rows, inputs) for one in folder.rglob('*')):
        if path.is_file() and path.name not in ('README.md', 'run') and not any(path == one or one in path.parents for one in covered):
            wrong.append(f'{path.relative_to(inputs)}: no row says what is right')
    return wrong


def known_folders(rows, inputs):
    """The folders of inputs that the table has rows of."""
    names = {pathlib.PurePath(row['file']).parts[0] for row in rows}
    return [inputs / name for name in sorted(names)]


def unknown_folders(rows, inputs):
    known = known_folders(rows, inputs)
    return [one for one in sorted(inputs.iterdir()) if one.is_dir() and one not in known]


def judged(row, arguments):
    work = pathlib.Path(tempfile.mkdtemp(prefix='situation-'))
    try:
        Situation(row, arguments.folder, arguments.sdk, work, arguments.all).judge()
    except (Wrong, subprocess.TimeoutExpired) as wrong:
        return f"{row['file']}: {wrong}"
    finally:
        shutil.rmtree(work, True)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('sdk', type=pathlib.Path)
    parser.add_argument('rows', type=pathlib.Path)
    parser.add_argument('folder', type=pathlib.Path, nargs='?')
    parser.add_argument('--all', action='store_true')
    parser.add_argument('--match', default='')
    arguments = parser.parse_args()
    arguments.sdk = arguments.sdk.resolve()
    rows = yaml.safe_load(arguments.rows.read_text())['situations']
    missing = [f"{row['file']}: {name} is not there" for row in rows for name in row['ours'] if not (TESTS / name).exists()]
    if arguments.folder is None or not arguments.folder.is_dir():
        print('\n'.join(missing) or 'no folder of inputs')
        return 1 if missing else SKIPPED
    wrong = rows_and_files(rows, arguments.folder)
    for folder in unknown_folders(rows, arguments.folder):
        print(f'{folder.name}: not covered yet, no row names a file of it')
    print(''.join(f'{one}\n' for one in wrong), end='', flush=True)
    chosen = [row for row in rows if re.search(arguments.match, row['file'])]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for one in filter(None, pool.map(lambda row: judged(row, arguments), chosen)):
            print(one, flush=True)
            wrong.append(one)
    print(f'{len(chosen)} situations, {len(wrong)} wrong')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
