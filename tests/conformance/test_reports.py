import unittest
import xml.etree.ElementTree as xml
from html.parser import HTMLParser

import support  # noqa: F401
from harness import compare, report_html, report_junit, report_text
from harness.compare import CaseResult, ObservationResult

NASTY = "<script>alert('&\"')</script>\x00\x1b[31m\ud800"


def results():
    good = ObservationResult("key", compare.MATCH, "1", None, "1")
    bad = ObservationResult("other", compare.MISMATCH, NASTY, None, NASTY + "!", "")
    listed = ObservationResult("third", compare.DIFFERENT_AS_LISTED, "1", "2", "2", "why <b>")
    return [
        CaseResult("a.good", "passed", observations=(good, listed), seconds=0.5, machine={"gpu": NASTY}),
        CaseResult("a.bad", "failed", NASTY, (good, bad), 1.25, log=NASTY),
        CaseResult("b.dead", "crashed", "signal SIGSEGV", (), 0.1, log="line\n" * 3),
        CaseResult("b.late", "unrecorded", "no expectation"),
        CaseResult("b.wide", "skipped", "needs 8 devices"),
    ]


class Text(unittest.TestCase):
    def testOneLineForAGoodCase(self):
        self.assertEqual(len(report_text.caseLines(results()[0])), 1)

    def testBadCaseSaysBothValues(self):
        text = "\n".join(report_text.caseLines(results()[1]))
        self.assertIn("other: recorded", text)
        self.assertNotIn("third", text)

    def testEveryBadStatusHasWords(self):
        for status in (compare.MISMATCH, compare.MISSING, compare.NOT_RECORDED, compare.STALE):
            self.assertIn("k:", report_text.observationLine(ObservationResult("k", status, None, None, None)))

    def testSummaryCounts(self):
        lines = report_text.summary(results()).splitlines()
        self.assertEqual(lines[1].split(), ["a", "2", "1", "4", "2", "1", "0", "1"])
        self.assertEqual(lines[3].split(), ["all", "5", "2", "4", "2", "1", "0", "1"])
        self.assertIn("a.bad, b.dead, b.late", lines[-1])


    def testSummaryCountsFunctionsThatSeveralCasesCallOnce(self):
        shared = [CaseResult("blas.a", "passed", functions=frozenset({"x", "y"})),
                  CaseResult("blas.b", "passed", functions=frozenset({"y", "z"}))]
        lines = report_text.summary(shared).splitlines()
        self.assertEqual(lines[0].split()[-1], "functions")
        self.assertEqual([line.split()[-1] for line in lines[1:3]], ["3", "3"])
        self.assertNotIn("functions", report_text.summary(results()))


class Junit(unittest.TestCase):
    def testWellFormedWithAnyText(self):
        root = xml.fromstring(report_junit.render(results(), {"arch": NASTY}))
        suites = {suite.get("name"): suite for suite in root}
        self.assertEqual(suites["conformance.a"].get("failures"), "1")
        b = suites["conformance.b"]
        self.assertEqual([b.get(name) for name in ("tests", "failures", "errors", "skipped")], ["3", "1", "1", "1"])
        self.assertIsNone(suites["conformance.a"].find("testcase[@name='good']/failure"))
        self.assertIn("<script>", suites["conformance.a"].find("testcase[@name='bad']/failure").get("message"))


class Tags(HTMLParser):
    VOID = {"meta", "br"}

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], set()

    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class Html(unittest.TestCase):
    def setUp(self):
        self.text = report_html.render(results(), {"architecture": NASTY})

    def testBalancedAndEscaped(self):
        tags = Tags()
        tags.feed(self.text)
        tags.close()
        self.assertEqual(tags.open, [])
        self.assertNotIn("script", tags.seen)
        self.assertNotIn("<b>why", self.text)
        self.assertIn("&lt;script&gt;", self.text)

    def testStandsAlone(self):
        for word in ("http:", "https:", "src=", "href=", "@import", "url("):
            self.assertNotIn(word, self.text)

    def testVerdict(self):
        self.assertIn("3 of 5 not good", self.text)
        self.assertIn("all good", report_html.render(results()[:1], {}))
