"""Pages that are made of what the repository has already: environment variables and support matrices.

They are written into the pages' folder before the site is built, and git ignores them there.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "pages"
VARIABLE = re.compile(r"`((?:MUSASHIM|MUSA|MCCL|MTSHMEM|NVSHMEM|TORCH)_[A-Z0-9_]+)")
READMES = ["README.md", "shim/README.md", "backends/README.md", "shim/mcc/README.md", "shim/mtrtc/README.md",
           "shim/mtshmem/README.md", "shim/torch_musa/README.md", "shim/mccl/README.md", "shim/libs/README.md"]


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


def environment():
    lines = ["# Environment variables", "",
             "Collected from the tables of the parts that read them. MCCL's own, which NCCL's names stand for as well, "
             "are listed at the end.", ""]
    for name in READMES:
        path = ROOT / name
        rows = list(variables(path)) if path.exists() else []
        if rows:
            part = "Of all programs" if name == "README.md" else f"{pathlib.Path(name).parent}"
            lines += [f"## {part}", "", "| variable | meaning |", "| --- | --- |"]
            lines += [f"| {variable} | {meaning} |" for variable, meaning in rows] + [""]
    mccl = (ROOT / "shim/mccl/README.md").read_text()
    lines += ["## libmccl", "", mccl.split("## Environment", 1)[1].strip(), ""]
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
        lines += ["Build the SDK first: `./scripts/quickstart` puts them into `build/sdk/share/doc/musashim`."]
    return "\n".join(lines)


def without_links(text):
    """Links of the repository lead nowhere on the site."""
    return re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)


def on_pre_build(config):
    (PAGES / "environment.md").write_text(without_links(environment()))
    (PAGES / "support.md").write_text(without_links(support()))
