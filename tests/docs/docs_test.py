"""Every command of the documentation, run: DOCS_TEST SDK_FOLDER. Each page has a folder of its own; blocks that name a file are
written there, blocks in sh are run in order. A block may be left out with a reason ("sh skip: ...").
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "pages").glob("*.md"))
BLOCK = re.compile(r"^```(\S+)([^\n]*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\(([^)#]+\.md)\)")
SDK = ""
sys.path.insert(0, str(ROOT / "docs"))
import hooks  # noqa: E402


class Docs(unittest.TestCase):
    def run_page(self, page):
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("MUSASHIM_", "MCCL_", "NCCL_"))}
        environment.update(MUSA_PATH=SDK, PATH=f"{SDK}/bin:{environment['PATH']}", MUSASHIM_SESSION="none")
        environment.pop("CUDA_HOME", None)
        with tempfile.TemporaryDirectory() as folder:
            for language, words, text in BLOCK.findall(page.read_text()):
                if named := re.search(r"file=(\S+)", words):
                    place = pathlib.Path(folder) / named.group(1)
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_text(text)
                    continue
                if language == "text":
                    continue
                self.assertEqual(language, "sh", f"{page.name}: a block that is neither a file nor run")
                if words.strip().startswith("skip:"):
                    continue
                done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=folder, env=environment, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240)
                self.assertEqual(done.returncode, 0, f"{page.name}:\n{text}\n{done.stdout}")

    def test_links_lead_somewhere(self):
        made = {"environment.md", "support.md", "vendor.md"}
        for page in PAGES:
            for target in LINK.findall(page.read_text()):
                self.assertTrue((page.parent / target).exists() or target in made, f"{page.name}: {target}")

    def test_the_site_shows_blocks_as_blocks(self):
        for page in PAGES:
            shown = hooks.on_page_markdown(page.read_text())
            self.assertEqual(re.findall(r"^```\S+ .*$", shown, re.M), [], page.name)  # Python-Markdown takes no more words
            self.assertEqual(len(re.findall(r"^```", shown, re.M)) % 2, 0, page.name)

    def test_every_variable_is_told(self):
        page = hooks.environment()
        names = hooks.names_in_sources()
        self.assertGreater(len(names), 50)
        self.assertEqual([name for name in sorted(names) if not re.search(rf"`{name}\b", page)], [])

    def test_every_page_is_in_the_menu_by_its_title(self):
        menu = (ROOT / "docs" / "mkdocs.yml").read_text()
        for page in PAGES:
            title = page.read_text().splitlines()[0].removeprefix("# ")
            self.assertIn(f"- {title}: {page.name}\n", menu)

    def test_titles_tell_pages_apart(self):
        titles = [page.read_text().splitlines()[0] for page in PAGES]
        self.assertEqual(len(titles), len(set(titles)))

    def test_the_readmes_session(self):
        done = subprocess.run([sys.executable, ROOT / "docs" / "record_session", "--check", "--sdk", SDK], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_readme_leads_on(self):
        """A first screen: what it is, two commands, a session, four links that are there."""
        text = (ROOT / "README.md").read_text()
        first = text[:text.index("\n## ")]
        self.assertLess(len(first.splitlines()), 60)
        links = dict(re.findall(r"\*\*\[(\w+)\]\(([^)#]+)", first))
        self.assertEqual(list(links), ["Port", "Build", "Run", "Prove"])
        for target in re.findall(r"\]\((?!http)([^)#]+)", text):
            self.assertTrue((ROOT / target).exists(), target)
        for command in re.findall(r"^(\./scripts/\S+)", first, re.M):
            self.assertTrue(os.access(ROOT / command, os.X_OK), command)


def add_pages():
    for page in PAGES:
        setattr(Docs, f"test_{page.stem}", lambda self, page=page: self.run_page(page))


if __name__ == "__main__":
    SDK = os.path.abspath(sys.argv.pop(1))
    add_pages()
    unittest.main(verbosity=2)
