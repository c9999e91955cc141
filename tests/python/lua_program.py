"""Where the tests find data and scripts, and how they run a script with the program crossfold."""
import os
import subprocess

from crossfold.library import program

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(os.path.dirname(os.path.dirname(HERE)), "scripts", "data")


def data(name):
    return os.path.join(DATA, name)


def lines(script, *arguments):
    """The fields of each line that a script of this folder prints."""
    done = subprocess.run([program(), "--quiet", "run", os.path.join(HERE, script), *arguments], check=False, text=True,
                          capture_output=True)
    if done.returncode not in (0, 3):  # 3: cells failed
        raise AssertionError(done.stderr)
    return [line.split("\t") for line in done.stdout.splitlines()]


def exact(value):
    """A number as the scripts print it."""
    return "-" if value is None or value != value else lua_hexadecimal(float(value))


def lua_hexadecimal(value):
    """float.hex without the zeros at the end of the digits, as the C library writes it."""
    digits, exponent = value.hex().split("p") if "p" in value.hex() else (value.hex(), None)
    if exponent is None:  # infinity
        return digits
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return f"{digits}p{exponent}"
