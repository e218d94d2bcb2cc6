#!/usr/bin/python3
"""Joins the symbol graphs of the modules that the library product hands on, for what is listed and what is documented.

    public_api.py list GRAPHS           prints the public interface, sorted
    public_api.py compare GRAPHS FILE   exit status 1 when FILE says otherwise
    public_api.py join GRAPHS FOLDER    writes one graph, as if all were one module

GRAPHS is the folder that `swift package dump-symbol-graph` writes. It leaves out what a module re-exports, so the modules
are joined here; users see one module, and what moves from one to another is no change to them.
"""

import difflib
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
UMBRELLA = "Postern"
TYPES = {"swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.actor"}
# What every type has unless it says otherwise.
USUAL = {"Copyable", "Escapable", "SendableMetatype"}


def modules():
    """The umbrella and all that it hands on, as its source says."""
    text = (ROOT / "Sources" / UMBRELLA / "Exports.swift").read_text()
    return [UMBRELLA] + sorted(re.findall(r"^@_exported public import (\w+)$", text, re.M))


def rooms():
    return sorted(path.name for path in (ROOT / "Sources").iterdir() if list(path.glob("**/*.swift")))


def graphs(folder, names):
    for name in names:
        for path in sorted(pathlib.Path(folder).glob(f"{name}.symbols.json")):
            yield json.loads(path.read_text())
        for path in sorted(pathlib.Path(folder).glob(f"{name}@*.symbols.json")):
            yield json.loads(path.read_text())


def joined(folder):
    """One graph of all modules; ends the program when a symbol is public that no user can reach."""
    handed_on = modules()
    for name in handed_on:
        if not (pathlib.Path(folder) / f"{name}.symbols.json").exists():
            sys.exit(f"{folder} has no symbol graph of {name}: call `make api` or `make docs`")
    hidden = [name for name in rooms() if name not in handed_on]
    lost = [symbol["pathComponents"] for graph in graphs(folder, hidden) for symbol in graph["symbols"]]
    if lost:
        sys.exit(f"public, but in no module that {UMBRELLA} hands on: {'.'.join(lost[0])}")
    symbols, relationships, metadata, module = {}, {}, {}, {}
    for graph in graphs(folder, handed_on):
        metadata, module = graph["metadata"], graph["module"]
        for symbol in graph["symbols"]:
            symbols.setdefault(symbol["identifier"]["precise"], symbol)
        for relation in graph["relationships"]:
            relationships.setdefault((relation["kind"], relation["source"], relation["target"]), relation)
    bare = sorted(".".join(symbol["pathComponents"]) for symbol in symbols.values() if "docComment" not in symbol)
    if bare:
        sys.exit(f"public without a doc comment: {', '.join(bare)}")
    return {
        "metadata": metadata,
        "module": {**module, "name": UMBRELLA},
        "symbols": sorted(symbols.values(), key=lambda symbol: symbol["identifier"]["precise"]),
        "relationships": [relationships[key] for key in sorted(relationships)],
    }


def declaration(symbol):
    text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
    return re.sub(r"\s+", " ", text).strip()


def conformances(graph, identifier):
    names = set()
    for relation in graph["relationships"]:
        if relation["source"] == identifier and relation["kind"] in ("conformsTo", "inheritsFrom"):
            name = relation.get("targetFallback", "").split(".")[-1] or relation["target"]
            for symbol in graph["symbols"]:
                if symbol["identifier"]["precise"] == relation["target"]:
                    name = ".".join(symbol["pathComponents"])
            names.add(name)
    return sorted(names - USUAL)


def listing(graph):
    """The interface as text: types by name, under each its members by declaration."""
    members, headers = {}, {}
    for symbol in graph["symbols"]:
        path, text = symbol["pathComponents"], declaration(symbol)
        if symbol["kind"]["identifier"] in TYPES:
            name = ".".join(path)
            head = text.split(":")[0].strip().rsplit(" ", 1)[0]
            protocols = conformances(graph, symbol["identifier"]["precise"])
            headers[name] = f"{head} {name}" + (f" : {', '.join(protocols)}" if protocols else "")
        else:
            members.setdefault(".".join(path[:-1]), []).append(text)
    blocks = [sorted(members.pop("", []))] if "" in members else []
    for name in sorted(headers):
        blocks.append([headers[name]] + [f"    {text}" for text in sorted(members.pop(name, []))])
    if members:
        sys.exit(f"members of no public type: {sorted(members)}")
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def compare(graph, path):
    now, then = listing(graph), pathlib.Path(path).read_text()
    if now == then:
        return 0
    sys.stdout.writelines(
        difflib.unified_diff(then.splitlines(True), now.splitlines(True), str(path), "the sources")
    )
    print(f"The public interface is not what {path} says. If that is meant, call `make api` and say so in CHANGELOG.md.")
    return 1


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "list":
        sys.stdout.write(listing(joined(arguments[1])))
    elif len(arguments) == 3 and arguments[0] == "compare":
        return compare(joined(arguments[1]), arguments[2])
    elif len(arguments) == 3 and arguments[0] == "join":
        folder = pathlib.Path(arguments[2])
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{UMBRELLA}.symbols.json").write_text(json.dumps(joined(arguments[1])))
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
