# tools/reproduce_page.py: the page with the results of a paper's experiments.
# SPDX-License-Identifier: Apache-2.0
"""Rows, verdicts and counts of claims, and the page that contains them."""

import hashlib
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Parts of a paper: the first words of the names of jobs.
PARTS = {"fig": "Fig.", "table": "Table", "section": "Section", "footnote": "Footnote"}
ORIGINS = {"printed": "printed in the source", "read": "read from its text or drawn figures",
           "ours": "of this project: a formula, a model or another program"}


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
    Jobs without a part of the paper are last."""
    kind, _, rest = job.stem.partition("_")
    numbers = [int(number) for number in re.findall(r"\d+", rest)] if kind in PARTS else []
    return not numbers, numbers[:1], kind, numbers, job.stem


def text_of(job, key):
    """The text of a job's key, `about` or `remarks`, on one line."""
    for line in job.read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{key}: "):
            return line.removeprefix(f"{key}: ").strip('"')
    return ""


def contradicts(claim):
    """Whether a claim that differs from the paper holds."""
    return bool(claim["holds"] and claim["contradicts"])


def words_of(claim):
    """The sentence of a claim, its settings, and the differing statement of the paper."""
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
    """The text in a column for several claims of one sentence: the one value, or the least and the
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
    """How many of the claims hold, and how many sentences of the paper do not. Our own results that
    differ from the paper are not counted as claims of the paper."""
    ours = [claim for claim in claims if not contradicts(claim)]
    against = {claim["contradicts"] for claim in claims if contradicts(claim)}
    return sum(claim["holds"] for claim in ours), len(ours), len(against)


def report(claims):
    """For a terminal: how many hold, and which do not."""
    held, of, against = count(claims)
    lines = [f"{held} of {of} claims hold" + (f", {against} not reproduced" if against else "")]
    for claim in claims:
        if not claim["holds"]:
            lines.append(f"    MISSED  {words_of(claim)}: {claim['claim']}: {claim['found']}, "
                         f"expected {claim['expected']}")
    return "\n".join(lines)


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return lines + ["| " + " | ".join(cell(value) for value in row) + " |" for row in rows]


def digest(job, results, pictures):
    """The part of an experiment's page that does not follow from the job itself."""
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
    """For the claims of an origin: how many hold of how many, and which are not reproduced; empty without any."""
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
    """How many points there were, and the processor time that they took."""
    points = sum(one["points"] for one in found.values())
    hours = sum(one["seconds"] for one in found.values()) / 3600
    return f"Its {points} points took {hours:.1f} hours of processor time."


def name_of(paper, full):
    """The name of the page, of the folder of its plots and of that of the results."""
    return paper + ("_full" if full else "")


def write_page(page, paper, full, found):
    """`found`: for each experiment its job and its digest."""
    name = name_of(paper, full)
    command = f"tools/reproduce {paper}" + (" --full" if full else "")
    lines = [f"# {name}: what the experiments found", "",
             f"Written by `{command}`; not by hand. A verdict is that of the job's `expect:`",
             "section, computed from its points. What a paper claims and our numbers contradict is *not",
             "reproduced*; the numbers stand in its row, and must stay within their bounds.", ""]
    if full:
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
