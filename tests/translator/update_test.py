"""musaport --update: edits of a ported tree survive the next port, and a kill; so does what other ports write over.
update_test.py MUSAPORT [--kills N] [UpdateTest.NAME...]"""
import json
import pathlib
import random
import re
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
        self.assertEqual(*({name: text for name, text in snapshot(tree).items() if not name.startswith('.musaport-state')}
                           for tree in (self.out, plain)))

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

    def summary(self, *more):
        result = subprocess.run([MUSAPORT, self.source, '-o', self.out, '--update', '-q', '--summary', 'json', *more],
                                capture_output=True, text=True, timeout=120, check=False)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return json.loads(result.stdout)

    def seen(self):
        """How many sources the next update would not port again."""
        result = subprocess.run([MUSAPORT, self.source, '-o', self.out, '--update'],
                                capture_output=True, text=True, timeout=120, check=False)
        return int(re.search(r'(\d+) are as they were', result.stdout)[1]) if 'as they were' in result.stdout else 0

    def test_unchanged_files_are_not_ported_again(self):
        self.update()
        self.assertEqual(self.seen(), 4)
        self.put('1.cu', source(1, '2'))
        self.assertEqual(self.seen(), 3)
        self.assertIn('musaMalloc(p, 2)', self.text('1.mu'))
        self.assertEqual(self.seen(), 4)
        # What the project defines concerns all its files.
        self.put('own.h', 'inline int cudaMalloc(void** p, int n) { return n; }\n')
        self.assertEqual(self.seen(), 0)
        self.assertIn(' cudaMalloc(p, 1)', self.text('0.mu'))
        self.assertEqual(self.seen(), 5)
        (self.source / 'own.h').unlink()
        self.assertEqual(self.seen(), 0)
        self.assertIn(' musaMalloc(p, 1)', self.text('0.mu'))
        self.assertEqual(self.seen(), 4)
        # So do options.
        self.update(0, '--comments', 'keep')
        self.assertEqual(self.seen(), 0)

    def test_what_was_seen_makes_no_difference(self):
        """Edits at random: with and without what was seen, the tree and the report are the same."""
        pieces = ['#define T(x) x##Malloc\n', 'void g(void** p) { T(cuda)(p, 1); }\n', '#include <cutensor.h>\n', 'int cudaFree(int);\n',
                  'namespace mine { int cudaFree; }\n', 'static int cudaMemset;\n', 'int h() { return cudaFree(0); }\n',
                  '#define OP "add.u32"\n', 'void k() { asm(OP " %0, %1, 1;" : "=r"(a) : "r"(b)); }\n', '// cudaMalloc\n',
                  'int musaMalloc;\n', 'int i() { return cudaMemset; }\n', '#if CUDA_VERSION >= 99999\n#endif\n']
        chooser = random.Random(2)
        self.put('CMakeLists.txt', 'project(x CUDA)\nadd_library(nccl 0.cu)\ntarget_link_libraries(x nccl)\n')
        for _ in range(25):
            for _ in range(chooser.randint(0, 2)):
                self.put(f'{chooser.randrange(6)}.cu', ''.join(chooser.choices(pieces, k=chooser.randint(0, 4))))
            report = self.summary()
            kept = snapshot(self.out)
            again = self.root / 'again'
            shutil.rmtree(again, True)
            shutil.copytree(self.out, again)
            (again / '.musaport-state/seen').unlink()
            self.assertEqual(report, self.summary())
            self.assertEqual(kept, snapshot(self.out))
            shutil.rmtree(self.out)
            shutil.copytree(again, self.out)
            self.assertEqual(report, self.summary())
            self.assertEqual(kept, snapshot(self.out))

    def plain(self, *more):
        subprocess.run([MUSAPORT, self.source, '-o', self.out, '-q', *more], check=True, timeout=60)

    def test_after_a_port_without_update(self):
        self.plain()
        edit(self.out / '0.mu', 'int line3;\n', 'int mine;\nint line3;\n')
        edit(self.out / '1.mu', 'int last;', 'int mine;')
        (self.out / 'data.bin').write_bytes(b'mine\0')
        for name in ('0.cu', '2.cu'):
            self.put(name, source(int(name[0]), '2'))
        (self.source / '3.cu').unlink()
        self.update()
        self.assertIn('int mine;\nint line3;\n', self.text('0.mu'))
        self.assertIn('musaMalloc(p, 2)', self.text('0.mu'))
        self.assertIn('int mine;', self.text('1.mu'))
        self.assertIn('musaMalloc(p, 2)', self.text('2.mu'))
        self.assertFalse((self.out / '3.mu').exists())
        self.assertEqual((self.out / 'data.bin').read_bytes(), b'mine\0')
        self.assertFalse((self.out / '.musaport-state/first-port').exists())
        self.update()
        self.assertIn('int mine;\nint line3;\n', self.text('0.mu'))

    def test_copies_after_a_port_without_update(self):
        self.put('notes.txt', 'one\n')
        self.plain()
        time.sleep(0.01)
        self.put('data.bin', 'two\0')  # here alone
        self.update()
        self.assertEqual((self.out / 'data.bin').read_bytes(), b'two\0')
        shutil.rmtree(self.out)
        self.plain()
        (self.out / 'notes.txt').write_text('mine\n', encoding='utf-8')
        self.put('notes.txt', 'changed\n')
        self.assertIn('notes.txt:1: conflict', self.update(1))

    def test_a_plain_port_over_an_updated_one(self):
        self.update()
        self.put('0.cu', source(0, '2'))
        self.plain('--force')
        edit(self.out / '0.mu', 'int line3;\n', 'int mine;\nint line3;\n')
        self.put('0.cu', source(0, '3'))
        self.update()
        self.assertIn('int mine;\nint line3;\n', self.text('0.mu'))
        self.assertIn('musaMalloc(p, 3)', self.text('0.mu'))

    def kill_at_random(self, target, prepare, command, expected, kills):
        """What is found after a kill and the same command again. `expected`: without a kill."""
        start = time.monotonic()
        prepare()
        start = time.monotonic()
        subprocess.run(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=60, check=False)
        took = time.monotonic() - start
        before, halfway = {}, 0
        for number in range(kills):
            prepare()
            before = snapshot(target)
            with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
                time.sleep(random.Random(number).uniform(0, took))
                process.send_signal(random.Random(number).choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT]))
            halfway += snapshot(target) not in (expected, before)
            subprocess.run(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=60, check=False)
            self.assertEqual(snapshot(target), expected, f'kill {number}')
        print(f'{kills} kills, {halfway} of them halfway', file=sys.stderr)

    def test_killed_in_place(self):
        for i in range(40):
            self.put(f'{i}.cu', source(i))
        tree = self.root / 'tree'

        def prepare():
            shutil.rmtree(tree, True)
            shutil.copytree(self.source, tree)

        prepare()
        command = [MUSAPORT, '--in-place', tree, '-q']
        subprocess.run(command, check=True, timeout=60)
        self.kill_at_random(tree, prepare, command, snapshot(tree), KILLS // 2)

    def test_killed_over_an_old_port(self):
        for i in range(40):
            self.put(f'{i}.cu', source(i))
        self.plain()
        old = self.root / 'old'
        self.out.rename(old)
        for i in range(0, 40, 2):
            self.put(f'{i}.cu', source(i, '2'))

        def prepare():
            shutil.rmtree(self.out, True)
            shutil.copytree(old, self.out)

        prepare()
        command = [MUSAPORT, self.source, '-o', self.out, '--force', '-q']
        subprocess.run(command, check=True, timeout=60)
        self.kill_at_random(self.out, prepare, command, snapshot(self.out), KILLS // 2)

    def test_killed_before_there_was_a_port(self):
        for i in range(40):
            self.put(f'{i}.cu', source(i))
        outside = self.root / 'outside'
        out = outside / 'out'

        def prepare():
            shutil.rmtree(outside, True)
            outside.mkdir()

        prepare()
        command = [MUSAPORT, self.source, '-o', out, '--force', '-q']
        subprocess.run(command, check=True, timeout=60)
        self.kill_at_random(outside, prepare, command, snapshot(outside), KILLS // 2)

    def test_edits_after_a_kill_are_kept(self):
        """The steps of a killed run are there, but a file was changed since: that one is not written over."""
        tree = self.root / 'tree'
        shutil.copytree(self.source, tree)
        for name in ('0', '1'):
            (tree / f'.musaport-7-{name}.tmp').write_text('staged\n', encoding='utf-8')
        boot = pathlib.Path('/proc/sys/kernel/random/boot_id').read_text('utf-8')
        fields = [boot]
        for name in ('0', '1'):
            status = (tree / f'{name}.cu').stat()
            stamp = f'{status.st_mtime_ns // 10**9}.{status.st_mtime_ns % 10**9}.{status.st_size}.{status.st_ino}'
            fields += [str(tree / f'.musaport-7-{name}.tmp'), str(tree / f'{name}.cu'), stamp]
        (tree / '.musaport-steps').write_text(''.join(field + '\0' for field in fields), encoding='utf-8')
        (tree / '.musaport-work').write_text(f'7\0{tree}\0', encoding='utf-8')
        time.sleep(0.01)
        (tree / '1.cu').write_text('int mine;\n', encoding='utf-8')
        result = subprocess.run([MUSAPORT, '--in-place', '--no-backup', tree, '-q'], capture_output=True, text=True, timeout=60,
                                check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn('interrupted', result.stderr)
        self.assertEqual((tree / '0.mu').read_text('utf-8'), 'staged\n')
        self.assertEqual((tree / '1.mu').read_text('utf-8'), 'int mine;\n')
        self.assertEqual([name for name in snapshot(tree) if name.startswith('.musaport-')], [])

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
    unittest.main(argv=[sys.argv[0], *(a for a in sys.argv[2:] if a.startswith("UpdateTest"))])
