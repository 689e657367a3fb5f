"""The reference of the command line: a page for each command, made from what `mercer COMMAND --help` prints."""
import os
import re
import subprocess

ENTRY = re.compile(r"^  (\S(?:.*?\S)?)(?:  +(\S.*))?$")
COMMANDS_OF_PLOT = "Subcommands"


def help_of(*command):
    environment = {**os.environ, "COLUMNS": "120", "NO_COLOR": "1"}
    return subprocess.run([os.environ["MERCER"], *command, "--help"], check=True, capture_output=True, text=True, env=environment).stdout


def parse(text):
    """Title, usage, sections [(heading, [(term, description)])] and what stands below them."""
    title, usage, rest = re.match(r"(.*?)\n\nUsage: (.*?)\n(?:\n|$)(.*)", text, re.S).groups()
    sections, footer = [], []
    for block in re.split(r"\n\n+", rest.strip("\n")):
        heading, _, body = block.partition("\n")
        if heading.endswith(":") and not footer and body.startswith("  "):
            sections.append((heading[:-1], entries(body)))
        else:
            footer.append(block)
    return " ".join(title.split()), " ".join(usage.split()), sections, footer


def entries(body):
    found = []
    for line in body.split("\n"):
        begins = ENTRY.match(line)
        if begins:
            found.append([begins[1], begins[2] or ""])
        else:
            found[-1][1] = f"{found[-1][1]} {line.strip()}".strip()
    return found


def escape(text):
    return re.sub(r"([\\*_\[\]<>#|~`$^])", r"\\\1", text)


def page(command, text, below=()):
    title, usage, sections, footer = parse(text)
    out = f"---\norphan: true\n---\n# {command}\n\n{escape(title)}.\n\n```text\n{usage}\n```\n"
    for heading, found in sections:
        out += f"\n## {heading}\n"
        for term, description in found:
            name = f"[`{term}`]({below[term]})" if term in below else f"`{term}`"
            out += f"\n{name}\n: {escape(description)}\n"
    footer = [block for block in footer if not block.startswith("Global options:")]
    for block in footer:
        out += f"\n```text\n{block}\n```\n" if "\n  " in block or block.startswith("  ") else f"\n{escape(' '.join(block.split()))}\n"
    if command != "mercer":
        out += "\nGlobal options, such as `--json`, `--threads` and `--seed`: [mercer](index.md).\n"
    return out


def pages(root):
    whole = help_of()
    commands = {}
    for heading, found in parse(whole)[2]:
        if heading not in ("Options", "Arguments"):
            commands.update({term: f"{term}.md" for term, _ in found})
    for command in commands:
        text = help_of(command)
        kinds = {term: f"{command}-{term}.md" for heading, found in parse(text)[2] if heading == COMMANDS_OF_PLOT for term, _ in found}
        yield f"commands/{command}.md", page(f"mercer {command}", text, kinds)
        for kind, name in kinds.items():
            yield f"commands/{name}", page(f"mercer {command} {kind}", help_of(command, kind))
    index = page("mercer", whole, commands).replace("# mercer\n", "# Command reference\n", 1)
    yield "commands/index.md", index.replace("---\norphan: true\n---\n", "")
