"""The JSON reader of the model: strict, with a switch for each kind of leniency."""

import re

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
LOOSE_NUMBER = re.compile(r"[+-]?[0-9]*(\.[0-9]*)?([eE][+-]?[0-9]+)?")
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class Malformed(Exception):
    pass


class Number(str):
    """A number as its text: nothing is lost before a rule says what counts."""


class Reader:
    def __init__(self, data, scope, rules):
        self.on = lambda name: rules.on(f"{scope}-json-{name}")
        self.limit = rules.pick(f"{scope}-json-depth", 32, 31, 33, 10**9)
        if data.startswith(b"\xef\xbb\xbf") and not self.on("no-bom"):
            data = data[3:]
        try:
            # The text of events and of a key set comes out of JSON strings: it is UTF-8 whatever it says.
            lenient = scope in ("header", "claims") and not self.on("utf8")
            self.text = data.decode("utf-8", "replace" if lenient else "strict")
        except UnicodeDecodeError:
            if self.on("no-utf16"):
                raise Malformed("not UTF-8")
            self.text = data.decode("utf-16", "replace")
        if "\x00" in self.text[:4] and not self.on("no-utf16"):
            self.text = data.decode("utf-16-le" if data[1:2] == b"\x00" else "utf-16-be", "replace")
        self.at = 0

    def read(self):
        self.space()
        value = self.value(0)
        self.space()
        if self.at != len(self.text) and self.on("no-trailing-bytes"):
            raise Malformed("trailing bytes")
        return value

    def peek(self):
        return self.text[self.at : self.at + 1]

    def space(self):
        blank = " \t\r\n" if self.on("json-space-only") else " \t\r\n\f\v\u00a0\u2028"
        while self.peek() and self.peek() in blank:
            self.at += 1
        if self.text.startswith(("//", "/*"), self.at) and not self.on("no-comments"):
            end = "\n" if self.text.startswith("//", self.at) else "*/"
            found = self.text.find(end, self.at)
            self.at = found + len(end) if found >= 0 else len(self.text)
            self.space()

    def take(self, text):
        if not self.text.startswith(text, self.at):
            raise Malformed(f"{text} expected")
        self.at += len(text)

    def value(self, depth):
        start = self.peek()
        if start and start in "{[":
            if depth + 1 > self.limit:
                raise Malformed("too deep")
            return self.object(depth + 1) if start == "{" else self.array(depth + 1)
        if start == '"':
            return self.string()
        for word, value in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        if not self.on("number-grammar"):
            for word in ("NaN", "Infinity", "-Infinity"):
                if self.text.startswith(word, self.at):
                    self.at += len(word)
                    return Number("0")
        match = (NUMBER if self.on("number-grammar") else LOOSE_NUMBER).match(self.text, self.at)
        if not match or not match.group():
            raise Malformed("no value")
        self.at = match.end()
        return Number(match.group())

    def object(self, depth):
        members, raw_names = {}, set()
        self.take("{")
        self.space()
        while self.peek() != "}":
            begin = self.at
            name = self.string()
            raw = self.text[begin : self.at]
            twice = name in members if self.on("duplicates-after-unescaping") else raw in raw_names
            if twice and self.on("no-duplicates") and (depth == 1 or self.on("no-duplicates-nested")):
                raise Malformed("duplicate name")
            raw_names.add(raw)
            self.space()
            self.take(":")
            self.space()
            members[name] = self.value(depth)
            self.space()
            self.comma("}")
        self.at += 1
        return members

    def array(self, depth):
        items = []
        self.take("[")
        self.space()
        while self.peek() != "]":
            items.append(self.value(depth))
            self.space()
            self.comma("]")
        self.at += 1
        return items

    def comma(self, end):
        if self.peek() == end:
            return
        self.take(",")
        self.space()
        if self.peek() == end and self.on("no-trailing-comma"):
            raise Malformed("trailing comma")

    def string(self):
        self.take('"')
        out = []
        while True:
            character = self.peek()
            self.at += 1
            if not character:
                raise Malformed("open string")
            if character == '"':
                break
            if character < " " and self.on("no-raw-controls"):
                raise Malformed("raw control character")
            if character != "\\":
                out.append(character)
                continue
            kind = self.peek()
            self.at += 1
            if kind == "u":
                out.append(chr(self.hex4()))
            elif kind in ESCAPES and kind:
                out.append(ESCAPES[kind])
            elif self.on("known-escapes-only"):
                raise Malformed("unknown escape")
            else:
                out.append(kind)
        text = "".join(out).encode("utf-16", "surrogatepass")
        try:
            return text.decode("utf-16")
        except UnicodeDecodeError:
            if self.on("no-lone-surrogates"):
                raise Malformed("lone surrogate")
            return text.decode("utf-16", "replace")

    def hex4(self):
        digits = self.text[self.at : self.at + 4]
        if not re.fullmatch("[0-9a-fA-F]{4}", digits):
            raise Malformed("bad \\u escape")
        self.at += 4
        return int(digits, 16)


def parse(data, scope, rules):
    try:
        return Reader(data, scope, rules).read()
    except (RecursionError, IndexError):
        raise Malformed("not readable")


def whole_seconds(text, exact=True):
    """The floor of a number, or None when it is outside 0 ..< 2^40; never builds a huge integer."""
    if not exact:
        value = float(text)
        return int(value) if 0 <= value < 2**40 else None
    sign, digits, fraction, exponent = re.fullmatch(r"([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?", text).groups()
    coefficient = (digits + fraction).lstrip("0")
    if not coefficient:
        return 0
    if sign == "-":
        return None
    exponent = int(exponent or "0") - len(fraction)
    magnitude = len(coefficient) + exponent  # the value is below 10^magnitude
    if magnitude > 13:
        return None
    if magnitude <= 0:
        return 0
    value = int(coefficient[:magnitude].ljust(magnitude, "0"))
    return value if value < 2**40 else None
