"""Which sources cmake/unity_batches.py lets be compiled as one."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cmake"))
import unity_batches


class Batches(unittest.TestCase):
    def batched(self, *texts, headers=None, lines=1000):
        """The sources' numbers, batch by batch."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (headers or {}).items():
                pathlib.Path(folder, name).write_text(text)
            paths = [pathlib.Path(folder, f"{number}.cpp") for number in range(len(texts))]
            for path, text in zip(paths, texts):
                path.write_text(text)
            found = unity_batches.batches([unity_batches.read(str(path)) for path in paths], lines)
            return [[int(pathlib.Path(source.path).stem) for source in batch] for batch in found]

    def apart(self, *texts, **more):
        self.assertEqual(self.batched(*texts, **more), [], texts)

    def together(self, *texts, **more):
        self.assertEqual(self.batched(*texts, **more), [list(range(len(texts)))], texts)

    def test_sources_without_names_of_their_own(self):
        self.together("int f() { return 1; }\n", "#include <map>\nint g() { return f(); }\n", "namespace a::b { void X::h() {} }\n")

    def test_functions_of_the_same_name(self):
        own = "namespace n {\nnamespace {\nint help(int a) { return a; }\n}\nint %s() { return help(1); }\n}\n"
        self.apart(own % "f", own % "g")
        self.apart("static int help();\n", "namespace { int help(); }\n")
        self.together(own % "f", "namespace n { int g(A& a) { return a.help(1); } }\n")

    def test_a_function_that_another_source_would_call(self):
        self.apart("namespace { int help(int a) { return a; } }\n", "int g() { return help(1); }\n")

    def test_types_and_constants(self):
        self.apart("namespace { struct Row { int a; }; }\n", "Row* first();\n")
        self.apart("constexpr int kMost = 3;\n", "constexpr int kMost = 4;\n")
        self.apart("namespace { template <typename T> class Row {}; }\n", "namespace { enum Row { kA }; }\n")
        self.together("namespace { struct Row { int kA; }; }\n", "namespace { struct Column { int kA; }; }\n")

    def test_names_of_headers(self):
        headers = {"all.h": "#pragma once\n#include \"names.h\"\n", "names.h": "#pragma once\ninline constexpr int kLanes = 32;\n"}
        self.apart("namespace { constexpr int kLanes = 4; }\n", "#include \"all.h\"\nint g();\n", headers=headers)

    def test_macros(self):
        self.apart("#define ROW(x) x\n", "int ROW;\n")
        self.apart("#define _GNU_SOURCE\n#include <sched.h>\n", "int f();\n")

    def test_what_a_source_imports(self):
        self.together("using std::string;\n", "using std::string;\n")
        self.apart("using std::string;\n", "using fmt::string;\n")
        self.apart("using namespace clang;\n", "int f();\n")

    def test_words_in_comments_and_texts_do_not_count(self):
        self.together("namespace { int help(); }\n", "// help(1)\nconst char* text() { return \"help(1)\"; }\n")

    def test_size(self):
        self.assertEqual(self.batched("int a();\n" * 6, "int b();\n" * 6, "int c();\n" * 4, lines=10), [[0, 2]])


if __name__ == "__main__":
    unittest.main()
