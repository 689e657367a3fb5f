"""How far long work is, on a line of its own."""
from __future__ import annotations

import shutil
import sys
import time
from typing import Any

QUIET = 0.5  # seconds before anything is shown: quick work shows nothing
STEP = 0.1  # seconds between two lines


class Bar:
    """A line that is written anew: how much is done, the time it took and will take, what is done.

    It is written to ``sys.stderr``, in terminals, notebooks and files alike, and used as ``with Bar("SVC") as bar: …``: the line ends with the block,
    also where an exception does.
    """

    def __init__(self, name: str) -> None:
        self.name, self.start, self.shown, self.width, self.fraction = name, time.monotonic(), 0.0, 0, 0.0

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close(done=kind is None)

    def __call__(self, what: str, fraction: float) -> None:
        """Shows it, where it is time to."""
        now = time.monotonic()
        self.fraction = max(self.fraction, min(fraction, 1.0))  # the engine knows better as it goes; a bar that shrinks tells nothing
        if now - self.start >= QUIET and now - self.shown >= STEP:
            self._write(what, now - self.start)
            self.shown = now

    def close(self, done: bool = True) -> None:
        """Ends the line, where one was begun."""
        if not self.width:
            return
        if done:
            self.fraction = 1.0
            self._write("", time.monotonic() - self.start)
        sys.stderr.write("\n")
        sys.stderr.flush()
        self.width = 0

    def _write(self, what: str, seconds: float) -> None:
        stream = sys.stderr
        if stream is None:  # a program without a console
            return
        block = "█" if (getattr(stream, "encoding", None) or "").lower().startswith("utf") else "#"
        filled = int(20 * self.fraction)
        left = clock(seconds * (1 / self.fraction - 1)) if self.fraction > 0.01 else "?"
        line = f"{self.name}: {int(100 * self.fraction):3d}%|{block * filled}{' ' * (20 - filled)}| [{clock(seconds)}<{left}{', ' + what if what else ''}]"
        if stream.isatty():  # a line that wraps could not be written anew
            line = line[:shutil.get_terminal_size().columns - 1]
        stream.write("\r" + line.ljust(self.width))
        stream.flush()
        self.width = len(line)


def clock(seconds: float) -> str:
    """As tqdm writes times: 01:05, and 1:01:05 from an hour on."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes:02d}:{rest:02d}"
