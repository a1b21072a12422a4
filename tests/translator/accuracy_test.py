"""Precision and recall over hand-labelled occurrences. accuracy_test.py MUSAPORT THIRD_PARTY

labels.tsv names places in NVIDIA's cuda-samples and nccl-tests, in code, members, directives, includes,
comments and strings, and what each should become. A label whose file is another version (the name is not
at that place) is counted apart. Exit 77 (skipped) if the sources are not there.
"""
import collections
import pathlib
import subprocess
import sys
import tempfile

LABELS = pathlib.Path(__file__).with_name('labels.tsv')


class Record:
    """The edits of a port, from its .musaport."""

    def __init__(self, path):
        self.data, self.at = path.read_bytes(), 0
        assert self.line() == b'musaport record 1'
        self.files = {}
        for _ in range(int(self.line())):
            _, edits, source, target = (int(word) for word in self.line().split())
            names = self.take(source + target + 1)
            entry = (names[source:source + target].decode(), [])
            for _ in range(edits):
                begin, length, original = (int(word) for word in self.line().split())
                entry[1].append((begin, length, self.take(original + 1)[:-1]))
            self.files[names[:source].decode()] = entry

    def line(self):
        end = self.data.index(b'\n', self.at)
        line, self.at = self.data[self.at:end], end + 1
        return line

    def take(self, count):
        self.at += count
        return self.data[self.at - count:self.at]


def became(name, offset, edits, ported):
    """What the name at `offset` of the original is in the ported text."""
    shift = 0
    for begin, length, original in edits:
        where = begin + shift
        if where <= offset < where + len(original):
            new = ported[begin:begin + length]
            head, tail = original[:offset - where], original[offset - where + len(name):]
            # An edit of a whole header or statement: what stands between the same neighbours.
            if new.startswith(head) and new.endswith(tail):
                return new[len(head):len(new) - len(tail)]
            return new
        shift += len(original) - length
    return name


def main():
    musaport, third_party = sys.argv[1], pathlib.Path(sys.argv[2])
    labels = [line.split('\t') for line in LABELS.read_text(encoding='utf-8').splitlines() if not line.startswith('#')]
    projects = {row[0].split('/')[0] for row in labels}
    if not all((third_party / project).is_dir() for project in projects):
        print('skipped: the sources are not in', third_party)
        return 77
    counts, moved = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        records = {}
        for project in projects:
            out = pathlib.Path(folder) / project
            subprocess.run([musaport, third_party / project, '-o', out, '-q', '--summary', 'none'], check=True)
            records[project] = (out, Record(out / '.musaport'))
        for file, line, column, name, context, wanted in labels:
            project, inside = file.split('/', 1)
            text = (third_party / file).read_bytes()
            lines = text.split(b'\n')
            offset = sum(len(row) + 1 for row in lines[:int(line) - 1]) + int(column) - 1
            if text[offset:offset + len(name)] != name.encode():
                moved += 1
                continue
            out, record = records[project]
            target, edits = record.files[inside]
            got = became(name.encode(), offset, edits, (out / target).read_bytes()).decode('latin-1')
            wanted = name if wanted == '=' else wanted
            kind = 'right' if got == wanted else 'miss' if got == name else 'false edit'
            counts[kind] += 1
            counts[context, kind] += 1
            if kind != 'right':
                print(f'{file}:{line}:{column}: {kind}: {name} ({context}) became {got}, wanted {wanted}')
    total = counts['right'] + counts['miss'] + counts['false edit']
    print(f"{total} labels: {counts['right']} right, {counts['false edit']} false edits, {counts['miss']} misses; {moved} of another version")
    for context in sorted({key[0] for key in counts if isinstance(key, tuple)}):
        print(f"  {context:13} " + ', '.join(f'{counts[context, kind]} {kind}' for kind in ('right', 'miss', 'false edit')))
    return 0 if total >= 500 and counts['false edit'] == 0 and counts['miss'] * 100 <= total else 1


if __name__ == '__main__':
    sys.exit(main())
