import threading
import unittest
from unittest import mock

from support import FolderTest
from harness import cuda, recorder
from harness.cases import Case
from harness.process import Outcome


def exited(stdout, code=0):
    return Outcome("exited", code, stdout, "")


class Summarise(unittest.TestCase):
    def testStableAndUnstable(self):
        runs = [exited(f"observe a.b.x=1\nobserve a.b.y={i}\n") for i in range(3)]
        entry = recorder.summarise("a.b", runs)
        self.assertEqual((entry["status"], entry["exit"], entry["runs"]), ("recorded", "exit 0", 3))
        self.assertEqual((entry["observations"], entry["unstable"]), ({"x": "1"}, {"y": ["0", "1", "2"]}))

    def testSeenOnceOnlyIsUnstable(self):
        entry = recorder.summarise("a.b", [exited("observe a.b.x=1\n"), exited("")])
        self.assertEqual((entry["observations"], entry["unstable"]), ({}, {"x": ["1", None]}))

    def testBadEndsAreNotRecorded(self):
        for outcome in (exited("", 3), Outcome("signalled", 11, "", ""), Outcome("timed-out", 0, "", "")):
            self.assertNotEqual(recorder.summarise("a.b", [exited(""), outcome])["status"], "recorded")

    def testUnreadable(self):
        self.assertIn("unreadable", recorder.summarise("a.b", [exited("observe x\n")])["status"])


class Nvshmem(FolderTest):
    def testOfAPythonPackage(self):
        root = self.folder / "nvidia" / "nvshmem"
        for name, text in {"include/nvshmem.h": "", "lib/libnvshmem_host.so.3": "",
                           "include/non_abi/nvshmem_version.h": "#define NVSHMEM_VENDOR_MAJOR_VERSION 3\n"
                           "#define NVSHMEM_VENDOR_MINOR_VERSION 4\n#define NVSHMEM_VENDOR_PATCH_VERSION 5\n"}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        with mock.patch.object(cuda.sys, "path", [str(self.folder)]), mock.patch.dict(cuda.os.environ, clear=True):
            self.assertEqual(cuda.nvshmemFolder(), root)
        self.assertEqual(cuda.nvshmemVersion(root), "3.4.5")
        self.assertIn("-l:libnvshmem_host.so.3", cuda.nvshmemOptions(root))
        self.assertIn(str(root / "lib"), cuda.nvshmemEnvironment(root)["LD_LIBRARY_PATH"])

    def testWhereThereIsNone(self):
        self.assertIn("-lnvshmem_host", cuda.nvshmemOptions(None))
        self.assertEqual(cuda.nvshmemVersion(None), "unknown")


class Pool(unittest.TestCase):
    def testNoGpuTwiceAtATime(self):
        pool, lock, held, clashes = recorder.GpuPool(3), threading.Lock(), set(), []

        def work(count):
            for _ in range(50):
                taken = pool.take(count)
                with lock:
                    clashes.extend(held & set(taken))
                    held.update(taken)
                with lock:
                    held.difference_update(taken)
                pool.giveBack(taken)

        threads = [threading.Thread(target=work, args=(count,)) for count in (1, 2, 3, 1, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        self.assertFalse(any(thread.is_alive() for thread in threads))
        self.assertEqual(clashes, [])


class Record(FolderTest):
    """A whole recording with a fake nvcc that turns a shell script into a program."""

    def record(self, gpus, budget=60):
        nvcc = self.writeProgram(
            "nvcc", 'for a; do case $a in *.cu) in=$a;; esac; out=$a; done\n'
            'grep -q BROKEN "$in" && { echo no; exit 1; }\n'
            'set -- "$@"; while [ "$1" != -o ]; do shift; done; cp "$in" "$2"; chmod +x "$2"')
        sources = {
            "a.fine": ("echo observe a.fine.gpus=$CUDA_VISIBLE_DEVICES", 1),
            "a.wide": ("echo observe a.wide.gpus=$CUDA_VISIBLE_DEVICES", 2),
            "a.broken": ("BROKEN", 1),
            "a.dead": ("kill -SEGV $$", 1),
            "a.slow": ("sleep 100", 1),
        }
        cases = []
        for name, (text, devices) in sources.items():
            path = self.writeProgram(f"{name.split('.')[1]}.cu", text)
            cases.append(Case(name, path, devices, ()))
        with mock.patch.object(cuda, "findNvcc", lambda: str(nvcc)), mock.patch.object(cuda, "gpus", lambda: gpus):
            made = recorder.Recorder(cases, self.folder / "work", 2, 2, 1.0, budget).record()
        return {name: entry for name, entry in made["cases"].items()}, made["machine"]

    def testEachFateIsTold(self):
        entries, machine = self.record([("GPU", "1.2", "9.0")])
        self.assertEqual(machine["gpu_count"], 1)
        self.assertEqual(entries["a.fine"]["observations"], {"gpus": "0"})
        self.assertEqual(entries["a.wide"]["status"], "needs 2 GPUs")
        self.assertEqual(entries["a.broken"]["status"], "did not compile")
        self.assertEqual(entries["a.dead"]["status"], "ended with signal SIGSEGV")
        self.assertEqual(entries["a.slow"]["status"], "ended with timed-out")

    def testNoTimeLeft(self):
        entries, _ = self.record([("GPU", "1.2", "9.0")] * 2, budget=0)
        self.assertEqual(entries["a.fine"]["status"], "no time left")
