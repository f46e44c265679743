"""Draws the charts of benchmarks/eventbuilder. Arguments: POINTS.json DIRECTORY"""
import json
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "kblake"
matplotlib.rcParams["svg.fonttype"] = "none"
matplotlib.rcParams["font.family"] = "sans-serif"
import matplotlib.pyplot as plt


def label(point):
    words = [point["by"]]
    words += ["TCP"] if point["over"] == "tcp" else []
    words += ["one event at a time"] if point["window"] == 1 else []
    words += [f"{point['limit']} Mbit/s a sender"] if point["limit"] else []
    return ", ".join(words)


def lines(axis, points, x, y):
    for name in dict.fromkeys(label(point) for point in points):
        mine = sorted((point[x], point[y]) for point in points if label(point) == name and point[x] and y in point)
        axis.plot([each[0] for each in mine], [each[1] for each in mine], marker="o", markersize=3, label=name)
    axis.set_xscale("log")
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)
    axis.tick_params(labelsize=8)


def chart(panels, title, target):
    figure, axes = plt.subplots(1, len(panels), figsize=(4.6 * len(panels), 3.6), squeeze=False)
    for axis, (name, points, x, y, across, up) in zip(axes[0], panels):
        lines(axis, points, x, y)
        axis.set_title(name, fontsize=9)
        axis.set_xlabel(across, fontsize=8)
        axis.set_ylabel(up, fontsize=8)
        axis.legend(fontsize=7, frameon=False)
    figure.suptitle(title, fontsize=10)
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None})
    plt.close(figure)


def main():
    document = json.loads(pathlib.Path(sys.argv[1]).read_text())
    target = pathlib.Path(sys.argv[2])
    points = [point for point in document["points"] if "failed" not in point]

    def of(*rows, **what):
        return [p for p in points if p["row"] in rows and all(p[key] == value for key, value in what.items())]

    where = f"{document['cores']} cores for all hosts, ports of {document['line']} Mbit/s"
    chart(
        [(system, of("rate", system=system), "requested", "rate", "requested events/s", "built events/s")
         for system in ("1x1", "6x1", "6x3")],
        f"Build rate, fragments of 1,400 bytes ({where})", target / "rate.svg")
    chart(
        [(system, of("size", system=system), "size", "mbit", "bytes of a fragment", "built Mbit/s") for system in ("6x1", "6x3")],
        f"Throughput against the size of fragments ({where})", target / "size.svg")
    few = {p["size"] for p in of("limit")}
    free = [p for p in of("size", system="6x1", over="udp", window=8) if p["size"] in few]
    chart(
        [(by, [p for p in free + of("limit") if p["by"] == by], "size", "mbit", "bytes of a fragment", "built Mbit/s")
         for by in ("push", "pull")],
        f"6x1 with limits of the senders ({where})", target / "limit.svg")


main()
