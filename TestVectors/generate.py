#!/usr/bin/python3
"""Writes the test vectors: TestVectors/*.json.

generate.py             write the files
generate.py --check     compare with the files that are there; exit 1 on a difference
generate.py --mutants   list the sub-rules that no case tests; exit 1 if there are any
generate.py --summary   count cases by file, verdict and attack class
generate.py --new-keys  make the test keys (refuses to replace any)
"""

import collections
import json
import pathlib
import sys

sys.dont_write_bytecode = True

from generator import keys  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def books():
    from generator import topics

    made = [make() for make in topics.ALL]
    ids = collections.Counter(case["id"] for book in made for case in book.cases)
    twice = [name for name, count in ids.items() if count > 1]
    if twice:
        raise SystemExit(f"ids used twice: {', '.join(twice)}")
    return made


def key_set_octets(book, case):
    """The key set's text as a reader makes it: exact when it is a string."""
    held = book.key_sets[case.get("keySet") or case["keys"]]
    return (held if isinstance(held, str) else json.dumps(held)).encode("utf-8")


def check_model(made):
    """The ids of the cases in which the model comes to something else than the case says."""
    from generator import model

    wrong = {}
    for book in made:
        for case in book.cases:
            found = model.outcome(case, key_set_octets(book, case))
            if not model.agrees(case["expect"], found):
                wrong[case["id"]] = (case["expect"], found)
    return wrong


# Leaving these out changes no answer, for the reason given.
EQUIVALENT = {
    "iat-number": "an iat that is taken for absent is malformed all the same",
    "iat-not-null": "an iat that is taken for absent is malformed all the same",
}


def mutants(made):
    """Leaves each sub-rule of the model out in turn; some case must notice."""
    from generator import model

    users = collections.defaultdict(list)  # for each sub-rule the cases that come to it: no other can notice
    for book in made:
        for case in book.cases:
            seen = set()
            octets = key_set_octets(book, case)
            model.outcome(case, octets, seen=seen)
            for mutant in seen:
                users[mutant].append((case, octets))
    alive = [
        f"{name} ({index})"
        for (name, index), cases in sorted(users.items())
        if name not in EQUIVALENT
        and not any(
            not model.agrees(case["expect"], model.outcome(case, octets, (name, index))) for case, octets in cases
        )
    ]
    print(f"{len(users)} mutants, {len(alive)} not noticed")
    for name in alive:
        print("  " + name)
    return 1 if alive else 0


def summary(made):
    codes, attacks = collections.Counter(), collections.Counter()
    for book in made:
        print(f"{book.topic + '.json':24}{len(book.cases):6}")
        for case in book.cases:
            expect = case["expect"]
            codes[expect.get("code") or expect.get("verdict") or "key set alone"] += 1
            attacks.update(case.get("attacks", []))
    print(f"{'all':24}{sum(codes.values()):6}\n")
    for code, count in sorted(codes.items()):
        print(f"{code:32}{count:6}")
    print("\nattack classes: " + ", ".join(f"{number} ({count})" for number, count in sorted(attacks.items())))
    print("without a case: " + ", ".join(str(number) for number in range(1, 49) if number not in attacks))
    return 0


def example(made):
    """One good token and its key set in files of their own, to try a verifier on by hand."""
    for book in made:
        for case in book.cases:
            if case["id"] == "apple-shapes-2026-new-relay-domain":
                keys_text = json.dumps(book.document()["keySets"][case["keys"]], indent=2) + "\n"
                return {"example/apple.token": case["token"] + "\n", "example/apple-keys.jwks": keys_text}
    raise SystemExit("the case of the example is gone")


def main(arguments):
    if arguments == ["--new-keys"]:
        keys.new_keys()
        return 0
    if arguments not in ([], ["--check"], ["--mutants"], ["--summary"]):
        print(__doc__)
        return 2
    made = books()
    wrong = check_model(made)
    for name, (expected, found) in wrong.items():
        print(f"{name}: the case says {expected}, the model {found}")
    if wrong:
        return 1
    if arguments == ["--mutants"]:
        return mutants(made)
    if arguments == ["--summary"]:
        return summary(made)
    texts = {f"{book.topic}.json": json.dumps(book.document(), indent=2) + "\n" for book in made} | example(made)
    there = {path.name for path in HERE.glob("*.json")} | {f"example/{path.name}" for path in HERE.glob("example/*")}
    different = sorted(there ^ texts.keys())
    for name, text in texts.items():
        path = HERE / name
        if not path.exists() or path.read_text("utf-8") != text:
            different.append(name)
            if not arguments:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, "utf-8")
    if not arguments:
        for name in there - texts.keys():
            print(f"{name}: no topic makes this file")
        return 0
    for name in sorted(set(different)):
        print(f"{name}: differs")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
