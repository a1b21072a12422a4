"""Pages that are made of what the repository has already: environment variables, support matrices, what the vendor's SDK lacks.

They are written into the pages' folder before the site is built, and git ignores them there.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "pages"
MAPPINGS = ROOT / "translator" / "mappings"
sys.path.insert(0, str(MAPPINGS / "tools"))
import vendor  # noqa: E402

VARIABLE = re.compile(r"`((?:MUSASHIM|MUSA|MCCL|MTSHMEM|NVSHMEM|TORCH)_[A-Z0-9_]+)")
PARTS = {"docs/pages/run.md": "Of all programs", "shim/README.md": "The driver and the runtime", "backends/README.md": "Emulated devices",
         "shim/mcc/README.md": "Programs of mcc -fmusa-check", "shim/mtrtc/README.md": "libmtrtc", "shim/mtshmem/README.md": "libmtshmem",
         "shim/torch_musa/README.md": "torch_musa", "shim/mccl/perf/README.md": "all_reduce_perf and kin",
         "shim/libs/README.md": "The libraries for mathematics"}


def tables(text):
    """The tables of a page in Markdown: lists of lines."""
    table = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            table.append(line)
        elif table:
            yield table
            table = []


def variables(path):
    """Rows (name, the rest of the row) of the tables whose rows begin with a variable."""
    for table in tables(path.read_text()):
        for row in table[2:]:
            cells = [cell.strip() for cell in row.strip().strip("|").split("|")]
            if VARIABLE.match(cells[0]):
                yield cells[0], "; ".join(cell for cell in cells[1:] if cell)


def mccl_settings():
    """Rows of the table of settings, whose comments say what each is."""
    text = re.sub(r"=\n\s+", "= ", (ROOT / "shim/mccl/core/settings.h").read_text())
    for field, name, rest in re.findall(r"(\w+)(?: = [^;]*)?;\s+// ((?:MCCL|MUSASHIM)_\w+(?:\(S\))?)([^\n]*)", text):
        values, _, meaning = rest.partition(": ") if rest.startswith("=") else ("", "", rest.lstrip(":;, "))
        words = re.sub(r"([A-Z])", lambda letter: " " + letter.group(1).lower(), field)
        yield name + values.strip(), (meaning or words).replace("|", ", ")


def names_in_sources():
    """Every variable that our programs and libraries read."""
    names = {re.sub(r"\(S\)|=.*", "", name) for name, _ in mccl_settings()}
    read = re.compile(r'(?:getenv|environmentNumber|environ\.get)\(\s*"((?:MUSASHIM|MUSA|MCCL|MTSHMEM|MTRTC)_[A-Z0-9_]+)"')
    table = re.compile(r'^\s+\{"(MUSASHIM_[A-Z_]+)",', re.M)
    for folder in ("shim", "backends", "translator"):
        for path in (ROOT / folder).rglob("*.cpp"):
            text = path.read_text(errors="replace")
            names.update(read.findall(text))
            names.update(table.findall(text))
    return names


def environment():
    lines = ["# Environment variables", "",
             "Collected from the tables of the parts that read them, and MCCL's from its settings: `NCCL_` may stand for `MCCL_`. "
             "A test looks that none is missing.", ""]
    for name, part in PARTS.items():
        path = ROOT / name
        rows = list(variables(path)) if path.exists() else []
        if rows:
            lines += [f"## {part}", "", "| variable | meaning |", "| --- | --- |"]
            lines += [f"| {variable} | {meaning} |" for variable, meaning in rows] + [""]
    lines += ["## libmccl", "", "| variable | meaning |", "| --- | --- |"]
    lines += [f"| `{name}` | {meaning} |" for name, meaning in mccl_settings()]
    lines += ["", (ROOT / "shim/mccl/README.md").read_text().split("## Environment", 1)[1].strip(), ""]
    return "\n".join(lines)


def support():
    """The matrices that the build has made, or where to find them."""
    lines = ["# Support matrices", "",
             "What is not supported returns the right error and is listed with a reason.", ""]
    found = [path for folder in ("build/sdk/share/doc/musashim", "build/release/shim/api/generated/doc")
             for path in sorted((ROOT / folder).glob("*support.md"))]
    for path in {path.name: path for path in reversed(found)}.values():
        text = re.sub(r"^(#+) ", r"#\1 ", path.read_text(), flags=re.M)
        lines += [text, ""]
    if not found:
        lines += ["Build the SDK first: `./scripts/quickstart --all` puts them into `build/sdk/share/doc/musashim`."]
    return "\n".join(lines)


def without_links(text):
    """Links of the repository lead nowhere on the site."""
    return re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)


def on_pre_build(config):
    (PAGES / "environment.md").write_text(without_links(environment()))
    (PAGES / "support.md").write_text(without_links(support()))
    (PAGES / "vendor.md").write_text(vendor.page(vendor.load(MAPPINGS)))


# Languages of blocks by the names that highlighters know.
HIGHLIGHTED = {"cu": "cpp", "mu": "cpp", "make": "makefile", "sh": "bash"}


def on_page_markdown(markdown, **_):
    """What blocks say to the test that runs them (docs_test.py) becomes a line above them."""
    def fence(match):
        language, words = match.group(1), match.group(2).strip()
        named = re.match(r"file=(\S+)", words)
        above = f"`{named.group(1)}`:\n\n" if named else ""
        return f"{above}```{HIGHLIGHTED.get(language, language)}\n"
    return re.sub(r"^```(\S+)([^\n]*)\n", fence, markdown, flags=re.M)
