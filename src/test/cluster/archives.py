"""Archives for the proofs."""

import os
import pathlib
import subprocess

from kblake_command import COMMAND


def random(directory, seed):
    """Writes a small archive with everything that logs permit: NaN with payloads, strays, channels that change type, all types, waveforms."""
    library = pathlib.Path(COMMAND).parent.parent / "lib" / "*"
    classes = os.environ["KBLAKE_CLASSES"]
    java = pathlib.Path(os.environ["JAVA_HOME"]) / "bin" / "java"
    source = pathlib.Path(__file__).parent / "WriteRandomArchive.java"
    subprocess.run([java, "-cp", f"{classes}:{library}", source, directory, str(seed)], check=True, stdout=subprocess.DEVNULL)
    return directory


def simulated(directory, *options):
    """Writes an archive of the simulated machine."""
    subprocess.run([COMMAND, "simulate", *options, directory], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return directory
