"""A browser by the WebDriver protocol (W3C), with the standard library only."""
import base64
import json
import re
import subprocess
import time
import urllib.request


class Browser:
    """Headless Chromium with a ChromeDriver of its own; use it in a with statement."""

    def __init__(self, driver, chromium, profile):
        self._process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, text=True)
        for line in self._process.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                self._root = "http://127.0.0.1:" + found.group(1)
                break
        else:
            raise RuntimeError("chromedriver did not start")
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                            "--disable-extensions", "--no-first-run", "--disable-background-networking",
                            "--user-data-dir=" + profile],
                   "binary": chromium}
        self._session = ""
        made = self._call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options,
            "timeouts": {"script": 120000, "pageLoad": 300000},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self._session = "/session/" + made["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._call("DELETE", "")
        finally:
            self._process.terminate()
            self._process.wait()

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._root + self._session + path, data=data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as problem:
            raise RuntimeError(problem.read().decode()[:2000]) from problem

    def open(self, url):
        self._call("POST", "/url", {"url": url})
        # On a busy machine the driver may answer while the page is still being read.
        for _ in range(1200):
            if self.run("return [location.href, document.readyState]") == [url, "complete"]:
                return
            time.sleep(0.05)
        raise RuntimeError("the page was not read in a minute: " + url)

    def run(self, script, *args):
        """What the body of a function returns in the page."""
        return self._call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def log(self, kind):
        return self._call("POST", "/se/log", {"type": kind})

    def devtools(self, command, **parameters):
        return self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width, height, phone=False):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=1, mobile=phone)

    def scheme(self, name, media=""):
        self.devtools("Emulation.setEmulatedMedia", media=media,
                      features=[{"name": "prefers-color-scheme", "value": name}])

    def picture(self, path, most=6000):
        """A PNG of the page, from its top to `most` pixels below."""
        width, height = self.run("return [innerWidth, document.documentElement.scrollHeight]")
        taken = self.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                              clip={"x": 0, "y": 0, "width": width, "height": min(height, most),
                                    "scale": 1})
        with open(path, "wb") as file:
            file.write(base64.b64decode(taken["data"]))

    def pdf(self, path):
        """Prints to A4. Returns the number of pages."""
        printed = base64.b64decode(self.devtools(
            "Page.printToPDF", paperWidth=8.27, paperHeight=11.69, printBackground=True,
            preferCSSPageSize=True)["data"])
        with open(path, "wb") as file:
            file.write(printed)
        return len(re.findall(rb"/Type\s*/Page\b(?!s)", printed))
