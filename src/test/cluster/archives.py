"""Archives for the proofs."""

import os
import pathlib
import subprocess

from kblake_command import COMMAND


def program(name, *arguments):
    """Returns the command of a Java program of this directory."""
    library = pathlib.Path(COMMAND).parent.parent / "lib" / "*"
    java = pathlib.Path(os.environ["JAVA_HOME"]) / "bin" / "java"
    source = pathlib.Path(__file__).parent / f"{name}.java"
    return [java, "-cp", f"{os.environ['KBLAKE_CLASSES']}:{library}", source, *map(str, arguments)]


def random(directory, seed):
    """Writes a small archive with everything that logs permit: NaN with payloads, strays, channels that change type, all types, waveforms."""
    subprocess.run(program("WriteRandomArchive", directory, seed), check=True, stdout=subprocess.DEVNULL)
    return directory


def growing(directory):
    """Starts a process whose archive grows sixty times as fast as time. A block may end every ten seconds."""
    return subprocess.Popen(program("WriteLiveArchive", directory), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def simulated(directory, *options):
    """Writes an archive of the simulated machine."""
    subprocess.run([COMMAND, "simulate", *options, directory], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return directory
