"""Debian's chromium without a window, driven over a pipe by the DevTools protocol, for the tests of pages."""
import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

CHROMIUM = shutil.which("chromium")


def pipe():
    """Two ends with numbers from 10, so that 3 and 4 are free in the browser."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return high


class Browser:
    """One tab. `complaints` are errors and warnings on the console, `requests` the addresses that pages asked for."""

    def __init__(self):
        self.profile = tempfile.mkdtemp()
        to_browser, from_here = pipe()
        from_browser, to_here = pipe()

        def place_pipes():  # the browser reads from 3 and writes to 4
            os.dup2(to_browser, 3)
            os.dup2(to_here, 4)

        self.process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", f"--user-data-dir={self.profile}", "--remote-debugging-pipe", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=place_pipes)
        os.close(to_browser)
        os.close(to_here)
        self.write, self.read = from_here, from_browser
        self.received, self.number = b"", 0
        self.complaints, self.requests, self.events = [], [], []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        os.close(self.write)
        os.close(self.read)
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self, timeout=60):
        end = time.monotonic() + timeout
        while b"\0" not in self.received:
            ready, _, _ = select.select([self.read], [], [], max(0, end - time.monotonic()))
            part = os.read(self.read, 1 << 20) if ready else b""
            if not part:
                raise TimeoutError("the browser does not answer")
            self.received += part
        text, self.received = self.received.split(b"\0", 1)
        return json.loads(text)

    def note(self, event):
        kind, about = event["method"], event["params"]
        self.events.append(kind)
        if kind == "Runtime.exceptionThrown":
            self.complaints.append(about["exceptionDetails"]["text"])
        elif kind == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
            self.complaints.append(str(about["args"]))
        elif kind == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.complaints.append(about["entry"]["text"])
        elif kind == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])

    def call(self, method, **parameters):
        self.number += 1
        wanted = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            wanted["sessionId"] = self.session
        os.write(self.write, json.dumps(wanted).encode() + b"\0")
        while True:
            answer = self.message()
            if "method" in answer:
                self.note(answer)
            elif answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, path, width, height=900, dark=False):
        """Shows a file in a window of this width; a phone's below 600 pixels."""
        phone = width < 600
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if phone else 1, mobile=phone)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.complaints, self.requests, self.events = [], [], []
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        while "Page.loadEventFired" not in self.events:
            event = self.message()
            if "method" in event:
                self.note(event)

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def screenshot(self, path, whole=True):
        picture = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        pathlib.Path(path).write_bytes(base64.b64decode(picture["data"]))
