#!/usr/bin/env python3
"""Writes the tables of docs/kernels.md from the catalogue, or with --check says whether they are up to date."""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OBJECTS = {"text": "texts", "sequence": "sequences", "symbols": "sets of symbols", "molecule": "molecules", "vectors": "sets of vectors",
           "graph": "graphs", "image": "images"}
MERCER = os.environ.get("MERCER", str(ROOT / "build/release/mercer"))


def parameters(entry):
    written = [f"`{p['name']}`" + (f" = {p['default']}" if p["default"] else "") + (f" ({p['range']})" if p["range"] else "")
               for p in entry["parameters"]]
    return "; ".join(written).replace("|", "\\|")


def properties(entry):
    known = entry["properties"]
    order = known["conditional_order"]
    words = ["PSD" if known["psd"] else f"conditionally PSD, order {order}" if order else "**not PSD**"]
    words += ["radial"] if known["radial"] else ["translation invariant"] if known["translation_invariant"] else []
    words += ["explicit map"] if known["explicit_map"] else []
    words += ["on " + " and ".join(OBJECTS[domain] for domain in entry["domains"])] if entry["domains"] else []
    return ", ".join(words)


def tables(catalogue):
    lines = ["| kernel | k(x, z) | parameters | known | |", "|---|---|---|---|---|"]
    for e in (e for e in catalogue if e["kind"] == "kernel"):
        formula = e["formula"].replace("|", "\\|")
        lines.append(f"| `{e['name']}` | {formula} | {parameters(e)} | {properties(e)} | {e['summary']} |")
    lines += ["", "| rule | gives | parameters | |", "|---|---|---|---|"]
    for e in (e for e in catalogue if e["kind"] == "rule"):
        lines.append(f"| `{e['name']}({'k1, k2, …' if e['several'] else 'k'})` | {e['formula']} | {parameters(e)} | {e['summary']} |")
    lines += ["", "| name | for | is | parameters |", "|---|---|---|---|"]
    for e in (e for e in catalogue if e["kind"] in ("map", "function")):
        place = "mapped(k, by=…)" if e["kind"] == "map" else "weighted(k, by=…)"
        lines.append(f"| `{e['name']}` | `{place}` | {e['formula']} | {parameters(e)} |")
    return "\n".join(lines)


def main():
    page = ROOT / "docs/kernels.md"
    catalogue = json.loads(subprocess.run([MERCER, "kernels", "--json"], capture_output=True, check=True).stdout)
    before = page.read_text()
    after = re.sub(r"(<!-- tables -->\n).*(<!-- end -->)", lambda m: m[1] + tables(catalogue) + "\n" + m[2], before, flags=re.S)
    if "--check" not in sys.argv:
        page.write_text(after)
        return 0
    print("docs/kernels.md is up to date" if after == before else "docs/kernels.md is not up to date; run scripts/kernel_table.py")
    return 0 if after == before else 1


if __name__ == "__main__":
    sys.exit(main())
