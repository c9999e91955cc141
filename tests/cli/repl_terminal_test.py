"""repl_terminal_test.py PROGRAM ROOT SCRATCH PLUGIN: the prompt on a pseudo-terminal: keys, completion,
history, Ctrl-C and Ctrl-D. PLUGIN holds the learner bad.hangs."""
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import sys
import termios
import time
import unittest

PROGRAM, ROOT, SCRATCH, PLUGIN = (os.path.abspath(path) for path in sys.argv[1:5])
HOME = os.path.join(SCRATCH, "repl_home")
PATIENCE = 60  # seconds; a busy machine is not a failure


class Prompt:
    """A running `crossfold repl`."""

    def __init__(self, *options):
        environment = dict(os.environ, TERM="xterm", HOME=HOME, XDG_STATE_HOME="", XDG_DATA_HOME="",
                           LC_ALL="C.UTF-8", CROSSFOLD_PLUGIN_PATH="")
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            os.execve(PROGRAM, [PROGRAM, "repl", *options], environment)
        # Wide, so that no line is broken and drawn again.
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 400, 0, 0))
        self.wait_for("cf> ")

    def kill(self):
        """Ends what a failed test left."""
        try:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass

    def read(self, seconds):
        """What comes within so many seconds; '' if nothing does, None at the end."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return ""
        try:
            data = os.read(self.terminal, 65536)
        except OSError:  # the other side is closed
            return None
        return data.decode(errors="replace") or None

    def wait_for(self, text, keys=""):
        """Types keys and reads until `text`, a regular expression, has come; returns what came."""
        os.write(self.terminal, keys.encode())
        came, end = "", time.monotonic() + PATIENCE
        while not re.search(text, came):
            more = self.read(max(0, end - time.monotonic()))
            if not more:
                raise AssertionError("%r did not come, but %r" % (text, came))
            came += more
        return came

    def leave(self, keys="\x04"):
        """Types keys, waits for the end and returns the exit status."""
        os.write(self.terminal, keys.encode())
        end = time.monotonic() + PATIENCE
        while self.read(max(0, end - time.monotonic())):
            pass
        if time.monotonic() >= end:
            raise AssertionError("the program did not leave")
        _, status = os.waitpid(self.pid, 0)
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(status)


class ReplTerminalTest(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(HOME, ignore_errors=True)

    def start(self, *options):
        prompt = Prompt(*options)
        self.addCleanup(prompt.kill)
        return prompt

    def test_a_value_is_shown_and_control_d_leaves_with_0(self):
        prompt = self.start()
        prompt.wait_for(r"\n42\r\ncf> ", "6 * 7\r")
        self.assertEqual(prompt.leave(), 0)

    def test_tab_completes_fields_ids_and_parameters(self):
        prompt = self.start()
        prompt.wait_for("grid_search|id_search", "cf.gr\t")
        prompt.wait_for(r"\nfunction\r\ncf> ", "\r")
        prompt.wait_for(r"\nknn\{distance=manhattan\}\r\ncf> ", 'cf.learner("kn\t, { di\t"man\t })\r')
        self.assertEqual(prompt.leave(), 0)

    def test_tab_lists_what_is_ambiguous(self):
        prompt = self.start()
        prompt.wait_for(r"\ndata +datasets\r\n", "cf.evaluate{ da\t\t")
        self.assertEqual(prompt.leave("\x03\x04"), 0)

    def test_tab_completes_names_of_files(self):
        prompt = self.start()
        prompt.wait_for(r"\ndataset 'iris': 150 rows, 4 features\r\ncf> ",
                        'cf.read("scripts/data/iris.c\t, { target = "class" })\r')
        self.assertEqual(prompt.leave(), 0)

    def test_a_chunk_goes_on_at_another_prompt_until_control_c(self):
        prompt = self.start()
        prompt.wait_for(r"\n\.\.> ", "for i = 1, 2 do\r")
        prompt.wait_for(r"\^C\r\ncf> ", "print(i)\x03")
        prompt.wait_for(r"\n9\r\ncf> ", "3 * 3\r")
        self.assertEqual(prompt.leave(), 0)

    def test_control_c_stops_a_loop_and_the_session_goes_on(self):
        prompt = self.start()
        prompt.wait_for(r"\r\ncf> ", "kept = 5\r")
        prompt.wait_for(r"endless\r\n", 'print("end" .. "less") while true do end\r')
        prompt.wait_for(r"crossfold: interrupted\r\ncf> ", "\x03")
        prompt.wait_for(r"\n5\r\ncf> ", "kept\r")
        self.assertEqual(prompt.leave(), 0)

    def test_control_c_stops_cells_and_later_ones_run(self):
        prompt = self.start()
        prompt.wait_for(r"\r\ncf> ", 'iris = cf.read("scripts/data/iris.csv", { target = "class" })\r')
        prompt.wait_for(r"\r\ncf> ", 'folds = cf.splitter("kfold", { folds = 3 })\r')
        prompt.wait_for(r"\r\ncf> ", 'slow = cf.learner("debug", { action = "sleep", sleep_ms = 60000 })\r')
        prompt.wait_for(r"now\r\n", 'print("n" .. "ow") cf.evaluate{ data = iris, learners = slow, '
                        'splitter = folds, metrics = "accuracy" }\r')
        prompt.wait_for(r"crossfold: interrupted\r\ncf> ", "\x03")
        prompt.wait_for(r"\nfeatureless +accuracy +0\.[\s\S]*\r\ncf> ", 'cf.evaluate{ data = iris, learners = '
                        '"featureless", splitter = folds, metrics = "accuracy" }\r')
        self.assertEqual(prompt.leave(), 0)

    def test_a_second_control_c_leaves_a_plugin_that_never_stops(self):
        prompt = self.start("--plugin-path", PLUGIN)
        prompt.wait_for(r"\r\ncf> ", 'iris = cf.read("scripts/data/iris.csv", { target = "class" })\r')
        prompt.wait_for(r"now\r\n", 'print("n" .. "ow") cf.learner("bad.hangs"):fit(iris)\r')
        time.sleep(0.3)  # until the plugin is entered
        prompt.wait_for("stopping; Ctrl-C again exits at once", "\x03")
        self.assertEqual(prompt.leave("\x03"), 130)

    def test_a_store_keeps_the_cells_that_were_finished(self):
        store = os.path.join(SCRATCH, "repl_terminal.cfdb")
        for path in (store, store + "-wal", store + "-shm"):
            if os.path.exists(path):
                os.remove(path)
        prompt = self.start("--store", store, "--workers", "1")
        prompt.wait_for(r"\r\ncf> ", 'iris = cf.read("scripts/data/iris.csv", { target = "class" })\r')
        prompt.wait_for(r"\r\ncf> ", 'folds = cf.splitter("kfold", { folds = 3 })\r')
        prompt.wait_for(r"\r\ncf> ", 'function run(learner) return cf.evaluate{ data = iris, learners = '
                        'learner, splitter = folds, metrics = "accuracy", seed = 1 } end\r')
        prompt.wait_for(r"now\r\n", 'run("featureless") print("n" .. "ow") run(cf.learner("debug", '
                        '{ action = "sleep", sleep_ms = 60000 }))\r')
        prompt.wait_for(r"interrupted; the cells that were finished are kept in the store\r\ncf> ", "\x03")
        prompt.wait_for(r"\r\ncf> ", 'r = run("featureless")\r')
        prompt.wait_for(r"store .*: 3 cells found, 3 computed", "\x04")
        self.assertEqual(prompt.leave(""), 0)

    def test_sigint_from_outside_drops_the_line(self):
        prompt = self.start()
        prompt.wait_for("abc", "abc")
        time.sleep(0.5)  # until the editor waits for the next key: a signal before that is seen with it
        os.kill(prompt.pid, signal.SIGINT)
        prompt.wait_for(r"\^C\r\ncf> ")
        prompt.wait_for(r"\n42\r\ncf> ", "6 * 7\r")
        self.assertEqual(prompt.leave(), 0)

    def test_sigterm_while_a_chunk_runs_ends_the_program(self):
        prompt = self.start()
        prompt.wait_for(r"endless\r\n", 'print("end" .. "less") while true do end\r')
        os.kill(prompt.pid, signal.SIGTERM)
        self.assertEqual(prompt.leave(""), 130)

    def test_earlier_lines_come_back_in_another_session(self):
        first = self.start()
        first.wait_for(r"\n11\r\ncf> ", "5 + 6\r")
        self.assertEqual(first.leave(), 0)
        path = os.path.join(HOME, ".local/state/crossfold/history")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "5 + 6\n")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        second = self.start()
        second.wait_for(r"\n11\r\ncf> ", "\x1b[A\r")  # the key Up
        self.assertEqual(second.leave(), 0)

    def test_a_chunk_of_several_lines_comes_back_as_one(self):
        prompt = self.start()
        prompt.wait_for(r"\n1\r\n2\r\ncf> ", "for i = 1, 2 do  -- twice\r  print(i)\rend\r")
        with open(os.path.join(HOME, ".local/state/crossfold/history"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "for i = 1, 2 do print(i) end\n")
        prompt.wait_for(r"\n1\r\n2\r\ncf> ", "\x1b[A\r")
        self.assertEqual(prompt.leave(), 0)

    def test_control_d_drops_a_chunk_that_is_not_finished(self):
        prompt = self.start()
        prompt.wait_for(r"\.\.> ", "for i = 1, 2 do\r")
        prompt.wait_for(r"\r\ncf> ", "\x04")
        prompt.wait_for(r"\n42\r\ncf> ", "6 * 7\r")
        self.assertEqual(prompt.leave(), 0)

    # As editors indent.
    def test_tabs_at_the_beginning_of_lines_that_are_pasted_complete_nothing(self):
        prompt = self.start()
        came = prompt.wait_for(r"\n3\r\ncf> ", "do\r\tlocal x = 3\r\t\tprint(x)\rend\r")
        self.assertNotIn("coroutine", came)
        self.assertEqual(prompt.leave(), 0)

    def test_fifty_lines_are_pasted(self):
        prompt = self.start()
        lines = ["t = {"] + ["  a%d = %d,  -- line %d" % (i, i, i) for i in range(50)] + ["}", "t.a49"]
        prompt.wait_for(r"\n49\r\ncf> ", "\r".join(lines) + "\r")
        self.assertEqual(prompt.leave(), 0)

    def test_help_is_as_wide_as_the_terminal_is_now(self):
        prompt = self.start()
        for columns in (60, 90):
            fcntl.ioctl(prompt.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
            came = prompt.wait_for(r"onnx/1\)\r\ncf> ", "help knn\r")
            lines = came.split("\r\n")
            self.assertTrue(columns - 15 < max(map(len, lines)) <= columns, lines)
        self.assertEqual(prompt.leave(), 0)

    def test_no_history_reads_and_writes_none(self):
        prompt = self.start("--no-history")
        prompt.wait_for(r"\n11\r\ncf> ", "5 + 6\r")
        self.assertEqual(prompt.leave(), 0)
        self.assertFalse(os.path.exists(os.path.join(HOME, ".local/state")))

    def test_letters_beyond_ascii_are_kept(self):
        prompt = self.start()
        prompt.wait_for(r"\n4\täß\r\ncf> ", 'x = "äß"\r#x, x\r')
        self.assertEqual(prompt.leave(), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
