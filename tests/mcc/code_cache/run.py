"""Device code that was compiled before is taken from disk, and is what would have been compiled; what has changed is compiled."""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys


class Project:
    def __init__(self, sdk, sources, folder):
        self.sdk, self.sources, self.folder, self.cache = sdk, sources, folder / 'project', folder / 'cache'

    def start(self):
        """Sources as they were, and no code kept. Precompiled headers are."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.cache / 'mcc-code', ignore_errors=True)
        shutil.copytree(self.sources, self.folder)

    def mcc(self, *options, cache=None, mebibytes='100'):
        environment = dict(os.environ, MUSASHIM_CACHE_PATH=str(cache or self.cache), MUSASHIM_CACHE_MIB=mebibytes)
        return subprocess.run([self.sdk / 'bin/mcc', '--offload-arch=mp_31', '-DTHREADS=32', *options], cwd=self.folder, env=environment,
                              capture_output=True, text=True)

    def built(self, *options, source='kernel.mu', **settings):
        """The object, or what is wrong."""
        result = self.mcc(*options, '-c', source, '-o', 'a.o', **settings)
        return (self.folder / 'a.o').read_bytes() if result.returncode == 0 else result.stderr

    def says(self, *options):
        """The program's output, or what is wrong."""
        result = self.mcc(*options, 'kernel.mu', '-o', 'program', '-lmusart')
        if result.returncode != 0:
            return result.stderr
        return subprocess.run([self.folder / 'program'], capture_output=True, text=True).stdout

    def entries(self):
        return sorted(self.cache.glob('mcc-code/*.code'))

    def change(self, file, old, new):
        text = (self.folder / file).read_text()
        assert old in text
        (self.folder / file).write_text(text.replace(old, new))


def same_objects(project):
    for options in (['-O2'], ['-O2', '-g'], ['-O2', '-Od0'], ['-O2', '-fmusa-profile'], ['-O2', '-fmusa-check'], ['-O2', '-fmusa-cpu=x86-64,x86-64-v3']):
        project.start()
        for _ in range(3 if '-g' in options else 1):  # debug information is not the same before the headers are precompiled
            plain = project.built(*options, '-fno-musa-code-cache')
        if not isinstance(plain, bytes) or project.entries():
            yield f'{options} without the cache: {plain if isinstance(plain, str) else project.entries()}'
        made = []
        for time in ('first', 'second', 'third'):
            if project.built(*options) != plain:
                yield f'{options}: the {time} is not as without the cache'
            made.append(len(project.entries()))
        wanted = 2 if ',' in options[-1] else 1
        if made[0] != wanted or made[2] != wanted:
            yield f'{options}: entries after each of three commands: {made}'


def known_code_is_taken(project):
    """An entry with other code in it is what the program then has."""
    project.start()
    first = project.says()
    entry = project.entries()[0]
    project.change('device_value.h', '1000', '2000')
    second = project.says()
    other = next(path for path in project.entries() if path != entry)
    project.change('device_value.h', '2000', '1000')
    shutil.copy(other, entry)
    if (first, second, project.says()) != ('host 1032\n', 'host 2032\n', 'host 2032\n'):
        yield f'{first} {second} {project.says()}: the code is not the entry\'s'
    if project.says('-fno-musa-code-cache') != first:
        yield 'with -fno-musa-code-cache the code is not compiled'


def changes_count(project):
    project.start()
    project.says()
    for file, old, new, options, said, more in (
            ('kernel.mu', '"host"', '"changed"', [], 'changed 1032', 0),  # the host's code alone
            ('kernel.mu', '// A program', '// A source', [], 'changed 1032', 0),
            ('device_value.h', '1000', '3000', [], 'changed 3032', 1),
            ('kernel.mu', '<<<1, THREADS>>>', '<<<1, 64>>>', [], 'changed 3064', 1),  # what code is specialised for
            ('kernel.mu', 'value() +', 'VALUE +', ['-DVALUE=5'], 'changed 69', 1),
            ('kernel.mu', 'VALUE +', 'VALUE + ', ['-DVALUE=6'], 'changed 70', 1),
            ('kernel.mu', 'VALUE +', 'VALUE +', ['-DVALUE=6', '-Od1'], 'changed 70', 1),
            ('kernel.mu', 'VALUE +', 'VALUE +', ['-DVALUE=6', '-Od1', '-Wall', '-I.', '-fcolor-diagnostics'], 'changed 70', 0)):
        before = len(project.entries())
        project.change(file, old, new)
        found = project.says(*options)
        if found != said + '\n' or len(project.entries()) - before != more:
            yield f'{file} with {new} and {options}: {found!r} and {len(project.entries()) - before} more entries'


def relocatable_code(project):
    """The device's code of a program is compiled as it is linked."""
    project.start()
    made = []
    for value in ('1000', '4000', '4000'):
        project.change('device_value.h', 'return ' + ('1000' if value == '1000' else made[-1][1]), 'return ' + value)
        made.append((project.says('-rdc=true'), value, len(project.entries())))
    if made != [('host 1032\n', '1000', 1), ('host 4032\n', '4000', 2), ('host 4032\n', '4000', 2)]:
        yield f'-rdc=true: {made}'


def damaged_entries(project):
    project.start()
    plain = project.built()
    entry = project.entries()[0]
    whole = entry.read_bytes()
    middle = len(whole) // 2
    for what, content in (('empty', b''), ('cut', whole[:middle]), ('another byte', whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1:]),
                          ('no entry', b'\x7fELF' * 100)):
        entry.write_bytes(content)
        if project.built() != plain:
            yield f'with an entry that is {what}, the object is another'
        if entry.read_bytes() != whole:
            yield f'an entry that is {what} is not made anew'
    no_folder = project.folder / 'file'
    no_folder.write_text('a file in place of the folder')
    if project.built(cache=no_folder) != plain:
        yield 'where no folder can be made, the object is another'
    if project.built(cache='none') != plain or (project.folder / 'none').exists():
        yield 'without a folder, the object is another'


def disk_is_full(project):
    project.start()
    plain = project.built()
    if os.geteuid() != 0:
        return
    small = project.folder / 'small'
    small.mkdir()
    if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=4k', 'none', small], capture_output=True).returncode != 0:
        return
    try:
        if project.built(cache=small) != plain or list(small.glob('mcc-code/*')):
            yield f'on a full disk: another object, or left: {list(small.glob("mcc-code/*"))}'
    finally:
        subprocess.run(['umount', small], check=True)


def warnings_are_said_again(project):
    project.start()
    for options, said, status in ((['-Wmusa-fibers'], 'warning: ', 0), (['-Wmusa-fibers', '-Werror'], 'error: ', 1), (['-O2', '-Rpass=inline'], 'remark: ', 0)):
        for time in ('first', 'second', 'third'):
            result = project.mcc(*options, '-c', 'fibers.mu', '-o', 'a.o')
            if said not in result.stderr or (result.returncode != 0) != (status != 0):
                yield f'{options}, the {time} time: {result.returncode}, {result.stderr}'
    if project.entries():
        yield 'code of passes that say something is kept'
    quiet = project.mcc('-c', 'fibers.mu', '-o', 'a.o')
    loud = project.mcc('-Wmusa-fibers', '-c', 'fibers.mu', '-o', 'a.o')
    if quiet.stderr or 'warning: ' not in loud.stderr or len(project.entries()) != 1:
        yield f'a warning that is asked for later: {quiet.stderr}, {loud.stderr}'


def many_at_once(project):
    project.start()
    plain = project.built('-fno-musa-code-cache')

    def build(number):
        name = f'many{number}.o'
        result = project.mcc('-c', 'kernel.mu', '-o', name)
        return result.returncode == 0 and (project.folder / name).read_bytes() == plain

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        if not all(pool.map(build, range(12))):
            yield 'of commands at the same time, not all make the same object'
    if len(project.entries()) != 1 or len(list(project.cache.glob('mcc-code/*'))) != 1:
        yield f'they leave {list(project.cache.glob("mcc-code/*"))}'


def no_more_than_is_allowed(project):
    """The folder is looked at by commands whose entries' names begin with 0 to 3."""
    project.start()
    folder = project.cache / 'mcc-code'
    folder.mkdir(parents=True)
    for number in range(60):
        (folder / f'old{number}.code').write_bytes(bytes(1 << 16))
    value = 1000
    for number in range(80):
        project.change('device_value.h', str(value), str(value + 1))
        value += 1
        project.mcc('--musa-device-only', '-O0', '-c', 'kernel.mu', '-o', 'a.o', mebibytes='1')
        if sum(path.stat().st_size for path in folder.iterdir()) < 1 << 20:
            return
    yield 'more than MUSASHIM_CACHE_MIB is kept'


def main():
    sdk, sources, folder = map(pathlib.Path, sys.argv[1:])
    project = Project(sdk, sources, folder)
    wrong = []
    for check in (same_objects, known_code_is_taken, changes_count, relocatable_code, damaged_entries, disk_is_full, warnings_are_said_again, many_at_once,
                  no_more_than_is_allowed):
        wrong += [f'{check.__name__}: {what}' for what in check(project)]
    print('\n'.join(wrong) or 'as compiled')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
