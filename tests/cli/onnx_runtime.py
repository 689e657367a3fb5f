"""ONNX graphs run by ONNX Runtime, in Node.js: npm has its library for processors, which Debian has not."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PACKAGE = "onnxruntime-node"
SCRIPT = """
const ort = require(process.argv[1] + '/node_modules/onnxruntime-node');
const kinds = {float32: Float32Array, float64: Float64Array};
const lines = require('readline').createInterface({input: process.stdin});
(async () => {
  for await (const line of lines) {
    const job = JSON.parse(line);
    try {
      const session = await ort.InferenceSession.create(job.model, {logSeverityLevel: 3});
      const feeds = {};
      for (const [name, f] of Object.entries(job.feeds))
        feeds[name] = new ort.Tensor(f.type, f.type === 'string' ? f.data : kinds[f.type].from(f.data, x => x === null ? NaN : x), f.dims);
      const results = await session.run(feeds), found = {};
      for (const name of session.outputNames)
        found[name] = {dims: results[name].dims, type: results[name].type,
                       data: Array.from(results[name].data, x => typeof x === 'bigint' ? Number(x) : typeof x === 'number' && !isFinite(x) ? null : x)};
      console.log(JSON.stringify(found));
    } catch (error) { console.log(JSON.stringify({error: String(error)})); }
  }
})();
"""


def folder():
    """Where the package is: MERCER_ONNXRUNTIME, or a folder of the user's into which npm installs it once. SkipTest where it cannot be had."""
    given = os.environ.get("MERCER_ONNXRUNTIME")
    place = pathlib.Path(given or pathlib.Path(tempfile.gettempdir()) / f"mercer_onnxruntime_{os.getuid()}")
    if not shutil.which("node"):
        raise unittest.SkipTest("ONNX graphs are not run: there is no Node.js")
    if (place / "node_modules" / PACKAGE / "package.json").is_file():
        return place
    if given or not shutil.which("npm"):
        raise unittest.SkipTest(f"ONNX graphs are not run: there is no {PACKAGE} in {place} and no npm to install it with" if not given else f"no {PACKAGE} in {place}")
    # Installed elsewhere and moved in one step: tests run side by side.
    fresh = pathlib.Path(tempfile.mkdtemp(dir=place.parent))
    installed = subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0", PACKAGE], cwd=fresh, capture_output=True, text=True, timeout=300)
    if installed.returncode != 0:
        shutil.rmtree(fresh)
        raise unittest.SkipTest(f"ONNX graphs are not run: npm could not install {PACKAGE}: {installed.stderr.strip().splitlines()[-1:]}")
    try:
        fresh.rename(place)
    except OSError:  # another test was faster
        shutil.rmtree(fresh)
    return place


class Runtime:
    """One Node.js for many graphs."""

    def __init__(self):
        self.node = subprocess.Popen(["node", "-e", SCRIPT, str(folder())], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def run(self, model, **feeds):
        """The outputs of the graph in a file, lists of rows. An input is a list of rows, of numbers (None: missing) or of texts; (rows, type) of another type."""
        job = {"model": str(model), "feeds": {}}
        for name, rows in feeds.items():
            rows, kind = rows if isinstance(rows, tuple) else (rows, "string" if isinstance(rows[0][0], str) else "float64")
            job["feeds"][name] = {"type": kind, "dims": [len(rows), len(rows[0])], "data": [value for row in rows for value in row]}
        self.node.stdin.write(json.dumps(job) + "\n")
        self.node.stdin.flush()
        found = json.loads(self.node.stdout.readline())
        if "error" in found:
            raise AssertionError(f"ONNX Runtime: {found['error']}")
        outputs = {}
        for name, tensor in found.items():
            width = tensor["dims"][1] if len(tensor["dims"]) > 1 else 0
            data = tensor["data"]
            outputs[name] = [data[i : i + width] for i in range(0, len(data), width)] if width else data
        return outputs

    def close(self):
        self.node.stdin.close()
        self.node.stdout.close()
        self.node.wait(timeout=30)
