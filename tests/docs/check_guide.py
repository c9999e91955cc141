"""The HTML of the guide: python3 check_guide.py FOLDER [PATH...]. Every page is well formed, has a title, a language
and one first heading; every link inside the guide, with its anchor, leads somewhere; nothing is fetched
from elsewhere; every page can be reached from the first one; no page has one of the paths in it, which
are those of the machine that built it."""
import html.parser
import os
import sys
import urllib.parse

VOID = {"meta", "link", "br", "hr", "img", "input"}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.open, self.findings, self.ids, self.links, self.counts = [], [], set(), [], {}
        self.text_of_title, self.scripts = "", 0
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.feed(self.text)
        self.close()
        for tag in self.open:
            self.findings.append(f"<{tag}> is never closed")

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if len(values) != len(attributes):
            self.findings.append(f"<{tag}> has an attribute twice")
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if "id" in values:
            if values["id"] in self.ids:
                self.findings.append(f"the id '{values['id']}' is there twice")
            self.ids.add(values["id"])
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        for name in ("src", "href"):
            outside = values.get(name, "").startswith(("http:", "https:", "//"))
            if outside and tag != "a":
                self.findings.append(f"<{tag}> fetches {values[name]}")
        if tag in ("script", "iframe", "object"):
            self.findings.append(f"there is a <{tag}>")
        if tag == "link":
            self.links.append(values["href"])
        if tag == "html" and values.get("lang") != "en":
            self.findings.append("the page has no language")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.findings.append(f"</{tag}> closes <{self.open[-1] if self.open else 'nothing'}>")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "title":
            self.text_of_title += data


def main(folder, *paths):
    pages = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(parent, name)
                pages[os.path.relpath(path, folder)] = Page(path)
    findings, n_links, to = [], 0, {}
    for name, page in sorted(pages.items()):
        findings += [f"{name}: {finding}" for finding in page.findings]
        if page.counts.get("h1") != 1:
            findings.append(f"{name}: {page.counts.get('h1', 0)} first headings")
        findings += [f"{name}: the path {path} is in it" for path in paths if path in page.text]
        if not page.text_of_title.strip():
            findings.append(f"{name}: no title")
        to[name] = set()
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme:
                continue
            n_links += 1
            target = name
            if parts.path:
                target = os.path.normpath(os.path.join(os.path.dirname(name), parts.path))
            if target not in pages:
                if not os.path.isfile(os.path.join(folder, target)):
                    findings.append(f"{name}: link to {link}: there is no such page")
            else:
                to[name].add(target)
                if parts.fragment and urllib.parse.unquote(parts.fragment) not in pages[target].ids:
                    findings.append(f"{name}: link to {link}: no such anchor")
    reached, next_ones = set(), ["index.html"]
    while next_ones:
        name = next_ones.pop()
        if name not in reached:
            reached.add(name)
            next_ones += to.get(name, ())
    findings += [f"{name}: no page leads there" for name in sorted(set(pages) - reached)]
    print("\n".join(findings[:200]))
    print(f"{len(pages)} pages, {n_links} links followed, {len(findings)} findings")
    return 1 if findings or len(pages) < 100 else 0


sys.exit(main(*sys.argv[1:]))
