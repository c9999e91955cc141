"""The structure of a report as text: balanced tags, ids, headings, tables, downloads."""
import csv
import html.parser
import io
import urllib.parse
import xml.etree.ElementTree

VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}


class Outline(html.parser.HTMLParser):
    """Collects what the tests ask for; `problems` is empty for a sound page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.problems, self.ids, self.headings, self.hrefs, self.tags = [], [], [], [], []
        self.downloads, self.open, self.text, self.policy = [], [], [], ""
        self.tables = self.captions = 0
        self.feed(text)
        self.close()
        if self.open:
            self.problems.append("never closed: " + ", ".join(self.open))

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        for name, value in attrs:
            if name.startswith("on"):
                self.problems.append(f"{tag} has an attribute {name}")
            if name == "src":
                self.problems.append(f"{tag} has src={value[:60]}")
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        if tag == "a":
            self.hrefs.append(attributes["href"])
            if "download" in attributes:
                self.downloads.append((attributes["download"], attributes["href"]))
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.headings.append(int(tag[1]))
        if tag == "th" and attributes.get("scope") not in ("col", "row"):
            self.problems.append("a th without scope")
        self.tables += tag == "table"
        self.captions += tag == "caption"

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"</{tag}> closes {self.open[-1:]} at {self.getpos()}")
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        self.text.append(data)


def check(text):
    """Every complaint about the structure of a report."""
    page = Outline(text)
    problems = list(page.problems)
    problems += [f"id {name} occurs twice" for name in sorted(set(page.ids)) if page.ids.count(name) > 1]
    for href in page.hrefs:
        if href.startswith("#"):
            if href[1:] not in page.ids:
                problems.append(f"there is no {href}")
        elif not href.startswith("data:"):
            problems.append(f"a link to {href[:60]}")
    if page.headings[:1] != [1] or page.headings.count(1) != 1:
        problems.append("not one h1 at the start")
    for before, after in zip(page.headings, page.headings[1:]):
        if after > before + 1:
            problems.append(f"h{after} follows h{before}")
    if page.tables != page.captions:
        problems.append(f"{page.tables} tables have {page.captions} captions")
    if page.tags.count("script") != 1:
        problems.append(f"{page.tags.count('script')} scripts")
    if "default-src 'none'" not in page.policy:
        problems.append("the policy is " + page.policy)
    for tag in ("main", "nav", "header", "footer"):
        if page.tags.count(tag) != 1:
            problems.append(f"{page.tags.count(tag)} times <{tag}>")
    return problems + check_downloads(page.downloads)


def check_downloads(downloads):
    problems = []
    if not downloads:
        problems.append("nothing to download")
    for name, address in downloads:
        kind, data = address.split(",", 1)
        body = urllib.parse.unquote_to_bytes(data)
        if kind.startswith("data:image/svg+xml"):
            root = xml.etree.ElementTree.fromstring(body)
            if root.tag != "{http://www.w3.org/2000/svg}svg":
                problems.append(f"{name} is a {root.tag}")
        elif kind.startswith("data:text/csv"):
            rows = list(csv.reader(io.StringIO(body.decode("utf-8", "replace"))))
            if len(rows) < 2 or any(len(row) != len(rows[0]) for row in rows):
                problems.append(f"{name} is not a table with rows")
        else:
            problems.append(f"{name} is {kind}")
    return problems
