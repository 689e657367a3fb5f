"""A terminal for the tests: commands run in a pseudo-terminal, and what they print goes to a screen that notices lines that wrap."""
import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

BAR = re.compile(r"^\S.*\d %(, (about|less) .* left)?(\^C)?$|^\d+ %$")
PHASES = ("search", "final fit", "assessment", "report", "fit:", "prediction", "Gram", "bootstrap")


class Screen:
    """Rows of characters, with a cursor; no escape sequences."""

    def __init__(self, columns):
        self.columns, self.rows, self.row, self.column = columns, [[]], 0, 0
        self.wrapped = []  # rows that were longer than the screen is wide
        self.seen = []  # every state of a line before it was written over
        self.odd = set()  # control characters that nobody asked for

    def feed(self, text):
        for character in text:
            if character in "\r\n\b":
                if character != "\b" and self.line().strip() and (not self.seen or self.seen[-1] != self.line()):
                    self.seen.append(self.line())
                self.row += character == "\n"
                self.column = 0 if character == "\r" else max(0, self.column - (character == "\b"))
                while len(self.rows) <= self.row:
                    self.rows.append([])
            elif character < " " or character == "\x7f":
                self.odd.add(character)
            else:
                self.put(character)

    def put(self, character):
        if self.column >= self.columns:
            self.wrapped.append(self.line())
            self.row, self.column = self.row + 1, 0
            self.rows.append([])
        row = self.rows[self.row]
        row.extend(" " * (self.column - len(row)))
        row[self.column:self.column + 1] = [character]
        self.column += 1

    def line(self):
        return "".join(self.rows[self.row]).rstrip()

    def bars(self):
        """The lines of progress that stood there for a while."""
        return [line for line in self.seen if BAR.search(line)]

    def text(self):
        """What stands there in the end."""
        return "\n".join("".join(row).rstrip() for row in self.rows).rstrip("\n")


class Ended:
    def __init__(self, code, screen, raw):
        self.code, self.screen, self.raw, self.text = code, screen, raw, screen.text()


def run_in_terminal(command, columns=80, typed=None, timeout=120, color=False, environment=None, **options):
    """`typed`: a function of the screen that gives what to type now ("\\x03" is Ctrl-C), or nothing. `color`: of a terminal that shows it."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def begin():  # the terminal is the command's own, so that Ctrl-C reaches it
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    inherited = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
    shows = {"TERM": "xterm"} if color else {"NO_COLOR": "1"}
    process = subprocess.Popen([str(word) for word in command], stdin=slave, stdout=slave, stderr=slave, preexec_fn=begin,
                               env={**inherited, **shows, **(environment or {})}, **options)
    os.close(slave)
    screen, raw, decoder, deadline = Screen(columns), "", codecs.getincrementaldecoder("utf-8")("replace"), time.monotonic() + timeout
    try:
        while time.monotonic() < deadline:
            if select.select([master], [], [], 0.05)[0]:
                try:
                    bytes_read = os.read(master, 65536)
                except OSError:  # the other side is closed
                    break
                if not bytes_read:
                    break
                text = decoder.decode(bytes_read)
                raw += text
                screen.feed(text)
            if typed and (keys := typed(screen)):
                os.write(master, keys.encode())
        return Ended(process.wait(timeout=max(1, deadline - time.monotonic())), screen, raw)
    finally:
        process.kill()
        process.wait()
        os.close(master)
