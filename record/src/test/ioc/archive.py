"""An archive, its settings, and commands on it."""

import json
import os
import subprocess

from processes import DEADLINE, Process, until

COMMAND = os.environ.get("KBLAKE_COMMAND", "kblake")


class Archive:
    """An archive with lists of groups, and the processes that are started for it."""

    def __init__(self, work, settings, groups, environment):
        self.work = work
        self.environment = environment
        self.running = []
        lists = work / "logs/SYS/LCF"
        lists.mkdir(parents=True)
        for group, names in groups.items():
            (lists / f"{group.split('/')[1]}.lcf").write_text("\n".join(names) + "\n")
        (work / "logs/SYS/KEKBLog.list").write_text("".join(group.replace("/", " ") + "\n" for group in groups))
        (work / "kblake.toml").write_text(settings)

    def keep(self, process):
        self.running.append(process)
        return process

    def start_kblake(self, log, *words, output=None):
        line = [COMMAND, "--config", self.work / "kblake.toml", *words]
        return self.keep(Process(line, self.work / log, self.environment, output))

    def kblake(self, *words, allowed=(0,)):
        """Returns the output of a command."""
        line = [COMMAND, "--config", str(self.work / "kblake.toml"), *map(str, words)]
        done = subprocess.run(line, capture_output=True, env=self.environment, timeout=DEADLINE)
        assert done.returncode in allowed, f"{line}: {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}"
        return done.stdout.decode()

    def get(self, group, *names, source="raw", allowed=(0,)):
        """Returns the rows of channels in log order."""
        options = ["-f", "ndjson", "--time", "epoch-ns", "--from", "2000-01-01", "--no-admit", "--source", source, "-g", group]
        return [json.loads(line) for line in self.kblake("get", *options, *(names or ["*"]), allowed=allowed).splitlines()]

    def has(self, group, name, condition):
        """Waits for a row."""
        until(lambda: any(condition(row) for row in self.get(group, name, allowed=(0, 1, 3))), f"no such row of {name} in {group}")

    def pairs(self, group):
        system, name = group.split("/")
        return sorted((self.work / "logs" / system).glob(f"{name}_*.log1"))

    def close(self):
        for each in self.running:
            each.process.kill()
            each.process.wait()
