"""One HTML file with everything in it: no script, no link, all text escaped."""

import html

from . import compare
from .report_text import summary

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #1c2430; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th, td { border-bottom: 1px solid #d8dee6; padding: .25rem .5rem; text-align: left; vertical-align: top;
         overflow-wrap: anywhere; }
pre { background: #f4f6f9; padding: .75rem; overflow-x: auto; }
details { border: 1px solid #d8dee6; border-radius: 4px; margin: .4rem 0; padding: .4rem .75rem; }
summary { cursor: pointer; } summary b { display: inline-block; min-width: 9rem; }
.good { color: #14713d; } .bad { color: #b3261e; } .listed { color: #8a5a00; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; } dd { margin: 0; }
@media (prefers-color-scheme: dark) {
  body { background: #14181f; color: #e3e8ef; } pre { background: #1d232c; }
  th, td, details { border-color: #39424f; }
  .good { color: #6fce97; } .bad { color: #ff8a80; } .listed { color: #f0b95a; }
}
"""


def _text(value):
    return "nothing" if value is None else html.escape(str(value))


def _class(good, listed=False):
    return "listed" if good and listed else "good" if good else "bad"


def _row(result):
    listed = result.status in (compare.DIFFERENT_AS_LISTED, compare.OTHER_VERSION)
    status = html.escape(result.status) + (f"<br>{_text(result.reason)}" if result.reason else "")
    return (
        f"<tr><td>{_text(result.key)}</td><td>{_text(result.expected)}</td><td>{_text(result.seen)}</td>"
        f'<td class="{_class(result.good, listed)}">{status}</td></tr>'
    )


def _case(result):
    listed = result.status == "failed as listed" or result.count(compare.DIFFERENT_AS_LISTED, compare.OTHER_VERSION) > 0
    parts = [
        f"<details{'' if result.good else ' open'}><summary>"
        f'<b class="{_class(result.good, listed)}">{_text(result.status)}</b> {_text(result.case)} '
        f"({len(result.observations)} observations, {result.seconds:.2f} s)</summary>"
    ]
    if result.detail:
        parts.append(f"<p>{_text(result.detail)}</p>")
    if result.machine:
        parts.append("<p>Recorded: " + _text(", ".join(f"{k} {v}" for k, v in result.machine.items())) + "</p>")
    if result.observations:
        parts.append("<table><tr><th>observation</th><th>recorded</th><th>seen</th><th>result</th></tr>")
        # What needs a look comes first.
        parts += [_row(o) for o in sorted(result.observations, key=lambda o: (o.good, o.status == compare.MATCH))]
        parts.append("</table>")
    if result.log.strip():
        parts.append(f"<pre>{_text(result.log.strip())}</pre>")
    return "\n".join(parts + ["</details>"])


def render(results, properties):
    """The document as text."""
    good = all(result.good for result in results)
    facts = "".join(f"<dt>{_text(name)}</dt><dd>{_text(value)}</dd>" for name, value in properties.items())
    verdict = "all good" if good else f"{sum(not result.good for result in results)} of {len(results)} not good"
    cases = "\n".join(_case(result) for result in sorted(results, key=lambda r: (r.good, r.case)))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Conformance report</title>\n'
        f"<style>{_STYLE}</style></head><body>\n"
        f'<h1>Conformance: <span class="{_class(good)}">{_text(verdict)}</span></h1>\n<dl>{facts}</dl>\n'
        f"<h2>Summary</h2>\n<pre>{_text(summary(results))}</pre>\n<h2>Cases</h2>\n{cases}\n</body></html>\n"
    )
