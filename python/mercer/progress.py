"""How far long work is, on a line of its own."""
from __future__ import annotations

import sys
import time


class Bar:
    """A line that is written anew: what is done, a bar, the time. It works in terminals and notebooks alike."""

    def __init__(self, name: str) -> None:
        self.name, self.start, self.width = name, time.monotonic(), 0

    def __call__(self, what: str, fraction: float) -> None:
        filled = round(20 * min(max(fraction, 0.0), 1.0))
        seconds = time.monotonic() - self.start
        line = f"{self.name}: {100 * fraction:3.0f}%|{'█' * filled}{' ' * (20 - filled)}| {seconds:.0f} s {what}"
        sys.stderr.write("\r" + line.ljust(self.width))
        sys.stderr.flush()
        self.width = len(line)

    def close(self) -> None:
        """Ends the line, where one was begun: quick work shows nothing."""
        if self.width:
            self("done", 1.0)
            sys.stderr.write("\n")
