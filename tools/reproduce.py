#!/usr/bin/env python3
# tools/reproduce.py: runs a paper's experiments and writes the page of their results.
# SPDX-License-Identifier: Apache-2.0
"""Every job of configs/experiments/PAPER is run by `flitwave run`; the page has a row for each of its
claims, with the value found and the verdict, and its plots. Nothing on the page is written by
hand: claims, figures and verdicts are those of the jobs' `expect:` sections.

With --full, the results of an experiment are stored beside the plots of the page, in NAME.json, so that
the experiments may run on different days; the page is written when all have been run."""

import argparse
import concurrent.futures
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MISSED = 4  # exit code of a job whose expectation is not met
WRONG = 2  # exit code of a job that is wrong
# Parts of a paper, as they begin the names of jobs.
PARTS = {"fig": "Fig.", "table": "Table", "section": "Section", "footnote": "Footnote"}
ORIGINS = {"printed": "printed in the source", "read": "read from its text or drawn figures",
           "ours": "of this project: a formula, a model or another program"}


def call(command):
    """Runs a command. Returns its exit code, its output, its errors and its seconds of processor time."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, cwd=ROOT)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (output, errors):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", errors="replace"))
    return child.returncode, *texts, usage.ru_utime + usage.ru_stime


def total_seconds(out, seconds, continued):
    """Seconds of this call and of those that it continued, which a file beside the results stores."""
    file = out / "processor_seconds"
    if continued and file.exists():
        seconds += float(file.read_text(encoding="utf-8"))
    if out.is_dir():
        file.write_text(f"{seconds:.1f}\n", encoding="utf-8")
    return seconds


def run(options, job, out):
    """The job's exit code, its results if it has any, and its messages when it failed."""
    print(f"{job.stem} begins", flush=True)
    continued = not options.fresh and (options.reuse or options.full)
    command = [options.program, "run", str(job), "--out", str(out)]
    if options.full and has_full(job):
        command.append("--full")
    if not continued:
        command.append("--force")
    code, output, errors, seconds = call(command)
    seconds = total_seconds(out, seconds, continued)
    if code < 0:
        code = 128 - code
    if code not in (0, MISSED):
        return code, None, (errors or output).strip()
    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    if not results["claims"]:
        return WRONG, None, "it has no claims: its section `expect` is missing or empty"
    for claim in results["claims"]:
        if claim["origin"] not in ORIGINS:
            return WRONG, None, (f"no origin of the claim: {claim['about'] or claim['claim']}; write `origin:` "
                                 f"printed, read or ours in it, or at the top of the job for all claims")
    return code, {**results, "seconds": seconds}, ""


def cell(value):
    return str(value).replace("|", "\\|").replace("\n", " ")


def label(stem):
    """fig_3_13 -> Fig. 3.13; fig_4_16_u_torus -> Fig. 4.16, u torus; load -> Ours: load"""
    numbered = re.fullmatch(r"([a-z]+)_(\d+(?:_\d+)*[a-z]?)_?(.*)", stem)
    if not numbered or numbered[1] not in PARTS:
        return f"Ours: {stem.replace('_', ' ')}"
    kind, number, rest = numbered.groups()
    words = f", {rest.replace('_', ' ')}" if rest else ""
    return f"{PARTS[kind]} {number.replace('_', '.')}{words}"


def place(job):
    """By chapter and number: fig_3_3 before fig_3_12, table_3_6 after all figures of chapter 3.
    Experiments without a number in the paper are last."""
    kind, _, rest = job.stem.partition("_")
    numbers = [int(number) for number in re.findall(r"\d+", rest)] if kind in PARTS else []
    return not numbers, numbers[:1], kind, numbers, job.stem


def text_of(job, key):
    """The text of a job at a key, `about` or `remarks`, on one line."""
    for line in job.read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{key}: "):
            return line.removeprefix(f"{key}: ").strip('"')
    return ""


def has_full(job):
    """Whether a job has more points for `--full`."""
    return any(line.startswith("full:") for line in job.read_text(encoding="utf-8").splitlines())


def contradicts(claim):
    """Whether a claim holds that contradicts the paper."""
    return bool(claim["holds"] and claim["contradicts"])


def words_of(claim):
    """The text of a claim, its settings, and the opposite claim of the paper."""
    words = claim["about"] or claim["claim"]
    if claim["about"] and claim["for"]:
        words += f" [{claim['for']}]"
    if claim["contradicts"]:
        words += f" (the paper: {claim['contradicts']})"
    return words


def verdict_of_claim(claim):
    if contradicts(claim):
        return "**not reproduced**"
    return "holds" if claim["holds"] else "**does not hold**"


def span(values):
    """The values of several claims of one sentence in a column: the one value, or the least and the
    greatest number, or the first and the last text."""
    if len(set(values)) == 1:
        return values[0]
    try:
        ends = min(values, key=float), max(values, key=float)
    except ValueError:
        ends = values[0], values[-1]
    return f"{ends[0]} … {ends[1]}"


def joined(claims):
    """A claim for those of one sentence that have one origin and one verdict: with the range of their
    settings."""
    if len(claims) == 1:
        return claims[0]
    settings = [claim["for"] for claim in claims]
    return {**claims[0], "for": f"{len(claims)} settings: {settings[0]} … {settings[-1]}",
            "expected": span([claim["expected"] for claim in claims]),
            "found": span([claim["found"] for claim in claims])}


def rows_of(claims):
    """A row of the table for each sentence among claims of a job, its origin and verdict."""
    groups = {}
    for number, claim in enumerate(claims):
        repeats = claim["about"] and claim["for"]
        key = ((claim["label"], claim["about"], claim["contradicts"], claim["origin"], verdict_of_claim(claim))
               if repeats else number)
        groups.setdefault(key, []).append(claim)
    for claims in groups.values():
        claim = joined(claims)
        yield [words_of(claim), claim["origin"], claim["expected"], claim["found"], verdict_of_claim(claim)]


def count(claims):
    """How many of the claims hold, and how many sentences of the paper do not. A claim of ours
    that contradicts the paper does not count as a claim of the paper."""
    ours = [claim for claim in claims if not contradicts(claim)]
    against = {claim["contradicts"] for claim in claims if contradicts(claim)}
    return sum(claim["holds"] for claim in ours), len(ours), len(against)


def report(claims):
    """For a terminal: how many hold, and the ones that do not."""
    held, of, against = count(claims)
    lines = [f"{held} of {of} claims hold" + (f", {against} not reproduced" if against else "")]
    for claim in claims:
        if not claim["holds"]:
            lines.append(f"    MISSED  {words_of(claim)}: {claim['claim']}: {claim['found']}, "
                         f"expected {claim['expected']}")
    return "\n".join(lines)


def copy_pictures(out, folder, job):
    """Copies a job's plots beside the page, with tables of their data. Returns the names of the plots."""
    names = []
    for picture in sorted(out.rglob("*.svg")):
        name = picture.name if picture.name.startswith(job.stem) else f"{job.stem}_{picture.name}"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, folder / name)
        data = picture.with_suffix(".dat")
        if data.exists():
            shutil.copyfile(data, (folder / name).with_suffix(".dat"))
        names.append(name)
    return names


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return lines + ["| " + " | ".join(cell(value) for value in row) + " |" for row in rows]


def digest(job, results, pictures):
    """The data of an experiment for the page, besides those read from the job itself."""
    claims = results["claims"]
    origins = {}
    for origin in ORIGINS:
        held, of, _ = count([claim for claim in claims if claim["origin"] == origin])
        against = {claim["contradicts"] for claim in claims if contradicts(claim) and claim["origin"] == origin}
        origins[origin] = {"hold": held, "of": of, "not_reproduced": sorted(against)}
    labels = {claim["label"] for claim in claims if claim["label"]}
    named = [[name, *row] for name in sorted(labels)
             for row in rows_of([claim for claim in claims if claim["label"] == name])]
    return {"job": hash_of(job), "points": results["points"]["finished"], "seconds": round(results["seconds"]),
            "claims": origins, "rows": list(rows_of(claims)), "named": named, "pictures": pictures}


def hash_of(job):
    return hashlib.sha256(job.read_bytes()).hexdigest()


def tally(digests, origin):
    """For the claims of an origin: how many hold of how many, and what is not reproduced; empty without any."""
    counts = [one["claims"][origin] for one in digests]
    of = sum(one["of"] for one in counts)
    against = {sentence for one in counts for sentence in one["not_reproduced"]}
    return [f"{sum(one['hold'] for one in counts)} of {of}" if of else "", str(len(against) or "")]


def verdict_of(found):
    """The verdict of a whole figure."""
    counts = found["claims"].values()
    held, of = (sum(one[key] for one in counts) for key in ("hold", "of"))
    against = len({sentence for one in counts for sentence in one["not_reproduced"]})
    if held < of:
        return "**does not hold**"
    if not of:
        return "**not reproduced**"
    return f"holds, but {against} not reproduced" if against else "holds"


def labelled_rows(found):
    """A row for each sentence that has a label, by label: A2 before A10."""
    rows = [[*row, f"[{label(job.stem)}](#{job.stem})"] for job, one in found.items() for row in one["named"]]
    parts = {row[0]: [part.zfill(9) if part.isdigit() else part for part in re.split(r"(\d+)", row[0])]
             for row in rows}
    return sorted(rows, key=lambda row: parts[row[0]])


def effort(found):
    """The number of points, and their processor time."""
    points = sum(one["points"] for one in found.values())
    hours = sum(one["seconds"] for one in found.values()) / 3600
    return f"Its {points} points took {hours:.1f} hours of processor time."


def write_page(page, options, found):
    """`found`: for each experiment its job and its digest."""
    name = name_of(options)
    command = f"tools/reproduce {options.paper}" + (" --full" if options.full else "")
    lines = [f"# {name}: what the experiments found", "",
             f"Written by `{command}`; not by hand. A verdict is that of the job's `expect:`",
             "section, computed from its points. What a paper claims and our numbers contradict is *not",
             "reproduced*; the numbers stand in its row, and must stay within their bounds.", ""]
    if options.full:
        lines += [effort(found), ""]
    lines += table(["origin", "is", "claims that hold", "not reproduced"],
                   [[origin, meaning, *tally(found.values(), origin)] for origin, meaning in ORIGINS.items()]) + [""]
    summary = [[f"[{label(job.stem)}](#{job.stem})", text_of(job, "about"),
                *(tally([one], origin)[0] for origin in ORIGINS), verdict_of(one)] for job, one in found.items()]
    lines += table(["figure or table", "what", *ORIGINS, "verdict"], summary)
    if labelled := labelled_rows(found):
        lines += ["", "## Claims by name", ""]
        lines += table(["name", "claim", "origin", "expected", "found", "verdict", "of"], labelled)
    for job, one in found.items():
        path = f"../../{job.relative_to(ROOT).as_posix()}"
        lines += ["", f'<a id="{job.stem}"></a>', f"## {label(job.stem)}", "",
                  f"{text_of(job, 'about')} ([job]({path})).", ""]
        lines += table(["claim", "origin", "expected", "found", "verdict"], one["rows"])
        if remarks := text_of(job, "remarks"):
            lines += ["", remarks]
        for picture in one["pictures"]:
            lines += ["", f"![{picture}]({name}/{picture})"]
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def name_of(options):
    """The name of the page, of the folder of its plots and of that of the results."""
    return options.paper + ("_full" if options.full else "")


def page_of(options):
    return options.into or ROOT / "docs/results" / f"{name_of(options)}.md"


def digest_file(job, options):
    """The file of a job's results with --full."""
    return page_of(options).parent / name_of(options) / f"{job.stem}.json"


def store_digest(job, results, options):
    out = options.out / name_of(options) / job.stem
    file = digest_file(job, options)
    pictures = copy_pictures(out, file.parent, job)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(digest(job, results, pictures), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def stored_digest(job, options):
    """The stored results of a job, unless the job has changed since."""
    file = digest_file(job, options)
    found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else None
    return found if found and found["job"] == hash_of(job) else None


def run_all(jobs, options):
    """The results of the jobs that ended well, and the exit codes of the others."""
    found, broken = {}, {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        ends = {pool.submit(run, options, job, options.out / name_of(options) / job.stem): job for job in jobs}
        for number, end in enumerate(concurrent.futures.as_completed(ends), 1):
            job = ends[end]
            code, results, text = end.result()
            if results is None:
                broken[job] = code
                print(f"[{number}/{len(jobs)}] {job.stem}: exit code {code}\n{text}", file=sys.stderr)
                continue
            found[job] = results
            print(f"[{number}/{len(jobs)}] {job.stem}: {report(results['claims'])}", flush=True)
            if options.full:
                store_digest(job, results, options)
    return found, broken


def digests(jobs, found, options):
    """For each job its digest; None for those that have not been run with --full yet."""
    if options.full:
        return {job: stored_digest(job, options) for job in jobs}
    folder = page_of(options).parent / name_of(options)
    return {job: digest(job, found[job], copy_pictures(options.out / name_of(options) / job.stem, folder, job))
            for job in jobs}


def show_page(jobs, found, options):
    """Writes the page for all jobs."""
    one_each = digests(jobs, found, options)
    if missing := [job.stem for job, one in one_each.items() if one is None]:
        print("no page is written before these are run, too: " + ", ".join(missing))
        return
    write_page(page_of(options), options, one_each)
    print(f"written: {page_of(options)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    experiments = ROOT / "configs/experiments"
    papers = sorted(path.name for path in experiments.iterdir() if path.is_dir())
    parser.add_argument("paper", choices=papers)
    parser.add_argument("--program", required=True, help="the program flitwave")
    parser.add_argument("--only", default="*", metavar="NAME",
                        help="the job of this name, or those that match, e.g. 'fig_3_*'; no page, unless with --full "
                             "all others have been run before")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)),
                        help="experiments at a time; by default the number of processors")
    parser.add_argument("--reuse", action="store_true",
                        help="keep the points that an earlier run of the same program finished")
    parser.add_argument("--full", action="store_true",
                        help="with the points and claims of the jobs' sections `full`; an earlier run of the same "
                             "program that was stopped is continued; the page is docs/results/PAPER_full.md, and "
                             "the results of each job are stored in docs/results/PAPER_full/NAME.json")
    parser.add_argument("--fresh", action="store_true", help="with --full: run all points again")
    parser.add_argument("--into", type=pathlib.Path, help="the page; docs/results/PAPER.md")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "results/reproduce")
    options = parser.parse_args()
    every = sorted((experiments / options.paper).glob("*.yaml"), key=place)
    jobs = [job for job in every if fnmatch.fnmatchcase(job.stem, options.only)]
    if not jobs:
        print(f"tools/reproduce: no job of {options.paper} has the name `{options.only}`; "
              f"a part of a name needs stars, e.g. --only '*{options.only}*'", file=sys.stderr)
        return 2
    found, broken = run_all(jobs, options)
    if broken:
        print("tools/reproduce: no page is written, because of jobs without results: " +
              ", ".join(job.stem for job in broken), file=sys.stderr)
        return max(broken.values())
    if options.full or jobs == every:
        show_page(every, found, options)
    holds = all(claim["holds"] for results in found.values() for claim in results["claims"])
    return 0 if holds else MISSED


if __name__ == "__main__":
    sys.exit(main())
