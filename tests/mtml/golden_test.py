"""What the vendor's tools print, whole, without a terminal and on one of 80 columns: golden_test.py SDK [--update]

`golden/NAME.txt` holds it, `golden/NAME.80.txt` where a terminal makes a difference. Times, UUIDs and free memory are left out.
"""
import fcntl
import os
import pathlib
import re
import struct
import subprocess
import sys
import termios
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOPOLOGY = HERE.parent / "mccl/topology/machines/switched.xml"
SDK, UPDATE = None, False
TWO = {"MUSASHIM_DEVICES": "2", "MUSASHIM_ARCH": "S4000"}
EIGHT = {"MCCL_TOPO_FILE": str(TOPOLOGY), "MUSASHIM_ARCH": "S5000"}
CASES = {
    "table": (["mthreads-gmi"], TWO),
    "list": (["mthreads-gmi", "-L"], TWO),
    "query": (["mthreads-gmi", "-q"], TWO),
    "query_memory": (["mthreads-gmi", "-q", "-d", "MEMORY,TEMPERATURE", "-i", "1"], TWO),
    "json": (["mthreads-gmi", "-q", "--json"], TWO),
    "matrix": (["mthreads-gmi", "topo", "-m"], EIGHT),
    "peers": (["mthreads-gmi", "topo", "-p2p", "r"], TWO),
    "links": (["mthreads-gmi", "mtlink", "-s"], TWO),
    "version": (["musa_toolkits_version"], TWO),
    "info": (["musaInfo"], TWO),
}
VARYING = ((r"(?m)^(Timestamp +:  ).*$", r"\1TIME"), (r"(?m)^\w{3} \w{3} [ \d]\d [\d:]{8} \d{4}$", "TIME"),
           (r'("Timestamp": *").*?"', r'\1TIME"'), (r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID"),
           (r'"((?:git|commit) \w+)":.*"', r'"\1":\t"SOURCE"'), (r"(memInfo\.(free|total): +).*", r"\1SIZE"), (r"[ \t]+$", ""))


def plain(text):
    text = text.replace("\r\n", "\n")
    for pattern, with_ in VARYING:
        text = re.sub(pattern, with_, text)
    return text


def environment(more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MUSA", "MCCL", "NCCL"))}
    return {**kept, **more, "MUSASHIM_SESSION": f"golden{os.getpid()}"[:24]}


def to_pipe(command, more):
    done = subprocess.run([SDK / "bin" / command[0], *command[1:]], env=environment(more), stdout=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, text=True, timeout=60)
    return done.returncode, plain(done.stdout)


def to_terminal(command, more):
    """On a terminal of 24 lines of 80 columns."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    program = subprocess.Popen([SDK / "bin" / command[0], *command[1:]], env=environment(more), stdout=theirs,
                               stdin=subprocess.DEVNULL)
    os.close(theirs)
    text = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        text += part
    os.close(ours)
    return program.wait(timeout=60), plain(text.decode())


class Golden(unittest.TestCase):
    maxDiff = None

    def check(self, name):
        command, more = CASES[name]
        code, text = to_pipe(command, more)
        self.assertEqual(code, 0, text)
        code, on_terminal = to_terminal(command, more)
        self.assertEqual(code, 0, on_terminal)
        self.assertNotIn("\x1b", text)
        file, file80 = HERE / f"golden/{name}.txt", HERE / f"golden/{name}.80.txt"
        if UPDATE:
            file.write_text(text)
            file80.unlink(missing_ok=True)
            if on_terminal != text:
                file80.write_text(on_terminal)
        self.assertEqual(text, file.read_text())
        self.assertEqual(on_terminal, (file80 if file80.exists() else file).read_text())
        self.assertLessEqual(max(map(len, on_terminal.splitlines())), 80)

    def test_every_program_has_help_and_refuses_what_it_does_not_know(self):
        for program in sorted((SDK / "bin").iterdir()):
            with self.subTest(program.name):
                for option, fine in (("--help", True), ("--no-such-option", False)):
                    done = subprocess.run([program, option], env=environment(TWO), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                          stdin=subprocess.DEVNULL, text=True, timeout=60)
                    self.assertEqual(done.returncode == 0, fine, f"{option}: {done.stdout}")
                    self.assertTrue(done.stdout.strip())


for one in CASES:
    setattr(Golden, f"test_{one}", lambda self, one=one: self.check(one))

if __name__ == "__main__":
    UPDATE = "--update" in sys.argv and not sys.argv.remove("--update")
    SDK = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
