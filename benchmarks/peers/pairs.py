"""Prints the ratios of two checkouts' times from the results that benchmarks/pairs saved: pairs.py RESULTS ROW."""

import json
import statistics
import sys
from pathlib import Path

MORE_IS_BETTER = {"MiB/s", "M rows/s", "k values/s", "/s", "%"}


def figures(file):
    """Returns the samples and the unit of each line, without those beside it."""
    lines = json.loads(file.read_text())["lines"]
    return {line["what"]: (line["ours"]["samples"], line["ours"]["unit"]) for line in lines if line["ours"]}


def main(results, row):
    ratios = {}
    for file in sorted(Path(results).glob(f"this-*-{row}.json")):
        beside = file.with_name(file.name.replace("this-", "other-", 1))
        if not beside.exists():
            continue
        other = figures(beside)
        for what, (samples, unit) in figures(file).items():
            if samples and other.get(what, ([], ""))[0]:
                ratio = statistics.median(samples) / statistics.median(other[what][0])
                ratios.setdefault(what, []).append(1 / ratio if unit in MORE_IS_BETTER else ratio)
    for what, all_ratios in ratios.items():
        print(
            f"{row:>3}  {what:<60.60}  {statistics.median(all_ratios):5.2f} x"
            f"  ({min(all_ratios):.2f} - {max(all_ratios):.2f}, {len(all_ratios)} pairs)"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
