"""HDFS of one NameNode and three DataNodes, each a process of its own on the loopback interface."""

import os
import pathlib
import subprocess


DATA_NODES = 3


class Hdfs:
    def __init__(self, directory, jars):
        self.directory = directory
        self.java = pathlib.Path(os.environ["JAVA_HOME"]) / "bin"
        self.jars = f"{jars}/*"
        self.classes = directory / "classes"
        subprocess.run([self.java / "javac", "-nowarn", "-cp", self.jars, "-d", self.classes, "HdfsNode.java"], check=True, stderr=subprocess.DEVNULL)
        self.processes = {}
        self.uri = self._start("name")
        for number in range(DATA_NODES):
            self._start(f"data{number}", "data", self.uri)

    def _start(self, name, role=None, *arguments):
        folder = self.directory / name
        folder.mkdir()
        command = [self.java / "java", "-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", f"{self.classes}:{self.jars}", "HdfsNode"]
        with open(folder / "log", "w") as log:
            process = subprocess.Popen(
                [*command, role or name, folder, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
            )
        self.processes[name] = process
        answer = process.stdout.readline().strip()
        assert answer, f"{name} did not start: {(folder / 'log').read_text()[-2000:]}"
        return answer

    def stored_bytes(self):
        """Returns the bytes of blocks that each living DataNode has on its disk."""
        return {
            name: sum(file.stat().st_size for file in (self.directory / name / "data").rglob("blk_*") if not file.name.endswith(".meta"))
            for name in self.processes
            if name.startswith("data")
        }

    def kill(self, name):
        """Kills a node with SIGKILL."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def stop(self):
        for process in self.processes.values():
            process.stdin.close()
        for process in self.processes.values():
            process.wait(30)
