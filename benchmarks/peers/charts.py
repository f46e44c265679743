"""Draws a chart of each measured row. Arguments: RESULTS-DIRECTORY CHARTS-DIRECTORY"""

import json
import pathlib
import statistics
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "kblake"
matplotlib.rcParams["svg.fonttype"] = "none"
matplotlib.rcParams["font.family"] = "sans-serif"
import matplotlib.pyplot as plt

OURS, BESIDE = "#1f6fb2", "#b8b8b8"


def title(row):
    """The title, with the number of a numbered row."""
    return f"{row['number']}. {row['title']}" if row["number"] else row["title"]


def bars(row):
    """Yields (unit, label, samples, colour) from top to bottom, each figure once."""
    seen = set()
    for line in row["lines"]:
        for figure, colour in ((line["ours"], OURS), (line["beside"], BESIDE)):
            if figure and figure["samples"]:
                of = "kblake" if colour == OURS else figure["of"]
                label = line["what"] if of == "kblake" else f"{line['what']}: {of}"
                key = (label, tuple(figure["samples"]))
                if key not in seen:
                    seen.add(key)
                    yield figure["unit"], label, figure["samples"], colour


def draw(row, target):
    shown = list(bars(row))
    units = list(dict.fromkeys(unit for unit, *_ in shown))
    if not units:
        return
    heights = [sum(1 for bar in shown if bar[0] == unit) for unit in units]
    height = 0.6 * len(units) + 0.32 * sum(heights) + 0.6
    figure, axes = plt.subplots(
        len(units), 1, figsize=(9, height),
        squeeze=False, gridspec_kw={"height_ratios": [bars + 1 for bars in heights]},
    )
    for axis, unit in zip(axes[:, 0], units):
        mine = [bar for bar in shown if bar[0] == unit]
        medians = [statistics.median(samples) for _, _, samples, _ in mine]
        spread = [
            [median - min(samples) for median, (_, _, samples, _) in zip(medians, mine)],
            [max(samples) - median for median, (_, _, samples, _) in zip(medians, mine)],
        ]
        places = range(len(mine))
        axis.barh(places, medians, xerr=spread, color=[bar[3] for bar in mine], ecolor="#555555", height=0.7)
        axis.margins(y=0.6 / max(1, len(mine)))
        axis.set_yticks(places, [bar[1] for bar in mine], fontsize=8)
        axis.invert_yaxis()
        axis.set_xlabel(unit, fontsize=8)
        axis.tick_params(axis="x", labelsize=8)
        positive = [median for median in medians if median > 0]
        if positive and max(positive) > 30 * min(positive):
            axis.set_xscale("log")
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
    figure.suptitle(title(row), fontsize=10, y=1 - 0.08 / height, va="top")
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.3 / height))
    figure.savefig(target, metadata={"Date": None})
    plt.close(figure)


def draw_details(row, target):
    """Draws panels beside each other, each with groups of bars."""
    details = [detail for detail in row.get("details", []) if detail["figure"]["samples"]]
    panels = list(dict.fromkeys(detail["panel"] for detail in details))
    if not panels:
        return
    bars = list(dict.fromkeys(detail["bar"] for detail in details))
    across = min(2, len(panels))
    down = -(-len(panels) // across)
    # The columns of the legend that fit, at a width of 0.06 inches for each letter.
    beside = max(1, min(6, len(bars), int(5.2 * across / (0.06 * max(map(len, bars)) + 0.5))))
    legend = 0.18 * -(-len(bars) // beside) + 0.15
    height = 2.6 * down + 0.5 + legend
    figure, axes = plt.subplots(down, across, figsize=(5.2 * across, height), squeeze=False)
    for axis in axes.flat[len(panels):]:
        axis.axis("off")
    for axis, panel in zip(axes.flat, panels):
        mine = [detail for detail in details if detail["panel"] == panel]
        groups = list(dict.fromkeys(detail["group"] for detail in mine))
        width = 0.8 / len(bars)
        medians = [statistics.median(detail["figure"]["samples"]) for detail in mine]
        if min(medians) > 0 and max(medians) > 100 * min(medians):
            axis.set_yscale("log")
        for number, bar in enumerate(bars):
            of = {detail["group"]: statistics.median(detail["figure"]["samples"]) for detail in mine if detail["bar"] == bar}
            places = [groups.index(group) + (number - (len(bars) - 1) / 2) * width for group in of]
            axis.bar(places, list(of.values()), width, label=bar, color=plt.get_cmap("tab10")(number))
        axis.set_xticks(range(len(groups)), groups, fontsize=8)
        axis.set_title(panel, fontsize=9)
        axis.set_ylabel(mine[0]["figure"]["unit"], fontsize=8)
        axis.tick_params(axis="y", labelsize=8)
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
    handles = [plt.Rectangle((0, 0), 1, 1, color=plt.get_cmap("tab10")(number)) for number in range(len(bars))]
    figure.legend(handles, bars, loc="lower center", ncols=beside, fontsize=8, frameon=False)
    figure.suptitle(title(row), fontsize=10, y=1 - 0.08 / height, va="top")
    figure.tight_layout(rect=(0, legend / height, 1, 1 - 0.3 / height))
    figure.savefig(target, metadata={"Date": None})
    plt.close(figure)


results, charts = map(pathlib.Path, sys.argv[1:])
charts.mkdir(parents=True, exist_ok=True)
for file in sorted(results.glob("*.json")):
    row = json.loads(file.read_text())
    draw(row, charts / (file.stem + ".svg"))
    draw_details(row, charts / (file.stem + "-details.svg"))
