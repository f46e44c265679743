"""Measures kblake gather --events through a switch of network name spaces. benchmarks/eventbuilder calls it.

measure.py KBLAKE ARCHIVE RESULTS.json quick|whole
"""
import atexit
import datetime
import json
import os
import pathlib
import platform
import signal
import subprocess
import sys
import tempfile
import threading
import time

LINE = 250  # Mbit/s of each port out of the switch
PORT_BYTES = 65536  # of its queue
CONTROL, DATA = 17670, 17671
DEADLINE = 0.3
PREFIX = f"kev{os.getpid() % 10000}"
BEGIN = datetime.datetime(2025, 12, 31, 15, 0, 0, tzinfo=datetime.timezone.utc)
ENVIRONMENT = dict(os.environ, KBLAKE_JAVA_OPTS="-Xmx256m -XX:TieredStopAtLevel=4 -XX:+UseSerialGC")


def call(*words, check=True):
    done = subprocess.run(words, capture_output=True, text=True)
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


class Busy:
    """Samples how busy all cores are, and how much of it collectors and builders take."""

    def __init__(self, hosts):
        self.hosts = hosts
        self.samples = []
        threading.Thread(target=self.sample, daemon=True).start()

    def sample(self):
        while True:
            words = [int(word) for word in open("/proc/stat").readline().split()[1:]]
            own = 0
            for host in list(self.hosts.values()):
                try:
                    fields = open(f"/proc/{host.process.pid}/stat").read().rsplit(")", 1)[1].split()
                    own += int(fields[11]) + int(fields[12])
                except (AttributeError, OSError):
                    pass
            self.samples.append((time.monotonic(), sum(words), words[3] + words[4], own))
            time.sleep(0.05)

    def shares(self, seconds):
        end = self.samples[-1]
        begin = next((s for s in reversed(self.samples) if s[0] <= end[0] - seconds), self.samples[0])
        all_cores = max(1, end[1] - begin[1])
        return 1 - (end[2] - begin[2]) / all_cores, (end[3] - begin[3]) / all_cores


class Host:
    """A name space with a line to the switch."""

    def __init__(self, system, name, number):
        self.name, self.number = name, number
        self.space = f"{PREFIX}-{name}"
        self.address = f"10.88.{number}.2"
        self.port = f"p{number}"
        self.process = None
        call("ip", "netns", "add", self.space)
        call("ip", "-n", system.switch, "link", "add", self.port, "type", "veth", "peer", "name", "eth0", "netns", self.space)
        for space, device, address in ((system.switch, self.port, f"10.88.{number}.1"), (self.space, "eth0", self.address)):
            call("ip", "-n", space, "address", "add", f"{address}/24", "dev", device)
            # Packets as long as on a line, also of TCP.
            call("ip", "-n", space, "link", "set", device, "gso_max_segs", "1", "up")
        call("ip", "-n", self.space, "link", "set", "lo", "up")
        # What is left of datagrams that lost a packet is forgotten before the next measurement.
        call("ip", "netns", "exec", self.space, "sysctl", "-q", "-w", "net.ipv4.ipfrag_time=1", "net.ipv4.ipfrag_high_thresh=67108864")
        call("ip", "-n", self.space, "route", "add", "default", "via", f"10.88.{number}.1")

    def run(self, *words, **more):
        return subprocess.Popen(["ip", "netns", "exec", self.space, *words], start_new_session=True, **more)


class System:
    """A switch, a manager, and collectors and builders as they are needed."""

    def __init__(self, kblake, archive, work):
        self.kblake, self.archive, self.work = kblake, archive, work
        self.switch = f"{PREFIX}-switch"
        self.hosts, self.classes, self.shaped = {}, False, None
        self.busy = Busy(self.hosts)
        atexit.register(self.close)
        call("ip", "netns", "add", self.switch)
        call("ip", "netns", "exec", self.switch, "sysctl", "-q", "-w", "net.ipv4.ip_forward=1")
        self.host("m")

    def host(self, name):
        if name not in self.hosts:
            host = self.hosts[name] = Host(self, name, len(self.hosts) + 1)
            self.set_port(host)
        return self.hosts[name]

    def tc(self, host, *words):
        call("ip", "netns", "exec", self.switch, "tc", *words[:2], "dev", host.port, *words[2:])

    def set_port(self, host):
        """A port of the switch: a rate and a short queue; with classes a queue for control of its own."""
        call("ip", "netns", "exec", self.switch, "tc", "qdisc", "del", "dev", host.port, "root", check=False)
        self.tc(host, "qdisc", "add", "root", "handle", "1:", "htb", "default", "20")
        rate = f"{LINE}mbit"
        self.tc(host, "class", "add", "parent", "1:", "classid", "1:1", "htb", "rate", rate, "ceil", rate)
        data = f"{LINE - 10}mbit" if self.classes else rate
        self.tc(host, "class", "add", "parent", "1:1", "classid", "1:20", "htb", "rate", data, "ceil", rate, "prio", "1")
        self.tc(host, "qdisc", "add", "parent", "1:20", "handle", "20:", "bfifo", "limit", str(PORT_BYTES))
        if self.classes:
            self.tc(host, "class", "add", "parent", "1:1", "classid", "1:10", "htb", "rate", "10mbit", "ceil", rate, "prio", "0")
            self.tc(host, "qdisc", "add", "parent", "1:10", "handle", "10:", "bfifo", "limit", str(PORT_BYTES))
            for end in ("sport", "dport"):
                self.tc(host, "filter", "add", "parent", "1:", "protocol", "ip", "prio", "1", "u32", "match", "ip", "protocol", "6",
                        "0xff", "match", "ip", end, str(CONTROL), "0xffff", "flowid", "1:10")

    def set_classes(self, classes):
        if classes != self.classes:
            self.classes = classes
            for host in self.hosts.values():
                self.set_port(host)

    def start(self, collectors, builders):
        """Starts what is missing. The archive is the same everywhere."""
        for kind, count in (("collector", collectors), ("builder", builders)):
            for number in range(1, count + 1):
                host = self.host(f"{kind[0]}{number}")
                if host.process is None:
                    host.log = open(self.work / f"{host.name}.log", "w")
                    host.process = host.run(
                        self.kblake, "--archive", str(self.archive), "gather", "--events", kind, "--name", host.name,
                        "--manager", f"{self.hosts['m'].address}:{CONTROL}", "--listen", f":{CONTROL}", "--insecure",
                        stdout=subprocess.DEVNULL, stderr=host.log, env=ENVIRONMENT)

    def shape(self, rate):
        """Limits what each collector sends by the script of kblake gather --tc; None: no limit."""
        senders = [host for name, host in self.hosts.items() if name[0] == "c"]
        builders = [host.address for name, host in self.hosts.items() if name[0] in "bm"]
        wanted = None if rate is None else (rate, len(senders), len(builders))
        if wanted == self.shaped:
            return
        for host in senders:
            if self.shaped:
                call("ip", "netns", "exec", host.space, "sh", str(self.script), "remove", check=False)
        self.shaped = wanted
        if rate is None:
            return
        settings = self.work / "kblake.toml"
        settings.write_text(
            f'[gather]\ntc-device = "eth0"\ntc-line = "1gbit"\ntc-control = "10mbit"\ntc-data = "{rate}mbit"\n'
            f"tc-builders = {json.dumps(builders)}\nlisten = \":{CONTROL}\"\ninsecure = \"yes\"\n")
        self.script = self.work / "shape.sh"
        self.script.write_text(call(self.kblake, "--config", str(settings), "--archive", str(self.archive), "gather", "--tc"))
        for host in senders:
            apply = host.run("sh", str(self.script), "apply", stdout=subprocess.DEVNULL)
            apply.wait()
            call("ip", "netns", "exec", host.space, "sh", str(self.script), "confirm")
            try:
                os.killpg(apply.pid, signal.SIGKILL)  # what would revert the rules
            except ProcessLookupError:
                pass

    def drops(self):
        total = 0
        for host in self.hosts.values():
            listed = json.loads(call("ip", "netns", "exec", self.switch, "tc", "-s", "-j", "qdisc", "show", "dev", host.port))
            total += sum(each["drops"] for each in listed if each["kind"] == "bfifo")
        return total

    def counters(self):
        """Datagrams and TCP segments that kernels of this system's hosts lost."""
        found = {"RcvbufErrors": 0, "ReasmFails": 0, "RetransSegs": 0}
        for host in self.hosts.values():
            if host.process is None:
                continue
            lines = call("ip", "netns", "exec", host.space, "cat", "/proc/net/snmp").splitlines()
            for head, values in zip(lines[::2], lines[1::2]):
                for name, value in zip(head.split(), values.split()):
                    if name in found:
                        found[name] += int(value)
        return found

    def measure(self, collectors, builders, by, size, rate=None, limit=None, over="udp", classes=False, window=8, seconds=1.5):
        self.start(collectors, builders)
        self.set_classes(classes)
        self.shape(limit)
        most = rate * seconds if rate else 1.3 * seconds * LINE * 1e6 / 8 * builders / collectors / size
        events = int(min(30000, max(50, most)))
        end = BEGIN + datetime.timedelta(milliseconds=1000 + events)
        words = [
            self.kblake, "--archive", str(self.archive), "gather", "--events", "manager", "--listen", f":{CONTROL}", "--insecure",
            "--system", f"{collectors}x{builders}", "--by", by, "--over", over, "--event", "TRIGGER > 0", "--each",
            "--from", BEGIN.strftime("%Y-%m-%dT%H:%M:%SZ"), "--to", end.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            "--deadline", f"{int(DEADLINE * 1000)}ms", "--for", f"{int(seconds * 1000)}ms", "--window", str(window), f"SIZE:{size}"]
        if rate:
            words += ["--rate", str(rate)]
        drops, counters = self.drops(), self.counters()
        with open(self.work / "m.log", "a") as log:
            manager = self.hosts["m"].run(*words, stdout=subprocess.PIPE, stderr=log, env=ENVIRONMENT, text=True)
            try:
                out = manager.communicate(timeout=60)[0]
            except subprocess.TimeoutExpired:
                os.killpg(manager.pid, signal.SIGKILL)
                out = ""
        point = dict(system=f"{collectors}x{builders}", by=by, over=over, size=size, requested=rate, limit=limit, classes=classes,
                     window=window)
        if not out.strip():
            point["failed"] = (self.work / "m.log").read_text().splitlines()[-1:]
            print(json.dumps(point), flush=True)
            return point
        found = json.loads(out)
        took = max(found["seconds"], 1e-3)
        after = self.counters()
        busy, own = self.busy.shares(took)
        point.update(
            built=found["built"], lost=found["lost"], seconds=round(took, 3), rate=round(found["built"] / took, 1),
            mbit=round(found["bytesBuilt"] * 8 / took / 1e6, 2), repeated=found["repeated"], late=found["late"],
            dropped=self.drops() - drops, busy=round(busy, 2), own=round(own, 2),
            sockets=after["RcvbufErrors"] - counters["RcvbufErrors"], fragments=after["ReasmFails"] - counters["ReasmFails"],
            resent=after["RetransSegs"] - counters["RetransSegs"])
        print(json.dumps(point), flush=True)
        return point

    def close(self):
        for host in self.hosts.values():
            if host.process is not None:
                try:
                    os.killpg(host.process.pid, signal.SIGTERM)
                    host.process.wait(10)
                except (ProcessLookupError, subprocess.TimeoutExpired):
                    host.process.kill()
        for host in self.hosts.values():
            call("ip", "netns", "del", host.space, check=False)
        call("ip", "netns", "del", self.switch, check=False)


RATES = (500, 1000, 2000, 4000, None)
SIZES = (1024, 2048, 4096, 8192, 16384, 32768, 58000)
FEW_SIZES = (1024, 4096, 16384, 58000)
SYSTEMS = ((1, 1), (6, 1), (6, 3))
LARGER = ((12, 4), (20, 4))


def whole(add):
    for collectors, builders in SYSTEMS:
        for by in ("push", "pull"):
            for rate in RATES:
                add("rate", collectors, builders, by, 1400, rate)
    for by, over, window in (("push", "udp", 8), ("pull", "udp", 8), ("pull", "udp", 1), ("push", "tcp", 8)):
        for size in SIZES:
            add("size", 6, 1, by, size, over=over, window=window)
        for size in FEW_SIZES:
            add("size", 6, 3, by, size, over=over, window=window)
    for by in ("push", "pull"):
        for limit in (20, 40, 50):
            for size in FEW_SIZES:
                add("limit", 6, 1, by, size, limit=limit)
    for classes in (False, True):
        for by in ("push", "pull"):
            for size in (4096, 32768):
                add("classes", 6, 1, by, size, classes=classes)
    for collectors, builders in LARGER:
        for by in ("push", "pull"):
            for limit in (None, LINE * builders // collectors * 4 // 5):
                add("larger", collectors, builders, by, 1400, limit=limit)


def quick(add):
    for collectors, builders in ((1, 1), (3, 1)):
        for by in ("push", "pull"):
            add("rate", collectors, builders, by, 1400, 200, seconds=1)
    add("size", 3, 1, "pull", 16384, seconds=1)
    add("size", 3, 1, "push", 16384, over="tcp", seconds=1)
    add("limit", 3, 1, "push", 4096, limit=40, classes=True, seconds=1)


def main():
    kblake, archive, results, form = sys.argv[1:]
    points = []
    begun = time.time()
    with tempfile.TemporaryDirectory() as work:
        keep = pathlib.Path(os.environ.get("KEEP_LOGS", work))
        system = System(kblake, pathlib.Path(archive), keep)

        def add(row, *words, **more):
            load = os.getloadavg()[0]
            points.append({"row": row, **system.measure(*words, **more), "load": round(load, 1)})

        (quick if form == "quick" else whole)(add)
        system.close()
    document = dict(
        when=datetime.date.today().isoformat(), cores=os.cpu_count(), system=f"{platform.system()} {platform.release()}",
        line=LINE, queue=PORT_BYTES, deadline=DEADLINE, took=round(time.time() - begun),
        buffers={name: int(open(f"/proc/sys/net/core/{name}").read()) for name in ("rmem_max", "wmem_max")}, points=points)
    pathlib.Path(results).write_text(json.dumps(document, indent=1) + "\n")
    failed = [point for point in points if "failed" in point or not point["built"]]
    print(f"{len(points)} points in {document['took']} s, {len(failed)} without an event")
    if form == "quick" and failed:
        sys.exit(f"FAILED: {failed}")


def stop(*_):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(143)


signal.signal(signal.SIGTERM, stop)
main()
