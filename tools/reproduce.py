#!/usr/bin/env python3
# tools/reproduce.py: runs a paper's experiments and writes the page of what they found.
# SPDX-License-Identifier: Apache-2.0
"""Every job of configs/experiments/PAPER is run by `flitwave run`; the page has a row for each of its
claims, with what was found and the verdict, and its pictures. Nothing on the page is written by
hand: claims, figures and verdicts are those of the jobs' `expect:` sections."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MISSED = 4  # exit code of a job whose expectation is not met


def run(program, job, out, reuse):
    """The job's exit code, and what it said when it did not end well."""
    command = [program, "run", str(job), "--out", str(out)] + ([] if reuse else ["--force"])
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    return ended.returncode, (ended.stderr or ended.stdout).strip()


def cell(value):
    return str(value).replace("|", "\\|").replace("\n", " ")


def label(stem):
    """fig_3_13 -> Fig. 3.13; fig_4_16_u_torus -> Fig. 4.16, u torus"""
    kind, number, rest = re.fullmatch(r"([a-z]+)_(\d+(?:_\d+)*[a-z]?)_?(.*)", stem).groups()
    names = {"fig": "Fig.", "table": "Table", "section": "Section"}
    words = f", {rest.replace('_', ' ')}" if rest else ""
    return f"{names.get(kind, kind)} {number.replace('_', '.')}{words}"


def place(job):
    """By chapter and number: fig_3_3 before fig_3_12, table_3_6 after all figures of chapter 3."""
    kind, rest = job.stem.split("_", 1)
    numbers = [int(number) for number in re.findall(r"\d+", rest)]
    return numbers[:1], kind, numbers, job.stem


def about(job):
    """What a job says that it is for."""
    for line in job.read_text(encoding="utf-8").splitlines():
        if line.startswith("about: "):
            return line.removeprefix("about: ").strip('"')
    return ""


def contradicts(claim):
    """Whether a claim holds that says other than the paper."""
    return bool(claim["holds"] and claim["contradicts"])


def rows_of(results):
    """A row of the table for each claim of a job."""
    for claim in results["claims"]:
        words = claim["about"] or claim["claim"]
        if claim["contradicts"]:
            words += f" (the paper: {claim['contradicts']})"
        verdict = "holds" if claim["holds"] else "**does not hold**"
        yield [words, claim["expected"], claim["found"],
               "**not reproduced**" if contradicts(claim) else verdict]


def verdict_of(claims):
    """Of a whole figure."""
    if not all(claim["holds"] for claim in claims):
        return "**does not hold**"
    against = {claim["contradicts"] for claim in claims if contradicts(claim)}
    return f"holds, but {len(against)} not reproduced" if against else "holds"


def copy_pictures(out, folder, job):
    """Puts a job's pictures beside the page. Returns their names."""
    names = []
    for picture in sorted(out.rglob("*.svg")):
        name = picture.name if picture.name.startswith(job.stem) else f"{job.stem}_{picture.name}"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, folder / name)
        names.append(name)
    return names


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return lines + ["| " + " | ".join(cell(value) for value in row) + " |" for row in rows]


def write_page(page, paper, found):
    """`found`: for each experiment its job, results and folder."""
    lines = [f"# {paper}: what the experiments found", "",
             f"Written by `tools/reproduce {paper}`; not by hand. A verdict is that of the job's `expect:`",
             "section, computed from its points. What a paper claims and our numbers contradict is *not",
             "reproduced*; the numbers stand in its row, and must stay within their bounds.", ""]
    summary = []
    for job, results, _ in found:
        held = sum(claim["holds"] for claim in results["claims"])
        all_claims = len(results["claims"])
        summary.append([f"[{label(job.stem)}](#{job.stem})", about(job),
                        f"{held} of {all_claims}", verdict_of(results["claims"])])
    lines += table(["figure or table", "what", "claims that hold", "verdict"], summary)
    for job, results, out in found:
        path = f"../../{job.relative_to(ROOT).as_posix()}"
        lines += ["", f'<a id="{job.stem}"></a>', f"## {label(job.stem)}", "",
                  f"{about(job)} ([job]({path})).", ""]
        lines += table(["claim", "expected", "found", "verdict"], rows_of(results))
        for name in copy_pictures(out, page.parent / paper, job):
            lines += ["", f"![{name}]({paper}/{name})"]
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    experiments = ROOT / "configs/experiments"
    papers = sorted(path.name for path in experiments.iterdir() if path.is_dir())
    parser.add_argument("paper", choices=papers)
    parser.add_argument("--program", required=True, help="the program flitwave")
    parser.add_argument("--only", default="", help="jobs whose name holds this text; no page")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)),
                        help="experiments at a time; as many as there are processors")
    parser.add_argument("--reuse", action="store_true",
                        help="keep the points that an earlier run of the same program finished")
    parser.add_argument("--into", type=pathlib.Path, help="the page; docs/results/PAPER.md")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "results/reproduce")
    options = parser.parse_args()
    folder = experiments / options.paper
    jobs = [job for job in sorted(folder.glob("*.yaml"), key=place) if options.only in job.stem]
    if not jobs:
        print(f"tools/reproduce: no job of {options.paper} has a name with `{options.only}`",
              file=sys.stderr)
        return 2
    page = options.into or ROOT / "docs/results" / f"{options.paper}.md"
    reports, worst = [], 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outs = [options.out / options.paper / job.stem for job in jobs]
        ends = [pool.submit(run, options.program, job, out, options.reuse) for job, out in zip(jobs, outs)]
        for number, (job, out, end) in enumerate(zip(jobs, outs, ends), 1):
            code, text = end.result()
            if code not in (0, MISSED):
                print(f"[{number}/{len(jobs)}] {job.stem}: exit code {code}\n{text}",
                      file=sys.stderr)
                worst = max(worst, code)
                continue
            results = json.loads((out / "results.json").read_text(encoding="utf-8"))
            claims = len(results["claims"])
            missed = sum(not claim["holds"] for claim in results["claims"])
            print(f"[{number}/{len(jobs)}] {job.stem}: {claims - missed} of {claims} claims hold",
                  flush=True)
            reports.append((job, results, out))
            worst = max(worst, MISSED if missed else 0)
    if not options.only:
        write_page(page, options.paper, reports)
        print(f"written: {page}")
    return worst


if __name__ == "__main__":
    sys.exit(main())
