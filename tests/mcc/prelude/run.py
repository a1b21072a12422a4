"""A source that is compiled behind the precompiled prelude gives the same object; where that might not be, the header is read as it is."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading


class Compiler:
    def __init__(self, sdk, folder, source):
        self.sdk, self.folder, self.source = sdk, folder, source
        self.cache = folder / 'cache'

    def symbols(self, name):
        """Of an object, with their sizes and kinds."""
        listed = subprocess.run(['nm', '-S', name], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        lines = [line[17:] if line[:1] != ' ' else line.strip() for line in listed.splitlines()]
        return sorted(line for line in lines if not re.search(r' (\.L|GCC_except_table)', line))  # numbered as they stand

    def run(self, *options, cached=True, exact=True):
        """The status, the object (its symbols, where it need not be exact), the files that it depends on and the messages."""
        environment = dict(os.environ, MUSASHIM_CACHE_PATH=str(self.cache) if cached else 'none')
        command = [self.sdk / 'bin/mcc', '--offload-arch=mp_31', '-fno-musa-code-cache', '-MMD', '-MF', 'a.d', *options, '-c', self.source, '-o', 'a.o']
        result = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)
        made = None
        if result.returncode == 0:  # clang's modules, which C++20 has by default, leave an empty section in the object
            subprocess.run(['objcopy', '-R', '.linker-options', 'a.o'], cwd=self.folder, check=True)
            made = (self.folder / 'a.o').read_bytes() if exact else self.symbols('a.o')
        depends = sorted((self.folder / 'a.d').read_text().replace('\\\n', ' ').split())  # in any order
        return result.returncode, made, depends, result.stderr

    def headers(self):
        return {path: path.stat().st_mtime_ns for path in self.cache.glob('mcc/*.pch')}


def same_objects(compiler):
    for options in (['-O2'], ['-O3', '-std=c++20'], ['-O0'], ['-O2', '-fmusa-check'], ['-dc'], ['-O2', f'-I{compiler.sdk}/include']):
        plain = compiler.run(*options, cached=False)
        if plain[0] != 0:
            yield f'{options}: {plain[3]}'
        for time in ('first', 'second'):
            if compiler.run(*options) != plain:
                yield f'{options}: the {time} is not as without a cache'


def leading_headers(compiler):
    """Headers of the language's library that a source begins with, its own headers' among them. Functions of templates may stand in another order."""
    source, compiler.source = compiler.source, compiler.source.with_name('leading.mu')
    shutil.rmtree(compiler.cache)
    for options in (['-O2', '-MD'], ['-dc', '-DNDEBUG']):
        plain = compiler.run(*options, cached=False, exact=False)
        if plain[0] != 0:
            yield f'{options}: {plain[3]}'
        for time in ('first', 'second', 'third'):
            if compiler.run(*options, exact=False) != plain:
                yield f'leading headers and {options}: the {time} is not as without a cache'
    counts = [len(compiler.headers())]
    compiler.source = compiler.source.with_name('leading_others.mu')
    for _ in range(3):
        status, _, _, messages = compiler.run('-O2', '-MD')
        if status == 0 or 'no template named' not in messages:
            yield f'a header that the source does not include is seen: {messages}'
        counts.append(len(compiler.headers()))
    if counts[0] == 0 or counts != [counts[0], counts[0], counts[0] + 1, counts[0] + 1]:
        yield f'headers before and after each of three commands that fail in the pass for the device: {counts}'
    compiler.source = source.with_name('leading_part.mu')
    plain = compiler.run('-O2', '-MD', cached=False, exact=False)
    counts = counts[-1:]
    for _ in range(4):
        if compiler.run('-O2', '-MD', exact=False) != plain:
            yield 'where a part of its headers is kept for the device, a source is not compiled as without a cache'
        counts.append(len(compiler.headers()))
    if [count - counts[0] for count in counts] != [0, 0, 2, 2, 2]:  # of the host and the device by the second
        yield f'headers before and after each of four commands, where a part is kept for the device: {counts}'
    compiler.source = source


def leading_headers_of_the_sdk(compiler):
    """The device's variable has its name in the image as well as in the host's code."""
    source, compiler.source = compiler.source, compiler.source.with_name('leading_sdk.mu')

    def made(cached):
        status, symbols, _, messages = compiler.run('-O0', cached=cached, exact=False)
        return status, symbols, messages, (compiler.folder / 'a.o').read_bytes().count(b'gDeviceState')

    plain = made(cached=False)
    if plain[0] != 0 or plain[3] < 3:
        yield f'headers of the SDK: {plain}'
    for time in ('first', 'second', 'third'):
        if made(cached=True) != plain:
            yield f'headers of the SDK: the {time} is not as without a cache'
    compiler.source = source


def functions_of_both_sides(compiler):
    """What the host and the device have by the same name."""
    source, compiler.source = compiler.source, compiler.source.with_name('both_sides.mu')
    for standard in ('c++17', 'c++20'):
        for _ in range(3):
            status, _, _, messages = compiler.run('-O2', f'-std={standard}')
            if status != 0:
                yield f'{standard}: {messages}'
    compiler.source = source


def made_by_the_first(compiler):
    shutil.rmtree(compiler.cache)
    counts = []
    for options in (['-O2'], ['-O3'], ['-O2', '-Wall', '-Werror', '-g', '-fno-omit-frame-pointer']):
        compiler.run(*options)
        counts.append(len(compiler.headers()))
    if counts != [2, 2, 2]:
        yield f'headers after each of three commands: {counts}, of the host and the device by the first'


def macros(compiler):
    """Those whose names the headers do not mention are of the source alone; others, and those that appear where others are defined, are not."""
    source, compiler.source = compiler.source, compiler.source.with_name('macros.mu')
    shutil.rmtree(compiler.cache)
    counts = []
    for options, times in ((['-DANSWER=1'], 3), (['-DANSWER(x)=2'], 1), (['-DANSWER=3', '-UOTHER', '-DOTHER=4'], 1), (['-DANSWER=5', '-DMUSART_CB=CONVENTION', '-DCONVENTION='], 3)):
        plain = compiler.run('-O2', *options, cached=False)
        if plain[0] != 0:
            yield f'{options}: {plain[3]}'
        for time in range(times):
            if compiler.run('-O2', *options) != plain:
                yield f'{options}: command {time} is not as without a cache'
        counts.append(len(compiler.headers()))
    # Of <vector> and the prelude alone, of the host and the device each.
    if counts != [4, 4, 4, 8]:
        yield f'headers with each of four sets of macros: {counts}'
    status, _, _, messages = compiler.run('-O2')
    if status == 0 or 'ANSWER' not in messages:
        yield f'a macro of other commands is defined: {messages}'
    compiler.source = source


def made_again_when_files_change(compiler):
    """What goes on from the prelude alone as well."""
    source, compiler.source = compiler.source, compiler.source.with_name('macros.mu')
    shutil.rmtree(compiler.cache)
    options = ['-O2', '-DANSWER=1']
    for _ in range(2):
        compiler.run(*options)
    for changes in ('all', 'the prelude alone'):
        before = compiler.headers()
        for inputs in compiler.cache.glob('mcc/*.inputs'):
            # As if the first file had been another.
            fields = inputs.read_bytes().split(b'\0')
            if changes == 'all' or not fields[1]:
                fields[7] = b'1 2 3.4'
                inputs.write_bytes(b'\0'.join(fields))
        plain = compiler.run(*options, cached=False)
        if compiler.run(*options) != plain:
            yield f'after a change of {changes} the object is another'
        after = compiler.headers()
        if len(before) != 4 or len(after) != 4 or set(before) & set(after):
            yield f'a change of {changes} did not make new headers in place of the old: {list(before)}, {list(after)}'
    compiler.source = source


def own_headers_come_first(compiler):
    own = compiler.folder / 'own'
    own.mkdir()
    (own / 'vector_types.h').write_text('#define OWN_VECTOR_TYPES 1\n#include_next <vector_types.h>\n')
    for _ in range(3):
        status, _, _, messages = compiler.run('-O2', '-DNEEDS_OWN_HEADER', '-Iown')
        if status != 0:
            yield f'a header of the project in place of the SDK\'s was not read: {messages}'
    if compiler.run('-O2', '-DNEEDS_OWN_HEADER')[0] == 0:
        yield 'without it the source compiles as well'


def others_remove_headers(compiler):
    """As commands do that find more on the disk than may be kept."""
    ends = threading.Event()

    def remove():
        while not ends.wait(0.001):
            for path in compiler.cache.glob('mcc/*.pch'):
                path.unlink(missing_ok=True)

    thread = threading.Thread(target=remove)
    thread.start()
    source = compiler.source
    for compiler.source in (source, source.with_name('macros.mu')):
        for _ in range(4):
            status, _, _, messages = compiler.run('-O0', '-DANSWER=1')
            if status != 0:
                yield f'with headers removed all the time: {messages}'
    compiler.source = source
    ends.set()
    thread.join()
    left = list(compiler.cache.glob('mcc/held/*'))
    if left:
        yield f'commands leave {left}'


def commands_side_by_side(compiler):
    """All of which find nothing, and make it."""
    source, compiler.source = compiler.source, compiler.source.with_name('macros.mu')
    shutil.rmtree(compiler.cache)
    plain = compiler.run('-O2', '-DANSWER=1', cached=False)
    results = {}

    def compile_in(folder):
        folder.mkdir()
        other = Compiler(compiler.sdk, folder, compiler.source)
        other.cache = compiler.cache
        results[folder] = [other.run('-O2', '-DANSWER=1') for _ in range(2)]

    threads = [threading.Thread(target=compile_in, args=(compiler.folder / f'side{number}',)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for folder, twice in results.items():
        if twice != [plain, plain]:
            yield f'{folder.name}: beside other commands the object is another: {[(status, messages) for status, _, _, messages in twice]}'
    compiler.source = source


def no_folder_is_no_error(compiler):
    compiler.cache = compiler.folder / 'a.d' / 'beneath a file'
    if compiler.run('-O2') != compiler.run('-O2', cached=False):
        yield 'where no folder can be made, the object is another'


def main():
    sdk, sources, folder = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    compiler = Compiler(sdk, folder, sources / 'kernel.mu')
    wrong = []
    for check in (same_objects, leading_headers, leading_headers_of_the_sdk, functions_of_both_sides, made_by_the_first, macros, made_again_when_files_change, own_headers_come_first,
                  others_remove_headers, commands_side_by_side, no_folder_is_no_error):
        wrong += check(compiler)
    print('\n'.join(wrong) or 'as without a cache')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
