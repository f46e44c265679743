"""The kblake command of the tarballs, as a user runs it."""

import os
import re
import signal
import subprocess

import pyarrow as pa

COMMAND = os.environ.get("KBLAKE_COMMAND", "kblake")
ENVIRONMENT = {**os.environ, "KBLAKE_NICE": "0"}


class Kblake:
    """Commands with one archive and one store."""

    def __init__(self, archive, store):
        self.archive = archive
        self.store = store

    def run(self, *arguments, allowed=(0,)):
        """Returns what a command writes to standard output. Fails on another exit status than the allowed ones."""
        command = self.line(*arguments)
        done = subprocess.run(command, capture_output=True, env=ENVIRONMENT, timeout=600)
        assert done.returncode in allowed, f"{' '.join(command)}: status {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}"
        return done.stdout

    def start(self, *arguments):
        """Starts a command as a process that signals reach. Standard error is a pipe, standard output is discarded."""

        def obey():
            # A job in the background of a shell ignores SIGINT, and its children would.
            signal.signal(signal.SIGINT, signal.SIG_DFL)

        return subprocess.Popen(
            self.line(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, preexec_fn=obey
        )

    def line(self, *arguments):
        """Returns the words of a command."""
        return [COMMAND, "--archive", str(self.archive), "--store", str(self.store), "--zone", "Asia/Tokyo", *map(str, arguments)]

    def backfill(self, *arguments):
        # Random archives lack some groups of their list. The status is then 3.
        return self.run("backfill", *arguments, allowed=(0, 3)).decode()

    def publish(self, *arguments):
        """Publishes, and returns the figures that the command prints."""
        text = self.run("lake", "publish", *arguments).decode()
        return {name.strip(): int(value) for name, value in re.findall(r"^([a-z ]+?) +(\d+)", text, re.MULTILINE)}

    def get(self, group, channels, from_nanos, to_nanos):
        """Returns the events of the store in [from, to), strays included, in log order."""
        begin, end = (f"@{nanos // 10**9}.{nanos % 10**9:09d}" for nanos in (from_nanos, to_nanos))
        data = self.run(
            "get", "--source", "store", "--strays", "--no-admit", "-f", "arrow", "-g", group, "--from", begin, "--to", end,
            *channels, allowed=(0, 3),
        )
        return pa.ipc.open_stream(data).read_all()
