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
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from reproduce_page import ORIGINS, digest, hash_of, name_of, place, report, write_page

ROOT = pathlib.Path(__file__).resolve().parent.parent
MISSED = 4  # exit code of a job whose expectation is not met
WRONG = 2  # exit code of a job that is wrong


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


def has_full(job):
    """Whether a job has more points for `--full`."""
    return any(line.startswith("full:") for line in job.read_text(encoding="utf-8").splitlines())


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


def page_of(options):
    return options.into or ROOT / "docs/results" / f"{name_of(options.paper, options.full)}.md"


def results_of(job, options):
    """The folder of a job's results."""
    return options.out / name_of(options.paper, options.full) / job.stem


def digest_file(job, options):
    """The file in which the results of a job with --full are stored."""
    return page_of(options).parent / name_of(options.paper, options.full) / f"{job.stem}.json"


def store_digest(job, results, options):
    out = results_of(job, options)
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
    """The results of the jobs that succeeded, and the exit codes of the others."""
    found, failed = {}, {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        ends = {pool.submit(run, options, job, results_of(job, options)): job for job in jobs}
        for number, end in enumerate(concurrent.futures.as_completed(ends), 1):
            job = ends[end]
            code, results, text = end.result()
            if results is None:
                failed[job] = code
                print(f"[{number}/{len(jobs)}] {job.stem}: exit code {code}\n{text}", file=sys.stderr)
                continue
            found[job] = results
            print(f"[{number}/{len(jobs)}] {job.stem}: {report(results['claims'])}", flush=True)
            if options.full:
                store_digest(job, results, options)
    return found, failed


def digests(jobs, found, options):
    """The digest of each job; None for those that have not been run with --full yet."""
    if options.full:
        return {job: stored_digest(job, options) for job in jobs}
    folder = page_of(options).parent / name_of(options.paper, options.full)
    return {job: digest(job, found[job], copy_pictures(results_of(job, options), folder, job)) for job in jobs}


def show_page(jobs, found, options):
    """Writes the page for all jobs."""
    one_each = digests(jobs, found, options)
    if missing := [job.stem for job, one in one_each.items() if one is None]:
        print("no page is written before these are run, too: " + ", ".join(missing))
        return
    write_page(page_of(options), options.paper, options.full, one_each)
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
    found, failed = run_all(jobs, options)
    if failed:
        print("tools/reproduce: no page is written, because of jobs without results: " +
              ", ".join(job.stem for job in failed), file=sys.stderr)
        return max(failed.values())
    if options.full or jobs == every:
        show_page(every, found, options)
    holds = all(claim["holds"] for results in found.values() for claim in results["claims"])
    return 0 if holds else MISSED


if __name__ == "__main__":
    sys.exit(main())
