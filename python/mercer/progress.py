"""How far long work is, on a line of its own."""
from __future__ import annotations

import math
import os
import sys
import time
from typing import Any

QUIET = 0.5  # seconds before anything is shown: quick work shows nothing
STEP = 0.1  # seconds between two lines that are written over each other
RARE = 30.0  # seconds between two lines of a file, which stay
ECHO = 2  # columns of the ^C that a terminal writes behind the line
CELLS = 20  # of the bar


class Bar:
    """How much is done, the time it took and will take, and what is done, on ``sys.stderr``.

    In terminals and notebooks the line is written anew in place; it fits the width, which is asked for each time. In files and pipes there are no
    carriage returns: a line now and then, and one at the end. Used as ``with Bar("SVC") as bar: …``: the line ends with the block, also where an
    exception does.
    """

    def __init__(self, name: str) -> None:
        self.name, self.start, self.shown, self.width, self.fraction = name, time.monotonic(), 0.0, 0, 0.0
        self.stage, self.first = self.start, 0.0  # when the work under way began, and at which fraction

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close(done=kind is None)

    def __call__(self, what: str, fraction: float) -> None:
        """Shows it, where it is time to."""
        now = time.monotonic()
        fraction = min(max(fraction, 0.0), 1.0) if math.isfinite(fraction) else 0.0
        if self.fraction > 0.5 and fraction < self.fraction / 2:  # the next of several pieces of work, such as the fit after a search
            self.stage, self.first, self.fraction = now, fraction, fraction
        self.fraction = max(self.fraction, fraction)  # the engine knows better as it goes; a bar that shrinks tells nothing
        since = self.shown or self.start
        if now - self.start >= QUIET and now - since >= (STEP if rewrites(sys.stderr) else RARE):
            self._write(what, now)
            self.shown = now

    def close(self, done: bool = True) -> None:
        """Ends the line, where one was begun; in a file, says that long work is done."""
        stream, now = sys.stderr, time.monotonic()
        if stream is None or not (self.width if rewrites(stream) else done and now - self.start >= QUIET):
            return
        if done:
            self.fraction, self.stage, self.first = 1.0, self.start, 0.0
            self._write("", now)
        if self.width:
            stream.write("\n")
            stream.flush()
        self.width = 0

    def _write(self, what: str, now: float) -> None:
        stream = sys.stderr
        if stream is None:  # a program without a console
            return
        if not rewrites(stream):
            stream.write(self._line(what, now, "", 10**6) + "\n")
        else:
            columns = columns_of(stream)
            block = "█" if (getattr(stream, "encoding", None) or "").lower().startswith("utf") else "#"
            line = self._line(what, now, block, max(1, columns - 2 * ECHO))
            stale = max(0, min(self.width + ECHO, columns - 1) - len(line)) if self.width else 0
            self.width = len(line)  # before the line is there: an interrupt may come in between, and must end it
            stream.write("\r" + line + " " * stale + "\b" * stale)
        stream.flush()

    def _line(self, what: str, now: float, block: str, room: int) -> str:
        """The longest of several that has room."""
        done = self.fraction - self.first
        left = clock((now - self.stage) * (1 - self.fraction) / done) if done > 0.01 or self.fraction == 1 else "?"
        head, times = f"{self.name}: {int(100 * self.fraction):3d}%", f"{clock(now - self.start)}<{left}"
        filled = int(CELLS * self.fraction)
        bar = f"|{block * filled}{' ' * (CELLS - filled)}|" if block else ""
        told = f"[{times}, {what}]" if what else f"[{times}]"
        for line in (f"{head}{bar} {told}", f"{head} {told}", f"{head}{bar} [{times}]", f"{head} [{times}]", head):
            if len(line) <= room:
                return line
        return head.split()[-1][:room]


def rewrites(stream: Any) -> bool:
    """Can a line be written anew in place? In terminals and in notebooks, not in files and pipes."""
    try:
        return stream is not None and (stream.isatty() or type(stream).__module__.startswith("ipykernel"))
    except (AttributeError, ValueError):  # no stream, or a closed one
        return False


def columns_of(stream: Any) -> int:
    """The width of the terminal now; 80 where it does not say."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except (AttributeError, OSError, ValueError):  # a notebook
        columns = 0
    given = os.environ.get("COLUMNS", "")
    return columns or (int(given) if given.isdigit() and int(given) > 0 else 80)


def clock(seconds: float) -> str:
    """As tqdm writes times: 01:05, and 1:01:05 from an hour on."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes:02d}:{rest:02d}"
