"""on_terminal.py PROGRAM [ARGUMENT...]: runs a program on a terminal of its own, 100 columns wide, and
copies what appears there to standard output."""
import fcntl
import os
import pty
import struct
import sys
import termios

pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    os.execv(sys.argv[1], sys.argv[1:])
while True:
    try:
        seen = os.read(terminal, 65536)
    except OSError:  # this is how the end of a terminal is reported
        break
    if not seen:
        break
    sys.stdout.buffer.write(seen)
os.waitpid(pid, 0)
