#!/usr/bin/env python3
"""chromium_test.py PROGRAM DATA SCRATCH CHROMEDRIVER CHROMIUM [CASE...]

Makes reports of real runs and opens each in headless Chromium: no message on the console, nothing asked
of the network, every figure with a size, no scrolling to the side on a phone, light and dark, on paper.
Screenshots and PDF files stay in SCRATCH.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import markup
import webdriver

PROGRAM, DATA, SCRATCH, DRIVER, CHROMIUM = sys.argv[1:6]
HERE = pathlib.Path(__file__).parent
FOLDER = pathlib.Path(SCRATCH)

# Case -> (texts that must be on the page, figures at least, biggest size in bytes).
CASES = {
    "failures": (["1 fold of 15 failed", "Failures", "Confusion matrices"], 8, 3_000_000),
    "one_fold": (["In short", "Curves"], 6, 3_000_000),
    "thirty_learners": (["30 learners", "18 more are left out"], 8, 8_000_000),
    "regression": (["rmse", "Fold by fold"], 6, 3_000_000),
    "imported": (["knn here", "imported from iris_scikit_learn.csv", "5d759c7aac94678a"], 8, 3_000_000),
    "datasets": (["7 datasets", "Average ranks over the datasets"], 4, 8_000_000),
    "two_parameters": (["Tuning", "tuned_knn"], 8, 5_000_000),
    "three_parameters": (["Tuning", "tuned_knn"], 4, 3_000_000),
    "learning_curve": (["Power laws"], 2, 3_000_000),
    "validation_curve": (["Mean over the splits for each value"], 1, 3_000_000),
    "bias_variance": (["Kohavi and Wolpert"], 1, 3_000_000),
    "together": (["All of it", "Learning curve", "Validation curve"], 12, 8_000_000),
}
STORED = ["failures", "one_fold", "thirty_learners", "regression", "imported", "datasets", "two_parameters",
          "three_parameters", "learning_curve"]

OVERFLOW = """
const wide = document.documentElement.clientWidth, out = [];
for (const node of document.body.querySelectorAll("*")) {
  if (node.closest("svg, .scroll, pre, .skip, #hover")) continue;
  const box = node.getBoundingClientRect();
  if (box.width && box.right > wide + 1) out.push(node.tagName + " " + node.className + " " + box.right);
}
return [document.documentElement.scrollWidth - wide, out.slice(0, 5)];
"""

ANSWERS = """
return [...document.querySelectorAll(".answer")].map((one) => one.getBoundingClientRect().height);
"""

FIGURES = """
for (const one of document.querySelectorAll("details:not([open])")) {
  one.open = true;
  one.className = "closed";
}
return [...document.querySelectorAll("figure svg")].map((svg) => {
  const box = svg.getBoundingClientRect();
  const marks = svg.querySelectorAll("path, circle, rect, line, polyline, polygon").length;
  return [svg.getAttribute("aria-label"), box.width, box.height, marks];
});
"""

# What would be dark on paper.
PAPER = """
const light = (colour) => (colour.match(/[0-9.]+/g) || []).slice(0, 3).every((v) => v > 200);
const out = [];
for (const node of document.querySelectorAll("body, main, .alert, .answer, pre, figure svg .cf-surface")) {
  const style = getComputedStyle(node), colour = node.ownerSVGElement ? style.fill : style.backgroundColor;
  if (!light(colour) && colour !== "rgba(0, 0, 0, 0)") out.push(node.nodeName + " " + colour);
}
return out;
"""

CLOSE = """document.getElementById("hover").hidden = true;
for (const one of document.querySelectorAll("details.closed")) one.open = false;"""

# Captions of tables that are folded away: longer texts break into lines on paper.
FOLDED = """
const captions = [...document.querySelectorAll("details:not([open]) caption")];
return captions.map((one) => one.textContent).filter((text) => text.length < 60);
"""

# How many parts are folded away as the page is, while it is printed, and then.
PRINTED = """
const closed = () => document.querySelectorAll("details:not([open])").length;
const counts = [closed()];
for (const name of ["beforeprint", "afterprint"]) {
  window.dispatchEvent(new Event(name));
  counts.push(closed());
}
return counts;
"""

# Ratio of contrast (WCAG 2.1) of every kind of text to its background; the smallest ones.
CONTRAST = """
const parse = (text) => (text.match(/[0-9.]+/g) || []).map(Number);
const light = (c) => c.slice(0, 3).map((v) => v / 255)
  .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (node) => {
  for (let at = node; at; at = at.parentElement) {
    const colour = parse(getComputedStyle(at).backgroundColor);
    if (colour.length === 3 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
const seen = {};
for (const node of document.querySelectorAll("p, a, dt, dd, th, td, li, caption, summary, h1, h2, small, pre")) {
  if (!node.textContent.trim()) continue;
  const a = light(parse(getComputedStyle(node).color)), b = light(behind(node));
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const key = node.tagName + "." + node.className;
  if (!(key in seen) || ratio < seen[key]) seen[key] = ratio;
}
return Object.entries(seen).filter((entry) => entry[1] < 4.5);
"""

HOVER = """
const mark = document.querySelector("figure svg title");
if (!mark) return ["no mark has a value", ""];
const node = mark.parentNode, text = mark.textContent;
const target = node.getClientRects().length ? node : node.firstElementChild || node;
target.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX: 50, clientY: 90 }));
const box = document.getElementById("hover");
return [text, box && !box.hidden ? box.textContent : "nothing is shown"];
"""

SORT = """
const table = document.querySelector("table.sortable");
if (!table) return null;
const column = [...table.tHead.rows[0].cells].findIndex((head) => head.classList.contains("n"));
const values = () => [...table.tBodies[0].rows].map((row) => parseFloat(row.cells[column].textContent))
  .filter((value) => !Number.isNaN(value));
const head = table.tHead.rows[0].cells[column];
head.querySelector("button").click();
const up = values();
head.querySelector("button").click();
return [up, values(), head.getAttribute("aria-sort")];
"""


def text_of(pdf):
    """The words of a PDF, in one line."""
    done = subprocess.run(["pdftotext", str(pdf), "-"], capture_output=True, check=True)
    return " ".join(done.stdout.decode().split())


def run(*arguments, status=(0, 3)):
    done = subprocess.run([PROGRAM, "--quiet", *arguments], capture_output=True,
                          env={**os.environ, "HOME": "/nowhere", "CROSSFOLD_PLUGIN_PATH": ""})
    if done.returncode not in status:
        raise AssertionError(f"{arguments} ended with {done.returncode}: {done.stderr.decode()}")
    return done


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.profile = tempfile.mkdtemp(prefix="crossfold-chromium-")
        cls.browser = webdriver.Browser(DRIVER, CHROMIUM, cls.profile)

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        shutil.rmtree(cls.profile, ignore_errors=True)

    def look(self, path, texts, figures, biggest):
        """Opens a report and asks everything that holds for each."""
        text = path.read_bytes()
        self.assertLess(len(text), biggest)
        self.assertEqual(markup.check(text.decode("utf-8")), [])
        page = self.browser
        page.scheme("light")
        page.size(1280, 900)
        page.log("browser"), page.log("performance")
        page.open(path.resolve().as_uri())
        shown = page.run("return document.body.innerText")
        for wanted in texts:
            self.assertIn(wanted, shown)
        page.picture(path.with_suffix(".light.png"))
        self.look_at_figures(page, figures)
        self.look_at_script(page)
        self.assertEqual(page.run(CONTRAST), [])
        page.scheme("dark")
        self.assertNotEqual(page.run("return getComputedStyle(document.body).backgroundColor"),
                            "rgb(255, 255, 255)")
        self.assertEqual(page.run(CONTRAST), [])
        page.picture(path.with_suffix(".dark.png"))
        page.scheme("dark", "print")
        self.assertEqual(page.run(PAPER), [])
        page.scheme("light")
        page.size(360, 740, phone=True)
        self.assertEqual(page.run(OVERFLOW), [0, []])
        for height in page.run(ANSWERS):  # the answer fits on a screen
            self.assertLess(height, 740)
        page.run(CLOSE)
        page.picture(path.with_suffix(".phone.png"))
        page.size(1280, 900)
        self.assertGreaterEqual(page.pdf(path.with_suffix(".pdf")), 1)
        self.assertEqual([entry["message"] for entry in page.log("browser")], [])
        self.look_at_network(page)

    @unittest.skipUnless(shutil.which("pdftotext"), "there is no pdftotext")
    def test_folded_parts_are_on_paper(self):
        path = FOLDER / "paper.html"
        run("run", str(HERE / "experiments.lua"), DATA, "two_parameters", str(path))
        page, captions = self.browser, []
        # Browsers without JavaScript have the style sheet, those that do not know its rule the script.
        for has_script in (True, False):
            page.devtools("Emulation.setScriptExecutionDisabled", value=not has_script)
            self.addCleanup(page.devtools, "Emulation.setScriptExecutionDisabled", value=False)
            page.open(path.resolve().as_uri())
            if has_script:
                captions = page.run(FOLDED)
                self.assertGreater(len(captions), 1)
                folded, printed, again = page.run(PRINTED)
                self.assertGreater(folded, 3)
                self.assertEqual((printed, again), (0, folded))
            page.pdf(path.with_suffix(".pdf"))
            text = text_of(path.with_suffix(".pdf"))
            for caption in captions:
                self.assertIn(" ".join(caption.split()), text)

    def look_at_figures(self, page, least):
        found = page.run(FIGURES)
        self.assertGreaterEqual(len(found), least, found)
        for name, width, height, marks in found:
            self.assertTrue(name)
            self.assertGreater(width, 150, name)
            self.assertGreater(height, 80, name)
            self.assertGreater(marks, 2, name)

    def look_at_script(self, page):
        text, shown = page.run(HOVER)
        self.assertEqual(shown, text)
        columns = page.run(SORT)
        if columns:
            up, down, state = columns
            self.assertEqual(up, sorted(up))
            self.assertEqual(down, sorted(down, reverse=True))
            self.assertEqual(state, "descending")

    def look_at_network(self, page):
        import json
        for entry in page.log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                if message["params"]["documentURL"].startswith("chrome:"):
                    continue  # the browser's own first page, which it may still be loading
                url = message["params"]["request"]["url"]
                self.assertTrue(url.startswith(("file:", "data:", "about:")), url)


def live(name):
    def test(self):
        path = FOLDER / (name + ".html")
        run("run", str(HERE / "experiments.lua"), DATA, name, str(path))
        self.look(path, *CASES[name])
    return test


def stored(name):
    def test(self):
        store, path = FOLDER / (name + ".cfdb"), FOLDER / (name + "_stored.html")
        for old in FOLDER.glob(name + ".cfdb*"):
            old.unlink()
        run("run", "--store", str(store), str(HERE / "experiments.lua"), DATA, name,
            str(FOLDER / (name + "_live.html")))
        done = run("report", str(store), "-o", str(path), status=(0,))
        self.assertEqual(done.stdout.decode(), f"{path}\n")
        self.look(path, *CASES[name])
        self.assertIn("local cf = require", path.read_text())  # the script is there
    return test


for case in CASES:
    setattr(Reports, "test_" + case, live(case))
for case in STORED:
    setattr(Reports, "test_store_with_" + case, stored(case))

if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=[sys.argv[0], *sys.argv[6:]], verbosity=2)
