#!/usr/bin/env python3
"""Lines per CPU-second of musaport beside a one-pass perl tokenizer, each on one core, in one run.

    benchmark.py MUSAPORT MAPPINGS SOURCES [--runs 5] [--semantic SDK]

Then the wall time of a whole port, written, beside `cp -r`; and with --semantic, of `--semantic` beside
`clang -fsyntax-only` over the same ported files with the same options, both on all processors.

The perl program is the classic fast way to do a part of this: split words, look each up in a hash of the
same names, write the result to memory. It knows no comments, strings, members, guards or includes. Both
read the same files, and nothing is written to disk. The first ratio is the strict one: perl is given a list of
the files, and what its start and its table take is not counted, while all of musaport's run is, its walk over
the folder included. The second compares whole runs: perl, too, starts, loads and walks. The third leaves out
what each takes for nothing: perl with an empty list, musaport with an empty folder. The CPU time of
musaport on all cores is printed as well: each thread has buffers of its own to fill.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

PERL = r'''
use strict; use warnings; my ($map, $list) = @ARGV; my %h;
open(my $m, '<', $map) or die; while (<$m>) { chomp; my ($a, $b) = split /\t/; $h{$a} = $b; }
my @files; my $bytes = 0;
if (-d $list) {
  # Nothing asks the system about a file whose name tells that it is a source.
  my @folders = ($list);
  while (defined(my $folder = pop @folders)) {
    opendir(my $d, $folder) or die $folder;
    for my $name (readdir $d) {
      if ($name =~ /\.(cuh?|c|cc|cpp|cxx|h|hh|hpp|hxx|inl|inc|ipp|tpp)$/i) { push @files, "$folder/$name"; }
      elsif ($name !~ /^\.(\.|git.*)?$/) { lstat "$folder/$name"; push @folders, "$folder/$name" if -d _; }
    }
  }
} else { open(my $l, '<', $list) or die; @files = <$l>; chomp @files; }
for my $f (@files) { open(my $i, '<:raw', $f) or die $f; local $/; my $t = <$i>;
  $t =~ s/([A-Za-z_][A-Za-z_0-9]*)/$h{$1} || $1/ge; $bytes += length $t; }
print "$bytes\n";
'''
SOURCES = re.compile(r'\.(cuh?|c|cc|cpp|cxx|h|hh|hpp|hxx|inl|inc|ipp|tpp)$', re.I)


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def wall_seconds(command):
    start = time.monotonic()
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def check_same_bytes(*commands):
    written = {subprocess.run(command, check=True, capture_output=True).stdout for command in commands}
    if len(written) != 1:
        sys.exit(f'the peers read different files: {sorted(written)} bytes')


def compare_copy(musaport, sources, runs):
    copies, ports = [], []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            copies.append(wall_seconds(['cp', '-r', sources, folder + '/copy']))
            ports.append(wall_seconds([musaport, sources, '-o', folder + '/port', '-q', '--summary', 'none']))
    print(f'cp -r {min(copies):.3f} s, the port written {min(ports):.3f} s of wall time: ratio {min(ports) / min(copies):.2f}')


def compare_clang(musaport, sources, sdk):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / 'port'
        subprocess.run([musaport, sources, '-o', out, '-q', '--summary', 'none'], check=True)
        units = [str(path) for path in out.rglob('*') if path.suffix in ('.mu', '.cpp', '.cc', '.cxx', '.c')]
        folders = sorted({str(path.parent) for path in out.rglob('helper_*.h')})
        options = [flag for place in folders for flag in ('-I', place)] + ['-isystem', f'{sdk}/include', '-fsyntax-only', '-w', '-ferror-limit=0']
        hip = ['-x', 'hip', '--cuda-host-only', '-nogpuinc', '-nogpulib', '-fdeclspec', '-U__HIP__', '-D__MUSACC__=', '-D__MUSA__=1',
               '-std=gnu++17', '-include', f'{sdk}/lib/musashim/include/mcc_prelude.h']
        commands = [['clang++-19', *options, *(hip if unit.endswith('.mu') else [] if unit.endswith('.c') else ['-std=gnu++17']), unit] for unit in units]

        def check(command):
            subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(check, commands))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        theirs, theirs_cpu = time.monotonic() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        start = time.monotonic()
        mine_cpu = cpu_seconds([musaport, sources, '--semantic', '--musa-path', sdk, '--dry-run', '-q', '--summary', 'none'])
        mine = time.monotonic() - start
    print(f'{len(units)} compilations: clang -fsyntax-only {theirs:.1f} s ({theirs_cpu:.1f} s CPU), --semantic {mine:.1f} s '
          f'({mine_cpu:.1f} s CPU): ratio {mine / theirs:.2f} ({mine_cpu / theirs_cpu:.2f} in CPU)')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('musaport')
    parser.add_argument('mappings')
    parser.add_argument('sources')
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--semantic', metavar='SDK')
    arguments = parser.parse_args()
    sys.path.insert(0, str(pathlib.Path(arguments.mappings) / 'tools'))
    import mapping
    _, entries = mapping.load_entries(arguments.mappings)
    files = [os.path.join(folder, name) for folder, folders, names in os.walk(arguments.sources)
             for name in names if SOURCES.search(name) and '/.git' not in folder]
    lines = sum(pathlib.Path(file).read_bytes().count(b'\n') for file in files)
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        (base / 'map').write_text(''.join(f'{e.name}\t{e.target}\n' for e in entries.values() if e.kind == 'rename'))
        (base / 'list').write_text('\n'.join(files))
        (base / 'port.pl').write_text(PERL)
        perl = ['perl', base / 'port.pl', base / 'map', base / 'list']
        ours = [arguments.musaport, arguments.sources, '--dry-run', '-q', '--summary', 'none']
        (base / 'empty').write_text('')
        empty = ['perl', base / 'port.pl', base / 'map', base / 'empty']
        (base / 'nothing').mkdir()
        idle = [arguments.musaport, base / 'nothing', '--dry-run', '-q', '--summary', 'none', '-j', '1']
        # In turn, so that all meet the same moods of the machine.
        whole = ['perl', base / 'port.pl', base / 'map', arguments.sources]
        check_same_bytes(perl, whole)
        commands = (perl, empty, whole, idle, ours + ['-j', '1'], ours)
        times = [[cpu_seconds(command) for command in commands] for _ in range(arguments.runs)]
    theirs, start, walked, idling, single, mine = (min(column) for column in zip(*times))
    theirs -= start
    print(f'{len(files)} files, {lines} lines, best of {arguments.runs} runs, CPU seconds (user + system)')
    print(f'perl      {theirs:.3f} s  {lines / theirs / 1e6:6.2f} M lines/s (without the {start:.3f} s that load its table)')
    print(f'musaport  {single:.4f} s  {lines / single / 1e6:5.2f} M lines/s on one core: ratio {theirs / single:.1f}')
    print(f'          whole runs: perl {walked:.3f} s, musaport {single:.4f} s: ratio {walked / single:.1f}')
    both, alone = walked - start, single - idling
    print(f'          without both starts: perl {both:.3f} s, musaport {alone:.4f} s: ratio {both / alone:.1f}')
    print(f'          {mine:.4f} s  {lines / mine / 1e6:5.2f} M lines/s of CPU time on all cores: ratio {theirs / mine:.1f}')
    compare_copy(arguments.musaport, arguments.sources, arguments.runs)
    if arguments.semantic:
        compare_clang(arguments.musaport, arguments.sources, arguments.semantic)


if __name__ == '__main__':
    main()
