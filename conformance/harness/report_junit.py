"""JUnit XML, for CI systems: a suite a group, a test a case."""

import re
import xml.etree.ElementTree as xml

from .report_text import caseLines

# Characters that XML 1.0 cannot hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _clean(text):
    return _FORBIDDEN.sub("\ufffd", text)


def _addCase(suite, result):
    group, stem = result.case.split(".", 1)
    test = xml.SubElement(
        suite, "testcase", classname=f"conformance.{group}", name=stem, time=f"{result.seconds:.3f}"
    )
    if result.status == "skipped":
        xml.SubElement(test, "skipped", message=_clean(result.detail))
    elif not result.good:
        kind = "failure" if result.status in ("failed", "unrecorded") else "error"
        problem = xml.SubElement(test, kind, type=result.status, message=_clean(result.detail or result.status))
        problem.text = _clean("\n".join(caseLines(result)))


def render(results, properties):
    """The document as bytes."""
    root = xml.Element("testsuites", name="conformance")
    for group in sorted({result.case.split(".", 1)[0] for result in results}):
        members = [result for result in results if result.case.startswith(group + ".")]
        suite = xml.SubElement(root, "testsuite", name=f"conformance.{group}", tests=str(len(members)))
        listed = xml.SubElement(suite, "properties")
        for name, value in sorted(properties.items()):
            xml.SubElement(listed, "property", name=_clean(name), value=_clean(str(value)))
        for result in members:
            _addCase(suite, result)
        suite.set("failures", str(len(suite.findall("testcase/failure"))))
        suite.set("errors", str(len(suite.findall("testcase/error"))))
        suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
        suite.set("time", f"{sum(member.seconds for member in members):.3f}")
    return xml.tostring(root, encoding="utf-8", xml_declaration=True)
