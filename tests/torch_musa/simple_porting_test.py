"""torch_musa.utils.simple_porting by itself, which needs no PyTorch: simple_porting_test.py"""
import importlib.util
import pathlib
import shutil
import tempfile
import unittest

MODULE = pathlib.Path(__file__).resolve().parents[2] / "shim/torch_musa/torch_musa/utils/simple_porting.py"


def loaded():
    spec = importlib.util.spec_from_file_location("simple_porting", MODULE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class SimplePortingTest(unittest.TestCase):
    def setUp(self):
        root = pathlib.Path(tempfile.mkdtemp(prefix="simple-porting-"))
        self.addCleanup(shutil.rmtree, root, True)
        self.source, self.target = root / "src", root / "src_musa"
        (self.source / "kernels").mkdir(parents=True)
        (self.source / "kernels/k.cu").write_text("#include <c10/cuda/CUDAGuard.h>\n// cudaSuccess\n#include <cub/cudaSuccess>\ncudaSuccess at::cuda mine\n")
        (self.source / "image").write_bytes(b"\xff\x00\xfe")

    def port(self, **more):
        loaded().SimplePorting(str(self.source), **more).run()

    def test_the_longest_rule_wins_and_some_lines_stay(self):
        self.port(mapping_rule={"mine": "yours"})
        self.assertEqual((self.target / "kernels/k.mu").read_text(),
                         "#include <c10/musa/MUSAGuard.h>\n// cudaSuccess\n#include <cub/cudaSuccess>\nmusaSuccess at::musa yours\n")
        self.assertEqual((self.target / "image").read_bytes(), b"\xff\x00\xfe")
        self.assertIn("cudaSuccess at::cuda", (self.source / "kernels/k.cu").read_text())

    def test_rules_and_folders_as_json(self):
        self.port(mapping_rule='{"cudaSuccess": "fine"}', drop_default_mapping=True, ignore_dir_paths=f'["{self.source}/none"]')
        self.assertIn("fine at::cuda mine", (self.target / "kernels/k.mu").read_text())
        self.port(ignore_dir_paths=[str(self.source / "kernels")])
        self.assertFalse((self.target / "kernels").exists())
        self.assertRaises(ValueError, self.port, drop_default_mapping=True)

    def test_in_place(self):
        module = loaded()
        module.EXT_REPLACED_MAPPING = {}
        porter = module.SimplePorting(str(self.source))
        porter.musa_dir_path = porter.cuda_dir_path
        porter.run()
        self.assertIn("musaSuccess at::musa", (self.source / "kernels/k.cu").read_text())


if __name__ == "__main__":
    unittest.main()
