"""What mkdocs adds to the pages of docs/: a page for every component of the program in CROSSFOLD_PROGRAM, the page
of all options in CROSSFOLD_OPTIONS_PAGE, and a page for every other file of the repository that a page links."""
import json
import logging
import os
import posixpath
import re
import subprocess

from mkdocs.structure.files import File

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KINDS = {"learner": "Learners", "transform": "Transforms", "splitter": "Splitters", "metric": "Metrics",
         "source": "Sources"}
CHECKS = "docs/checks.md"  # a page for each of its sections
LINK = re.compile(r"\[([^][]*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")

texts = {}  # Markdown of the pages that are added
folders = {}  # page -> folder of the repository from which its links start
pages = {}  # path in the repository -> page


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def add(page, path, text):
    texts[page], folders[page], pages[path] = text, posixpath.dirname(path), page


def run(program, *arguments):
    command = [program, "--quiet", "plugin", *arguments]
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def table(block):
    """Markdown of a table as the program prints it: names, dashes below each column, rows. Other blocks stay."""
    lines = block.split("\n")
    if len(lines) < 2 or not lines[1].startswith("--"):
        return block
    starts = [dashes.start() for dashes in re.finditer("-+", lines[1])]

    def row(line):
        cells = [line[a:b].strip() for a, b in zip(starts, starts[1:] + [None])]
        return "| " + " | ".join(cell.replace("|", "\\|").replace("<", "&lt;") for cell in cells) + " |"

    return "\n".join(map(row, lines))


def add_component(component, description):
    """`description` is what `crossfold plugin describe` prints: id, title, sentences; tables; where the file is."""
    head, *blocks = description.split("\n\n")
    _, title, *sentences = head.split("\n")
    kind, name, plugin = component["kind"], component["short_id"], component["plugin"].split(".")[-1]
    add(f"components/{name}.md", f"components/{name}.md", "\n\n".join([
        f"# {name}: {title}", *sentences, f'```lua\ncf.{kind}("{name}")\n```', *map(table, blocks[:-1]),
        f"Method, formulas and sources: [plugin {plugin}](../plugins/{plugin}/README.md)."]))
    return f"\n* [{name}: {title}]({name}.md)"


def on_config(config):
    logging.getLogger("mkdocs.structure.nav").setLevel(logging.WARNING)  # silent about pages that only pages link
    program = os.environ["CROSSFOLD_PROGRAM"]
    sections = {kind: f"\n\n## {title}\n" for kind, title in KINDS.items()}
    for component in json.loads(run(program, "list", "--json")):
        if component["folder"] or component["id"] is None:
            continue  # describing a folder needs its program; `exec` has no component
        if component["status"] == "ready" and component["id"].startswith("crossfold."):
            sections[component["kind"]] += add_component(component, run(program, "describe", component["id"]))
    add("components/index.md", "components/index.md", "# All components" + "".join(sections.values()))
    checks = re.findall("^## (.*)$", read(CHECKS), re.MULTILINE)
    for name in checks:
        add(f"checks/{name}.md", f"docs/checks/{name}.md", run(program, "check", "--explain", name))
    with open(os.environ["CROSSFOLD_OPTIONS_PAGE"], encoding="utf-8") as page:
        add("options.md", "docs/options.md", page.read())
    add("checks/index.md", CHECKS, "# All checks\n" + "".join(f"\n* [{name}](checks/{name}.md)" for name in checks))


def target(page, link):
    """The path in the repository that a link of a page leads to."""
    return posixpath.normpath(posixpath.join(folders[page], link))


def add_linked(page, text):
    """Adds the files that a page links. Pages that are added themselves lead to pages and scripts only."""
    for _, link, _ in LINK.findall(text):
        path = target(page, link)
        if path in pages or not os.path.isfile(os.path.join(ROOT, path)):
            continue
        if path.endswith(".md"):
            add("more/" + path, path, read(path))
        elif page not in texts or path.startswith("scripts/"):
            add(f"more/{path}.md", path, f"# {path}\n\n````\n{read(path)}````\n")


def on_files(files, config):
    for file in list(files):
        if "docs/" + file.src_uri == CHECKS:
            files.remove(file)
        elif file.is_documentation_page():
            pages["docs/" + file.src_uri] = file.src_uri
            folders[file.src_uri] = posixpath.dirname("docs/" + file.src_uri)
        elif os.path.join(config["docs_dir"], file.src_path) == file.abs_src_path:  # the theme's files stay
            files.remove(file)
    queue = list(folders)
    for page in queue:
        add_linked(page, texts[page] if page in texts else read("docs/" + page))
        queue += [added for added in texts if added not in queue]
    for page in texts:
        files.append(File(page, config["docs_dir"], config["site_dir"], config["use_directory_urls"]))


def on_page_read_source(page, config):
    return texts.get(page.file.src_uri)


def on_page_markdown(markdown, page, config, files):
    """Links lead to pages of the guide. Where there is none, the link of an added page becomes its words."""
    here = page.file.src_uri

    def change(match):
        words, link, anchor = match.groups(default="")
        path = target(here, link)
        if path == CHECKS and anchor:
            path, anchor = f"docs/checks/{anchor[1:]}.md", ""
        to = pages.get(path)
        if to:
            return f"[{words}]({posixpath.relpath(to, posixpath.dirname(here) or '.')}{anchor})"
        return words if here in texts else match[0]

    return LINK.sub(change, markdown)


def on_page_content(html, page, config, files):
    """Marks of blocks become classes and names of files (CONTRIBUTING.md, "A page of the guide")."""
    html = re.sub(r'<!-- (output|error) -->\s*<div class="codehilite', r'<div class="codehilite output \1', html)
    return re.sub(r"<!-- file: (\S+) -->", r'<p class="file"><code>\1</code>:</p>', html)
