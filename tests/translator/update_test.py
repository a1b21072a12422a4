"""musaport --update: edits of a ported tree survive the next port, and a kill. update_test.py MUSAPORT [--kills N]"""
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

MUSAPORT, KILLS = None, 20


def source(number, size='1'):
    return ('#include <cuda_runtime.h>\n\n' + f'// file {number}\n' + ''.join(f'int line{i};\n' for i in range(40)) +
            f'void f(void** p) {{ cudaMalloc(p, {size}); }}\n\nint last;\n')


def edit(path, old, new):
    text = path.read_text('utf-8')
    assert old in text, (path, old)
    path.write_text(text.replace(old, new), encoding='utf-8')


def snapshot(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob('*')) if p.is_file()}


class UpdateTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix='musaport-'))
        self.addCleanup(shutil.rmtree, self.root, True)
        self.source, self.out = self.root / 'in', self.root / 'out'
        self.source.mkdir()
        for i in range(4):
            self.put(f'{i}.cu', source(i))
        self.put('data.bin', 'one\0')

    def put(self, name, text):
        (self.source / name).write_text(text, encoding='utf-8')

    def update(self, code=0, *more):
        result = subprocess.run([MUSAPORT, self.source, '-o', self.out, '--update', '-q', *more], capture_output=True, text=True,
                                timeout=120, check=False)
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stderr

    def text(self, name):
        return (self.out / name).read_text('utf-8')

    def test_first_is_a_plain_port(self):
        self.update()
        plain = self.root / 'plain'
        subprocess.run([MUSAPORT, self.source, '-o', plain, '-q'], check=True)
        files = {name: text for name, text in snapshot(self.out).items() if not name.startswith('.musaport-state')}
        self.assertEqual(files, snapshot(plain))

    def test_nothing_new_touches_nothing(self):
        self.update()
        before = {p: p.stat().st_mtime_ns for p in self.out.rglob('*') if p.is_file()}
        time.sleep(0.02)
        self.update()
        self.assertEqual({p: p.stat().st_mtime_ns for p in self.out.rglob('*') if p.is_file()}, before)

    def test_edits_and_news_meet(self):
        self.update()
        edit(self.out / '0.mu', 'int line3;\n', 'int mine;\nint line3;\n')
        edit(self.out / '1.mu', 'int last;', 'int mine;')
        self.put('0.cu', source(0, '2'))
        self.update()
        self.assertIn('int mine;\nint line3;\n', self.text('0.mu'))
        self.assertIn('musaMalloc(p, 2)', self.text('0.mu'))
        self.assertIn('int mine;', self.text('1.mu'))
        self.update()
        self.assertIn('int mine;\nint line3;\n', self.text('0.mu'))

    def test_as_git_merges(self):
        chooser = random.Random(1)
        for number in range(30):
            words = [f'w{i}\n' for i in range(12)]
            sides = []
            for side in 'ab':
                lines = list(words)
                for _ in range(chooser.randint(1, 3)):
                    at = chooser.randrange(len(lines))
                    lines[at:at + chooser.randint(0, 2)] = [f'{side}{chooser.randrange(9)}\n'] * chooser.randint(0, 2)
                sides.append(''.join(lines))
            self.put('m.txt', ''.join(words))
            shutil.rmtree(self.out, True)
            self.update()
            (self.out / 'm.txt').write_text(sides[0], encoding='utf-8')
            self.put('m.txt', sides[1])
            merge = [self.root / name for name in ('ours', 'base', 'theirs')]
            for path, text in zip(merge, (sides[0], ''.join(words), sides[1])):
                path.write_text(text, encoding='utf-8')
            git = subprocess.run(['git', 'merge-file', '-p', '-L', 'edited here', '-L', 'base', '-L', 'ported again', *merge],
                                 capture_output=True, text=True, check=False)
            if git.returncode == 0:  # what git merges, and only that, may be merged without a mark
                self.update()
                self.assertEqual(self.text('m.txt'), git.stdout, number)
            else:
                self.update(1)
                self.assertIn('<<<<<<< edited here\n', self.text('m.txt'), number)

    def test_conflict(self):
        self.update()
        edit(self.out / '0.mu', 'musaMalloc(p, 1)', 'musaMalloc(p, 77)')
        self.put('0.cu', source(0, '2'))
        self.assertIn('0.mu:44: conflict', self.update(1))
        self.assertIn('<<<<<<< edited here\nvoid f(void** p) { musaMalloc(p, 77); }\n=======\n'
                      'void f(void** p) { musaMalloc(p, 2); }\n>>>>>>> ported again\n', self.text('0.mu'))
        self.update()  # the next one has nothing new to say

    def test_removed(self):
        self.update()
        (self.out / '0.mu').unlink()
        edit(self.out / '2.mu', 'int last;', 'int mine;')
        for name in ('1.cu', '2.cu'):
            (self.source / name).unlink()
        self.assertIn('2.mu: its source is gone', self.update(1))
        self.assertFalse((self.out / '0.mu').exists())
        self.assertFalse((self.out / '1.mu').exists())
        self.assertIn('int mine;', self.text('2.mu'))
        self.put('0.cu', source(0, '2'))
        self.assertIn('0.mu: was removed here', self.update(1))
        self.assertIn('p, 2', self.text('0.mu'))

    def test_not_text(self):
        self.update()
        (self.out / 'data.bin').write_bytes(b'mine\0')
        self.put('data.bin', 'two\0')
        self.assertIn('data.bin.new', self.update(1))
        self.assertEqual((self.out / 'data.bin').read_bytes(), b'mine\0')
        self.assertEqual((self.out / 'data.bin.new').read_bytes(), b'two\0')

    def test_killed(self):
        for i in range(40):
            self.put(f'{i}.cu', source(i))
        self.update()
        for i in range(0, 40, 3):
            edit(self.out / f'{i}.mu', 'int line3;\n', 'int mine;\nint line3;\n')
        edit(self.out / '0.mu', 'musaMalloc(p, 1)', 'musaMalloc(p, 77)')
        for i in range(0, 40, 2):
            self.put(f'{i}.cu', source(i, '2'))
        before = self.root / 'before'
        shutil.copytree(self.out, before)
        start = time.monotonic()
        self.update(1)
        took = time.monotonic() - start
        expected = snapshot(self.out)
        halfway = 0
        for number in range(KILLS):
            shutil.rmtree(self.out)
            shutil.copytree(before, self.out)
            with subprocess.Popen([MUSAPORT, self.source, '-o', self.out, '--update', '-q'], stderr=subprocess.DEVNULL) as process:
                time.sleep(random.Random(number).uniform(0, took))
                process.send_signal(signal.SIGKILL)
            halfway += snapshot(self.out) not in (expected, snapshot(before))
            subprocess.run([MUSAPORT, self.source, '-o', self.out, '--update', '-q'], stderr=subprocess.DEVNULL, timeout=60, check=False)
            self.assertEqual(snapshot(self.out), expected, f'kill {number}')
        print(f'{KILLS} kills, {halfway} of them halfway', file=sys.stderr)


if __name__ == '__main__':
    MUSAPORT = sys.argv[1]
    if '--kills' in sys.argv:
        KILLS = int(sys.argv[sys.argv.index('--kills') + 1])
    unittest.main(argv=[sys.argv[0]])
