"""Drives musaport as a user does: every flag, every error path. tool_test.py MUSAPORT"""
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

MUSAPORT = None
CU = '#include <cuda_runtime.h>\n#include "k.cuh"\nint main() { return cudaDeviceReset(); }\n'
MU = '#include <musa_runtime.h>\n#include "k.muh"\nint main() { return musaDeviceReset(); }\n'

# What --reverse and --update read.
RECORDS = ('.musaport', '.musaport-state')


class ToolTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix='musaport-'))
        self.addCleanup(shutil.rmtree, self.root, True)
        self.source = self.root / 'in'
        self.put('a.cu', CU)
        self.put('k.cuh', 'void k();\n')
        self.put('data/blob.bin', b'\x00\xffcudaMalloc')
        self.put('Makefile', 'all:\n\tnvcc a.cu\n')

    def put(self, name, text, mode=None):
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        if mode is not None:
            path.chmod(mode)
        return path

    def run_tool(self, *arguments, **options):
        return subprocess.run([MUSAPORT, *map(str, arguments)], capture_output=True, text=True, timeout=60,
                              cwd=self.root, check=False, **options)

    def snapshot(self, folder):
        return {str(p.relative_to(folder)): (p.read_bytes() if p.is_file() else None) for p in sorted(folder.rglob('*'))
                if p.name not in RECORDS and p.parent.name not in RECORDS}

    def names(self, folder):
        return sorted(p.name for p in folder.iterdir() if p.name not in RECORDS)

    def assert_fails(self, result, *words):
        self.assertEqual(result.returncode, 2, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertEqual(result.stderr.count('\n'), 1, 'one line for the user: ' + result.stderr)

    # --- writing ---------------------------------------------------------------------------------

    def test_tree(self):
        out = self.root / 'out'
        result = self.run_tool(self.source, '-o', out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.snapshot(out), {
            'Makefile': b'all:\n\tmcc a.mu\n', 'a.mu': MU.encode(), 'k.muh': b'void k();\n', 'data': None,
            'data/blob.bin': b'\x00\xffcudaMalloc'})
        self.assertIn('1 build files and scripts (1 changed)', result.stdout)
        self.assertIn('nothing is left unported', result.stdout)

    def test_second_run_changes_nothing(self):
        self.run_tool(self.source, '-o', 'out')
        before = self.snapshot(self.root / 'out')
        self.assertEqual(self.run_tool('out', '-o', 'again').returncode, 0)
        self.assertEqual(self.snapshot(self.root / 'again'), before)
        self.assertEqual(self.run_tool('out', '--diff').stdout, '')
        self.assertEqual(self.run_tool('out', '--in-place').returncode, 0)
        self.assertEqual(self.snapshot(self.root / 'out'), before)

    def test_one_file(self):
        self.assertEqual(self.run_tool('in/k.cuh', '-o', 'x.muh').returncode, 0)
        self.assertTrue((self.root / 'x.muh').is_file())

    def test_one_file_into_a_folder(self):
        (self.root / 'folder').mkdir()
        self.assertEqual(self.run_tool('in/k.cuh', '-o', 'folder').returncode, 0)
        self.assertTrue((self.root / 'folder/k.muh').is_file())
        self.assertEqual(self.run_tool('in/k.cuh', '-o', 'new/').returncode, 0)
        self.assertTrue((self.root / 'new/k.muh').is_file())

    def test_several_inputs(self):
        (self.root / 'b.cu').write_text('cudaFree(p);')
        self.assertEqual(self.run_tool('in', 'b.cu', '-o', 'out').returncode, 0)
        self.assertTrue((self.root / 'out/in/a.mu').is_file())
        self.assertEqual((self.root / 'out/b.mu').read_text(), 'musaFree(p);')

    def test_permissions_are_kept(self):
        self.put('run.sh', '#!/bin/sh\n', 0o755)
        self.put('secret.h', 'int x;\n', 0o600)
        self.run_tool(self.source, '-o', 'out')
        self.assertEqual((self.root / 'out/run.sh').stat().st_mode & 0o777, 0o755)
        self.assertEqual((self.root / 'out/secret.h').stat().st_mode & 0o777, 0o600)

    def test_output_inside_input(self):
        for _ in range(2):
            self.assertEqual(self.run_tool('in', '-o', 'in/musa', '--force').returncode, 0)
        self.assertEqual(self.names(self.source / 'musa'), ['Makefile', 'a.mu', 'data', 'k.muh'])

    def test_links(self):
        (self.source / 'same.cu').symlink_to('a.cu')
        (self.source / 'out.h').symlink_to('../outside.h')
        (self.root / 'outside.h').write_text('cudaFree(p);')
        (self.source / 'loop').symlink_to('.')
        (self.source / 'dangling.h').symlink_to('nothing.h')
        result = self.run_tool('in', '-o', 'out')
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(os.readlink(self.root / 'out/same.mu'), 'a.mu')
        self.assertEqual(os.readlink(self.root / 'out/loop'), '.')
        self.assertEqual(os.readlink(self.root / 'out/dangling.h'), 'nothing.h')
        self.assertFalse(os.path.lexists(self.root / 'out/out.h'))
        self.assertIn('leads out of the input', result.stderr)
        self.assertEqual((self.root / 'outside.h').read_text(), 'cudaFree(p);')

    def test_exclude(self):
        self.run_tool('in', '-o', 'out', '--exclude', 'data', '--exclude', '*.cuh')
        self.assertEqual(self.names(self.root / 'out'), ['Makefile', 'a.mu'])

    # --- in place --------------------------------------------------------------------------------

    def test_in_place(self):
        self.put('b.h', 'cudaFree(p);\n', 0o640)
        self.assertEqual(self.run_tool('--in-place', 'in').returncode, 0)
        self.assertEqual((self.source / 'a.mu').read_text(), MU)
        self.assertEqual((self.source / 'a.cu.orig').read_text(), CU)
        self.assertFalse((self.source / 'a.cu').exists())
        self.assertEqual((self.source / 'b.h').read_text(), 'musaFree(p);\n')
        self.assertEqual((self.source / 'b.h').stat().st_mode & 0o777, 0o640)
        self.assertEqual((self.source / 'b.h.orig').read_text(), 'cudaFree(p);\n')
        self.assertEqual((self.source / 'Makefile.orig').read_text(), 'all:\n\tnvcc a.cu\n')

    def test_in_place_backup_folder(self):
        self.run_tool('--in-place', 'in', '--backup-dir', 'keep')
        self.assertEqual((self.root / 'keep/a.cu').read_text(), CU)
        self.assertFalse((self.source / 'a.cu.orig').exists())

    def test_in_place_no_backup(self):
        self.run_tool('--in-place', 'in', '--no-backup')
        self.assertEqual(self.names(self.source), ['Makefile', 'a.mu', 'data', 'k.muh'])

    def test_in_place_refuses_what_exists(self):
        self.put('a.cu.orig', 'old')
        before = self.snapshot(self.source)
        self.assert_fails(self.run_tool('--in-place', 'in'), 'a.cu.orig', 'exists', '--force')
        self.assertEqual(self.snapshot(self.source), before)
        self.assertEqual(self.run_tool('--in-place', 'in', '--force').returncode, 0)

    def test_native_file_of_the_same_name(self):
        self.put('a.mu', 'native')
        before = self.snapshot(self.source)
        self.assert_fails(self.run_tool('--in-place', 'in'), 'a.mu')
        self.assert_fails(self.run_tool('in', '-o', 'out'), 'a.mu', 'exclude')
        self.assertEqual(self.snapshot(self.source), before)

    # --- looking only ----------------------------------------------------------------------------

    def test_diff_applies(self):
        self.put('crlf.h', b'// x\r\ncudaFree(p);\r\ncudaFree(q)')
        before = self.snapshot(self.source)
        result = self.run_tool('in', '--diff')
        self.assertEqual(self.snapshot(self.source), before)
        subprocess.run(['git', 'init', '-q', self.source], check=True)
        # Python's text mode would have changed \r\n.
        patch = subprocess.run([MUSAPORT, 'in', '--diff', '-q'], cwd=self.root, capture_output=True, check=True).stdout
        subprocess.run(['git', 'apply', '-'], input=patch, cwd=self.source, check=True)
        self.assertEqual((self.source / 'a.mu').read_text(), MU)
        self.assertEqual((self.source / 'crlf.h').read_bytes(), b'// x\r\nmusaFree(p);\r\nmusaFree(q)')
        self.assertIn('files:', result.stderr)

    def test_dry_run(self):
        before = self.snapshot(self.root)
        self.assertEqual(self.run_tool('in', '-o', 'out', '--dry-run').returncode, 0)
        self.assertEqual(self.run_tool('in', '--dry-run').returncode, 0)
        self.assertEqual(self.snapshot(self.root), before)

    def test_list_unported_and_strict(self):
        self.put('n.cu', 'nvJitLinkGetInfoLog();\n  nvJitLinkGetInfoLog();\n')
        result = self.run_tool('in', '--list-unported')
        self.assertEqual(result.returncode, 0)
        self.assertIn('n.cu:1:1: warning: nvJitLinkGetInfoLog is left as it is: ', result.stderr)
        self.assertIn('n.cu:2:3: warning', result.stderr)
        brief = self.run_tool('in', '--dry-run')
        self.assertIn('(and 1 more here)', brief.stderr)
        self.assertNotIn('n.cu:2:3', brief.stderr)
        self.assertEqual(self.run_tool('in', '--dry-run', '--strict').returncode, 1)
        self.assertEqual(self.run_tool('in/k.cuh', '--dry-run', '--strict').returncode, 0)

    def test_json(self):
        self.put('n.cu', 'nvJitLinkGetInfoLog(); cudaFree(p);\n')
        self.put('latin\udce9.h'.encode('utf-8', 'surrogateescape').decode('latin-1'), b'ncclFoo("\xe9");\n')
        report = json.loads(self.run_tool('in', '--dry-run', '--summary', 'json').stdout)
        self.assertEqual(report['unported'], 1)
        entry = next(f for f in report['files'] if f['source'] == 'n.cu')
        self.assertEqual(entry['target'], 'n.mu')
        self.assertEqual([(f['kind'], f['subject'], f['line'], f['column']) for f in entry['findings']],
                         [('unported', 'nvJitLinkGetInfoLog', 1, 1), ('name', 'cudaFree', 1, 24)])
        self.assertEqual(report['counts']['runtime'], 2)

    def test_summary_none_quiet_verbose(self):
        self.put('n.cu', 'nvJitLinkGetInfoLog();\n')
        self.assertEqual(self.run_tool('in', '--dry-run', '--summary', 'none').stdout, '')
        quiet = self.run_tool('in', '--dry-run', '-q')
        self.assertEqual(quiet.stdout + quiet.stderr, '')
        self.assertIn('a.cu -> a.mu: 3 edits', self.run_tool('in', '--dry-run', '-v').stderr)

    def test_policies(self):
        self.put('p.h', '// cudaFree\nf("cudaFree", "call cudaFree", R"(cudaFree)");\n')
        def port(*flags):
            self.run_tool('in/p.h', '-o', 'p.out', '--force', *flags)
            return (self.root / 'p.out').read_text()
        self.assertEqual(port(), '// musaFree\nf("musaFree", "call cudaFree", R"(cudaFree)");\n')
        self.assertEqual(port('--comments', 'keep', '--strings', 'keep'), '// cudaFree\nf("cudaFree", "call cudaFree", R"(cudaFree)");\n')
        self.assertEqual(port('--strings', 'names', '--raw-strings', 'code'), '// musaFree\nf("musaFree", "call musaFree", R"(musaFree)");\n')

    def test_help_and_version(self):
        text = self.run_tool('--help').stdout
        self.assertIn('Exit status', text)
        self.assertFalse([c for c in text if ord(c) < 32 and c != '\n'], 'printable text')
        for option in ('--summary {text,json,none}', '--comments {names,keep}', '--strings {symbols,names,keep}',
                       '--raw-strings {auto,code,keep}', '--target {mp_21,mp_22,mp_31}'):
            self.assertIn(option, text)
        self.assertRegex(self.run_tool('--version').stdout, r'^musaport \d+\.\d+\.\d+, \d{4,} known names')

    # --- errors ----------------------------------------------------------------------------------

    def test_usage(self):
        for arguments in ([], ['in'], ['in', '-o'], ['in', '--diff', '--in-place'], ['in', '--summary', 'xml', '--diff'],
                          ['in', '-o', 'x', '--in-place'], ['in', '-o', 'x', '--backup-dir', 'y'], ['in', '--bogus']):
            result = self.run_tool(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn('--help', result.stderr)
        self.assertFalse((self.root / 'x').exists())

    def test_missing_input(self):
        self.assert_fails(self.run_tool('none.cu', '-o', 'out'), 'none.cu', 'No such file', 'check the path')
        self.assert_fails(self.run_tool('in', 'none', '-o', 'out'), 'none')
        self.assertFalse((self.root / 'out').exists())

    def test_dangling_input(self):
        (self.root / 'gone.cu').symlink_to('nothing')
        self.assert_fails(self.run_tool('gone.cu', '-o', 'out'), 'gone.cu', 'No such file')

    def test_unreadable(self):
        # As root, permissions stop nobody; a file that is no file does.
        os.mkfifo(self.root / 'pipe')
        self.assert_fails(self.run_tool('pipe', '-o', 'out'), 'pipe', 'neither a file nor a folder')
        if os.geteuid() != 0:
            self.put('a.cu', CU, 0o000)
            self.assert_fails(self.run_tool('in', '-o', 'out'), 'a.cu', 'Permission denied', 'check the permissions')
            self.assertFalse((self.root / 'out').exists())

    def test_file_that_cannot_be_read(self):
        # /proc/self/mem opens but reading address 0 fails.
        self.assert_fails(self.run_tool('/proc/self/mem', '-o', 'out.cu'), '/mem', 'cannot read')
        self.assertEqual(sorted(os.listdir(self.root)), ['in'])

    def test_existing_output(self):
        (self.root / 'out').mkdir()
        self.assertEqual(self.run_tool('in', '-o', 'out').returncode, 0, 'an empty folder is fine')
        before = self.snapshot(self.root / 'out')
        self.put('a.cu', 'cudaFree(p);')
        self.assert_fails(self.run_tool('in', '-o', 'out'), 'out', 'exists', '--force')
        self.assert_fails(self.run_tool('in/a.cu', '-o', 'out/a.mu'), 'exists', '--force')
        self.assertEqual(self.snapshot(self.root / 'out'), before)
        self.assertEqual(self.run_tool('in', '-o', 'out', '--force').returncode, 0)
        self.assertEqual((self.root / 'out/a.mu').read_text(), 'musaFree(p);')

    def test_output_is_no_file(self):
        pipe = self.root / 'pipe'
        os.mkfifo(pipe)
        self.put('a.cu', 'cudaFree(p);')
        for option in ([], ['--force']):
            self.assert_fails(self.run_tool('in/a.cu', '-o', 'pipe', *option), 'pipe', 'neither a file nor a folder')
            self.assertTrue(pipe.is_fifo(), 'nothing came in its place')

    def test_output_is_the_input(self):
        before = self.snapshot(self.root)
        for output in ('in', '.', 'in/a.cu', 'in/../in'):
            name = 'in/a.cu' if output.endswith('.cu') else 'in'
            self.assert_fails(self.run_tool(name, '-o', output, '--force'), '--in-place')
        self.assertEqual(self.snapshot(self.root), before)

    def test_file_where_a_folder_is_needed(self):
        (self.root / 'file').write_text('x')
        self.assert_fails(self.run_tool('in', '-o', 'file/out'), 'file')
        (self.root / 'out/a.mu').mkdir(parents=True)
        self.assert_fails(self.run_tool('in', '-o', 'out', '--force'), 'a.mu', 'folder')
        self.assertEqual(os.listdir(self.root / 'out'), ['a.mu'])

    def test_file_size_limit_leaves_nothing(self):
        self.put('z_big.h', 'x' * 100000)
        result = self.run_tool('in', '-o', 'out', preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000)))
        self.assert_fails(result, 'z_big.h', 'File too large')
        self.assertFalse((self.root / 'out').exists())

    def test_full_disk_leaves_nothing(self):
        disk = self.root / 'disk'
        disk.mkdir()
        mounted = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest('cannot mount a small tmpfs: ' + mounted.stderr.decode().strip())
        self.addCleanup(subprocess.run, ['umount', disk], check=False)
        self.put('z_big.h', 'cudaFree(p);\n' * 20000)
        self.assert_fails(self.run_tool('in', '-o', disk / 'out'), 'z_big.h', 'No space left', 'free some space')
        self.assertEqual(os.listdir(disk), [])
        shutil.copytree(self.source, disk / 'in', ignore=lambda *_: ['z_big.h'])
        (disk / 'in/b.h').write_text('cudaFree(p);\n' * 2500)
        before = self.snapshot(disk)
        self.assert_fails(self.run_tool('--in-place', disk / 'in'), 'No space left')
        self.assertEqual(self.snapshot(disk), before)

    def test_full_standard_output(self):
        with open('/dev/full', 'w', encoding='ascii') as full:
            result = subprocess.run([MUSAPORT, 'in', '--diff'], cwd=self.root, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assert_fails(result, 'standard output', 'No space left')

    def interrupt(self, arguments, begun):
        """Interrupts the tool as soon as begun(its process id) holds, and checks that all is as before."""
        before = self.snapshot(self.root)
        for _ in range(20):  # on a busy machine the tool may be done before the signal is sent
            process = subprocess.Popen([MUSAPORT, *arguments], cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while process.poll() is None and not begun(process.pid):
                pass
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
            if process.returncode != 0:
                break
            shutil.rmtree(self.root)
            for name, content in before.items():
                if content is None:
                    (self.root / name).mkdir(parents=True)
                else:
                    (self.root / name).write_bytes(content)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn('interrupted: nothing was written', errors)
        self.assertEqual(self.snapshot(self.root), before)

    def test_interrupt_leaves_nothing(self):
        for index in range(3000):
            self.put(f'many/f{index}.cu', CU * 20)

        def staged(folder):
            return lambda _: any('musaport-' in name for name in os.listdir(folder))
        self.interrupt(['-j1', 'in', '-o', 'out'], staged(self.root))
        self.interrupt(['-j1', '--in-place', 'in'], staged(self.source / 'many'))

    def test_large_file(self):
        line = 'cudaFree(p); // cudaMalloc "\n'
        self.put('large.cu', line * 500000)
        self.run_tool('in/large.cu', '-o', 'large.mu')
        self.assertEqual((self.root / 'large.mu').read_text(), line.replace('cuda', 'musa') * 500000)
        (self.root / 'large.mu').unlink()

        def reads(process):
            folder = f'/proc/{process}/fd'
            try:
                return any(os.path.realpath(os.path.join(folder, fd)).endswith('large.cu') for fd in os.listdir(folder))
            except FileNotFoundError:  # closed meanwhile
                return False
        self.interrupt(['in/large.cu', '-o', 'large.mu'], reads)

    def test_no_text_takes_long(self):
        # What looks for its end or its beginning. None may take the square of its length, in processor time.
        pieces = ['asm(', 'asm("a" : "=r"(', 'R"a( ', 'k<<<', '{ ', '#if __CUDA_ARCH__ >= 800\n', '#define cudaX(a) \\\n', 'cudaFree.', '__has_include(<', '/*',
                  'cuda\\\n', 'template <', 'struct cudaFree { ', '((__CUDA_ARCH__)', 'cuda##', 'using cudaFree = ', 'int cudaFree; ', 'cudaSuccess, ',
                  'a = cudaFree = ', 'void f() { int cudaFree = 1; ', 'asm("mov.u32 %0, %1;" : "=r"(x) : "r"(']
        def seconds(piece, length):
            (self.root / 'long.cu').write_text(piece * (length // len(piece)))
            # Signals would wait for the end of the file.
            process = subprocess.Popen([MUSAPORT, self.root / 'long.cu', '--dry-run', '-q', '--summary', 'none'],
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (90, 90)))
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertGreaterEqual(process.returncode, 0, f'{piece!r} takes too long')
            return used.ru_utime + used.ru_stime

        for piece in pieces:
            self.assertLess(seconds(piece, 400_000), 8 * seconds(piece, 100_000) + 0.5, piece)

    def test_progress_on_a_terminal_only(self):
        self.assertNotIn('\r', self.run_tool('in', '--dry-run').stderr)


if __name__ == '__main__':
    MUSAPORT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
