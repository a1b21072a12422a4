import contextlib
import io
import sys
import unittest

from support import ROOT

sys.path.insert(0, str(ROOT / "conformance" / "framework"))
import observing  # noqa: E402


def printed(act):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        act(observing.Case("a.b"))
    return out.getvalue()


class Observing(unittest.TestCase):
    def testBothVendorsPrintTheSame(self):
        for text in ("cuda:0 and cpu", "torch.cuda.FloatTensor", "CUDA error", "cudaErrorNotReady", "x.is_cuda", "ProcessGroupNCCL", "MyCudaError"):
            musa = text.replace("cuda", "musa").replace("CUDA", "MUSA").replace("Cuda", "Musa").replace("NCCL", "MCCL")
            self.assertEqual(observing.neutral(text), observing.neutral(musa))
            self.assertNotIn("cuda", observing.neutral(text).lower())

    def testOneLine(self):
        self.assertEqual(printed(lambda case: case.observe("x", "a\n   b")), "observe a.b.x=a b\n")

    def testOutcomeOfAnError(self):
        def fail():
            raise ValueError("no such thing. More of it")
        self.assertEqual(printed(lambda case: case.outcome("x", fail)),
                         "observe a.b.x=ValueError\nobserve a.b.x.message=no such thing.\n")
        self.assertEqual(printed(lambda case: case.outcome("x", fail, message=False)), "observe a.b.x=ValueError\n")

    def testOutcomeOfAValue(self):
        self.assertEqual(printed(lambda case: case.outcome("x", lambda: 3)), "observe a.b.x=3\n")
        self.assertEqual(printed(lambda case: case.outcome("x", lambda: None)), "observe a.b.x=ok\n")


if __name__ == "__main__":
    unittest.main()
