from support import ROOT, FolderTest
from harness import cases


class ReadCase(FolderTest):
    def source(self, header, name="memory.fill"):
        return self.write("memory/fill.cu", f'{header}\nCONFORMANCE_CASE("{name}");\n')

    def testDefaults(self):
        case = cases.readCase(self.source("// What it is about."))
        self.assertEqual((case.name, case.group, case.stem), ("memory.fill", "memory", "fill"))
        self.assertEqual((case.devices, case.links), (1, ()))

    def testRequirements(self):
        case = cases.readCase(self.source("// requires: devices>=4\n// links: nccl"))
        self.assertEqual((case.devices, case.links), (4, ("nccl",)))

    def testOptionsAndParts(self):
        source = self.source("// options: rdc cpp20\n// parts: one.cu two.cu")
        case = cases.readCase(source)
        self.assertEqual(case.options, ("rdc", "cpp20"))
        self.assertEqual(case.parts, (source.parent / "parts" / "one.cu", source.parent / "parts" / "two.cu"))

    def testUnknownOption(self):
        with self.assertRaises(cases.CaseError):
            cases.readCase(self.source("// options: rcd"))

    def testNameMustBeThePlace(self):
        with self.assertRaises(cases.CaseError):
            cases.readCase(self.source("//", name="memory.other"))

    def testNameMustBeThere(self):
        with self.assertRaises(cases.CaseError):
            cases.readCase(self.write("memory/fill.cu", "int main() {}\n"))


class Python(FolderTest):
    def testIsACase(self):
        case = cases.readCase(self.write("torch/memory.py", '# requires: devices>=2\ncase = Case("torch.memory")\n'))
        self.assertEqual((case.name, case.devices, case.isPython), ("torch.memory", 2, True))

    def testNameMustBeThePlace(self):
        with self.assertRaises(cases.CaseError):
            cases.readCase(self.write("torch/memory.py", 'case = Case("torch.other")\n'))


class Discover(FolderTest):
    def setUp(self):
        super().setUp()
        for name in ("stream/order", "memory/fill", "memory/copy"):
            self.write(f"{name}.cu", f'CONFORMANCE_CASE("{name.replace("/", ".")}");\n')

    def testSortedByName(self):
        found = [case.name for case in cases.discover(self.folder)]
        self.assertEqual(found, ["memory.copy", "memory.fill", "stream.order"])

    def testPatterns(self):
        found = [case.name for case in cases.discover(self.folder, ["memory.f*", "stream.order"])]
        self.assertEqual(found, ["memory.fill", "stream.order"])
        self.assertEqual(cases.discover(self.folder, ["nothing.*"]), [])


class OurCases(FolderTest):
    def testAreReadable(self):
        found = cases.discover(ROOT / "conformance" / "cases")
        self.assertGreater(len(found), 40)
        for case in found:
            self.assertLessEqual(case.devices, 4, case.name)
            for part in case.parts:
                self.assertTrue(part.exists(), part)
            self.assertEqual("nccl" in case.links, case.group == "nccl", case.name)
