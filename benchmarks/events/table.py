"""Writes the tables of benchmarks/eventbuilder. Arguments: POINTS.json TABLES.md"""
import json
import pathlib
import sys


def text(point):
    """Built events a second; what was lost: at the ports of the switch (p), in sockets (s)."""
    if "failed" in point:
        return "failed"
    ended = point["built"] + point["lost"]
    words = f"{point['rate']:,.0f}/s, {point['mbit']:.0f} Mbit/s"
    if point["lost"]:
        words += f", {100 * point['lost'] / ended:.0f} % lost"
    return words


def table(out, head, rows, columns, cell):
    out.append("| " + " | ".join([head, *columns]) + " |")
    out.append("|---" * (len(columns) + 1) + "|")
    for name, values in rows:
        out.append("| " + " | ".join([name, *(cell(values, column) for column in columns)]) + " |")
    out.append("")


def name(point):
    words = [point["system"], point["by"]]
    words += ["over TCP"] if point["over"] == "tcp" else []
    words += ["one event at a time"] if point["window"] == 1 else []
    words += [f"{point['limit']} Mbit/s a sender"] if point["limit"] else []
    words += ["control in a class"] if point["classes"] else []
    return ", ".join(words)


def main():
    document = json.loads(pathlib.Path(sys.argv[1]).read_text())
    points = document["points"]
    loads = [point["load"] for point in points]
    done = [point for point in points if "failed" not in point]
    out = [
        "# Event builder",
        "",
        f"`benchmarks/eventbuilder` on {document['when']}, {document['system']}, {document['took']} s. "
        f"**{document['cores']} cores for all hosts, the switch and other work:** the load was {min(loads)} to {max(loads)}, "
        f"the cores {100 * min(p['busy'] for p in done):.0f} to {100 * max(p['busy'] for p in done):.0f} % busy, of them "
        f"collectors and builders {100 * min(p['own'] for p in done):.0f} to {100 * max(p['own'] for p in done):.0f} %. "
        "So rates without losses are those of the machine, and losses at ports those of the network.",
        "",
        f"A system is collectors x builders. Each port out of the switch has {document['line']} Mbit/s (HTB) and a queue of "
        f"{document['queue']:,} bytes (bfifo); lines into it have no rate of their own. Sockets ask for 4 MiB (builders) and "
        f"1 MiB, and get {document['buffers']['rmem_max']:,} bytes to receive at most. MTU 1,500, TCP without segments that "
        "are longer. A builder has at most 8 events at a time, and an event 0.3 s. A measurement lasts 1.5 s. Bytes are those "
        "of fragments, without headers.",
        "",
    ]

    def add(title, row, key, columns, show):
        mine = [point for point in points if point["row"] == row]
        rows = list(dict.fromkeys(name(point) for point in mine))
        out.append(f"## {title}\n")

        def cell(of, column):
            return next((text(p) for p in mine if name(p) == of and show(p[key]) == column), "")

        table(out, "", [(each, each) for each in rows], columns, cell)

    def bytes_of(size):
        return f"{size:,} bytes"

    rates = ["500/s", "1,000/s", "2,000/s", "4,000/s", "no limit"]
    add("Requested rate, fragments of 1,400 bytes", "rate", "requested", rates, lambda r: f"{r:,}/s" if r else "no limit")
    sizes = sorted({p["size"] for p in points if p["row"] == "size"})
    add("Size of fragments, no limit", "size", "size", [bytes_of(size) for size in sizes], bytes_of)
    sizes = sorted({p["size"] for p in points if p["row"] == "limit"})
    add("Limits of the senders (`kblake gather --tc`)", "limit", "size", [bytes_of(size) for size in sizes], bytes_of)
    sizes = sorted({p["size"] for p in points if p["row"] == "classes"})
    add("Control and data in classes of the switch", "classes", "size", [bytes_of(size) for size in sizes], bytes_of)
    add("Larger systems", "larger", "size", [bytes_of(1400)], bytes_of)
    out.append("## Where losses happened\n")
    out.append("| | packets dropped at ports | datagrams dropped at sockets | TCP segments sent again | requests repeated |")
    out.append("|---|---|---|---|---|")
    for row in dict.fromkeys(point["row"] for point in done):
        mine = [point for point in done if point["row"] == row]
        sums = [sum(point[key] for point in mine) for key in ("dropped", "sockets", "resent", "repeated")]
        out.append(f"| {row} | " + " | ".join(f"{each:,}" for each in sums) + " |")
    pathlib.Path(sys.argv[2]).write_text("\n".join(out) + "\n")


main()
