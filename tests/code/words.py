"""Finds words that have a plainer one in the texts that a user reads: string
literals of src, ui and probes. In comments of the folders in PLAIN it finds the
few words that are wrong in any sentence. Prints each word with its place, and
in a literal with the replacement."""
import pathlib
import re
import sys

# Keys of a file format and labels of a protocol are exempt.
KEPT = {
    "benchtop far",
    "benchtop near",
    "benchtop key far",
    "benchtop key near",
}

# An emulated path has a near and a far end.
LINK = "link"
ENDS = ("near end", "far end")

# Only a sentence can be wrong: a literal with a space between letters.
SENTENCE = re.compile(r"[A-Za-z].*\s|\s.*[A-Za-z]")

WORDS = (
    (r"\banew\b", "again"),
    (r"\b(goes|go|going) on\b", "is running, continues"),
    (r"\bheld against\b|\bholds? .* against\b", "compared with"),
    (r"\bsa(ys|id|y)\b", "shows, prints, reports, stated"),
    (r"\b(told|tells?|tell)\b", "reported, unknown"),
    (r"\bso (many|much)\b", "N"),
    (r"\bpart(y|ies)\b(?!=)", "task, end"),
    (r"\bneighbours?\b", "co-runner, SMT sibling, other"),
    (r"\bdear(er|est)?\b", "expensive"),
    (r"\blooks?( at)?\b(?! for)", "check, sample"),
    (r"\bnear end\b", "client, local end"),
    (r"\bfar ends?\b", "server, remote end"),
    (r"\bhad to say\b", "its message"),
    (r"\bforetold\b", "expected"),
    (r"\bunusable\b", "not enough data"),
    (r"\bset aside\b", "excluded"),
    (r"\b(nobody|somebody|everybody|whoever|whom)\b", "the noun"),
    (r"\bof which\b|\bwhat there is\b|\bthe ones?\b", "the noun"),
    (r"\b(is|are) no\b(?! longer)", "is not a"),
    (r"\bthere (is|are) (none|nothing)\b", "no + noun"),
    (r"\bis to be had\b|\bto be had\b", "is available"),
    (r"\bwas got\b|\bwere got\b", "the actual .. is recorded"),
    (r"\basked for\b", "requested"),
    (r"\bexpected more than nothing\b", "must be greater than 0"),
    (r"\bas far as (is|can be)\b", "known, visible"),
    (r"\bgeneral figures\b", "typical values"),
    (r"\bsent again\b", "retransmitted"),
    (r"\bon this side\b", "on this machine"),
    (r"\bbroke off\b", "broke"),
    (r"\b(it|file) ends early\b", "unexpected end of file"),
    (r"\btime is up\b", "budget used"),
    (r"\ball (made|launches made)\b", "launch limit reached"),
    (r"\bstopped by you\b", "stopped"),
)
# Folders whose comments are checked too, for words that are never right.
PLAIN = (
    "probes/",
    "src/base/",
    "src/capture/",
    "src/kit/",
    "src/measure/",
    "src/net/",
    "src/probe/contract/",
    "src/session/connections/",
    "src/session/doctor/",
    "src/session/export/",
    "src/session/json/",
    "src/session/machine/",
    "src/stats/",
)
NEVER = re.compile(
    r"\b(anew|foretold|held against|so many|(goes|going) on|neighbours?"
    r"|dear(er|est)?|(no|some|every|any)body|whoever|whom)\b",
    re.I,
)

PATTERNS = [(re.compile(pattern, re.I), plain) for pattern, plain in WORDS]

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<include>\#[ \t]*include[^\n]*)
      | "(?P<text>(?:\\.|[^"\\\n])*)"
      | '(?:\\.|[^'\\\n])*'
      | (?P<gap>\s+|\\\n)
      | (?P<format>PRI[a-zA-Z0-9]+\b)
      | .""",
    re.S | re.X,
)


def literals(source):
    """(line, text) of each literal; adjacent ones are joined, as in C."""
    found, line, start, text = [], 1, 0, None
    for token in TOKEN.finditer(source):
        kind = token.lastgroup
        if kind == "text":
            if text is None:
                start, text = line, ""
            text += token["text"]
        elif kind not in ("comment", "gap", "format") and text is not None:
            found.append((start, text))
            text = None
        line += token[0].count("\n")
    return found


def comments(source):
    """(line, text) of each comment, without the stars in front of its lines."""
    line = 1
    for token in TOKEN.finditer(source):
        if token["comment"]:
            yield line, " ".join(re.sub(r"\n\s*\*", " ", token[0]).split())
        line += token[0].count("\n")


def main(top):
    read = wrong = 0
    for folder in ("src", "ui", "probes"):
        for path in sorted((top / folder).rglob("*.[ch]")):
            name = path.relative_to(top).as_posix()
            source = path.read_text(encoding="utf-8")
            for line, text in comments(source) if name.startswith(PLAIN) else ():
                bad = NEVER.search(text)
                if bad:
                    wrong += 1
                    print(f"{name}:{line}: '{bad[0]}': {text}")
            for line, text in literals(source):
                if text in KEPT or not SENTENCE.search(text):
                    continue
                read += 1
                for pattern, plain in PATTERNS:
                    bad = pattern.search(text)
                    if not bad or (LINK in name and bad[0] in ENDS):
                        continue
                    wrong += 1
                    print(f"{name}:{line}: '{bad[0]}', rather: {plain}: {text}")
    print(f"{read} sentences, {wrong} wrong words")
    # Fewer means that the search is broken.
    return 1 if wrong or read < 500 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
