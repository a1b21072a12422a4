"""scripts/vendor_names on a small project: vendor_names_test.py SDK"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SDK = None

GOOD = r"""
#include <musa_runtime.h>
#include <mudnn.h>
#define MUSA_CHECK_OWN(call) (void)(call)
using muTensor = ::musa::dnn::Tensor;
// musaInAComment();
const char* kText = "musaInAString()";
enum class Kind { musaKindOwn };
static int musaCounter = 0;
void run(muTensor& out, int* p) {
  MUSA_CHECK_OWN(musaMalloc((void**)&p, sizeof(int)));
  MUSA_CHECK_OWN(musaMemcpy(p, &musaCounter, sizeof(int), musaMemcpyHostToDevice));
  ::musa::dnn::BatchMatMul product;
  product.SetTranspose(true, false);
  product.SetComputeMode(::musa::dnn::BatchMatMul::ComputeMode::TENSOR);
  out.SetAddr(p);
}
#if RELEASE < 5000
void old() { musaGoneSince5(1); }
#endif
"""

FAULTS = r"""
void run(::musa::dnn::Tensor& out) {
  musaNotThere();
  musaMalloc(nullptr);
  out.SetNothing(1);
  ::musa::dnn::NoSuchClass operation;
  auto mode = ::musa::dnn::MatMul::ComputeMode::SIDEWAYS;
}
"""


class VendorNamesTest(unittest.TestCase):
    def told(self, text, code):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a.cpp").write_text(text)
            result = subprocess.run([sys.executable, ROOT / "scripts/vendor_names", folder, "--sdk", SDK, "--project", "small"],
                                    capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout.splitlines()

    def test_all_there(self):
        self.assertEqual(self.told(GOOD, 0)[-1][-len("0 absent"):], "0 absent")

    def test_each_fault_is_told_and_nothing_else(self):
        self.assertEqual([line.split()[1] for line in self.told(GOOD + FAULTS, 1)[:-1]],
                         ["musaMalloc", "musaNotThere", "musa::dnn::MatMul::ComputeMode::SIDEWAYS", "musa::dnn::NoSuchClass",
                          "musa::dnn::Tensor::SetNothing()"])


if __name__ == "__main__":
    SDK = sys.argv.pop(1)
    unittest.main(argv=[sys.argv[0], "-v"])
