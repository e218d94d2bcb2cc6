"""Strict JSON, the same faults in the header and in the claims (and in the text of `events`)."""

from ..build import DROP, NOW, SUBJECT, Book, accepted, claims, header, sign, usual_key_set
from ..encoding import dump


def nested(levels, kind="["):
    """A value that opens so many brackets."""
    if kind == "[":
        return "[" * levels + "]" * levels
    if kind == "{":
        return '{"a":' * levels + "1" + "}" * levels
    return '[{"a":' * (levels // 2) + ("[" if levels % 2 else "1") + ("]" if levels % 2 else "") + "}]" * (levels // 2)


def faults(good):
    """(name, rule, text or octets, attack classes) for each way that `good`, an object's text, stops to be strict JSON."""
    inner = good[1:-1]
    first = inner.split(",")[0]
    name = first.split(":")[0]
    add = lambda text: "{" + inner + "," + text + "}"
    yield "duplicate", "A name comes twice with different values.", add(name + ':"other"'), [19]
    yield "duplicate-equal", "A name comes twice with the same value.", add(first), [19]
    yield "duplicate-first", "The first of two equal names is the bad one.", "{" + name + ':"other",' + inner + "}", [
        19
    ]
    yield "duplicate-escaped", "Names are compared after unescaping.", add(
        '"\\u%04x' % ord(name[1]) + name[2:] + ":1"
    ), [19]
    yield "duplicate-unknown", "An unknown name comes twice.", add('"x":1,"x":1'), [19]
    yield "duplicate-empty", "The empty name comes twice.", add('"":1,"":2'), [19]
    yield "duplicate-nested", "A name comes twice in an object inside.", add('"x":{"y":1,"y":2}'), [19]
    yield "duplicate-nested-escaped", "A name comes twice in an object inside, once escaped.", add(
        '"x":[{"y":1,"\\u0079":2}]'
    ), [19]
    yield "duplicate-pair", "A surrogate pair and the character itself are the same name.", add(
        '"\U0001f511":1,"\\ud83d\\udd11":2'
    ), [19]
    yield "trailing-comma", "A comma after the last member.", "{" + inner + ",}", [25]
    yield "trailing-comma-array", "A comma after the last item.", add('"x":[1,2,]'), [25]
    yield "leading-comma", "A comma before the first member.", "{," + inner + "}", [25]
    yield "double-comma", "Two commas.", add(',"x":1'), [25]
    yield "missing-comma", "No comma between members.", "{" + inner + ' "x":1}', [25]
    yield "missing-colon", "No colon after a name.", add('"x" 1'), [25]
    yield "comment-block", "A block comment.", "{/* */" + inner + "}", [25]
    yield "comment-line", "A line comment.", "{// \n" + inner + "}", [25]
    yield "comment-hash", "A comment of the shell.", "{# \n" + inner + "}", [25]
    yield "trailing-text", "Text after the object.", good + "x", [25]
    yield "trailing-object", "A second object.", good + "{}", [25]
    yield "trailing-brace", "A closing brace too many.", good + "}", [25]
    yield "trailing-nul", "A NUL after the object.", good + "\u0000", [20, 25]
    yield "open-end", "The last brace is missing.", good[:-1], [25]
    yield "open-string", "A string without its end.", good[:-1] + ',"x', [25]
    yield "top-array", "An array.", "[" + good + "]", [25]
    yield "top-string", "A string.", '"' + good.replace('"', '\\"') + '"', [25]
    yield "top-number", "A number.", "1", [25]
    yield "top-null", "null.", "null", [25]
    yield "top-true", "true.", "true", [25]
    yield "white-space-alone", "White space.", " ", [25]
    yield "empty-object", "An empty object has nothing of what must be there.", "{}", [25]
    yield "single-quotes", "Single quotes.", add("'x':1"), [25]
    yield "bare-name", "A name without quotes.", add("x:1"), [25]
    yield "number-name", "A number as a name.", add("1:1"), [25]
    yield "bare-value", "A value without quotes.", add('"x":yes'), [25]
    yield "upper-literal", "Literals are in lower case.", add('"x":True'), [25]
    yield "form-feed", "A form feed is no white space of JSON.", "{\f" + inner + "}", [20, 25]
    yield "vertical-tab", "A vertical tab is no white space of JSON.", "{\v" + inner + "}", [20, 25]
    yield "no-break-space", "A no-break space is no white space of JSON.", "{\u00a0" + inner + "}", [20, 25]
    yield "line-separator", "A line separator is no white space of JSON.", "{\u2028" + inner + "}", [20, 25]
    yield "raw-newline", "A raw newline in a string.", add('"x":"a\nb"'), [20]
    yield "raw-tab", "A raw tab in a string.", add('"x":"a\tb"'), [20]
    yield "raw-nul", "A raw NUL in a string.", add('"x":"a\u0000b"'), [20]
    yield "raw-control-in-name", "A raw control character in a name.", add('"x\u001f":1'), [20]
    yield "escape-unknown", "An unknown escape.", add('"x":"\\x41"'), [20]
    yield "escape-quote", "An escaped single quote.", add('"x":"\\\'"'), [20]
    yield "escape-upper-u", "\\U is no escape.", add('"x":"\\U0041"'), [20]
    yield "escape-short", "A short \\u escape.", add('"x":"\\u41"'), [20]
    yield "escape-sign", "A sign in a \\u escape.", add('"x":"\\u+041"'), [20]
    yield "escape-braces", "Braces in a \\u escape.", add('"x":"\\u{41}"'), [20]
    yield "lone-high-surrogate", "A high surrogate alone.", add('"x":"\\ud800"'), [20]
    yield "lone-low-surrogate", "A low surrogate alone.", add('"x":"\\udc00"'), [20]
    yield "swapped-surrogates", "A low surrogate before a high one.", add('"x":"\\udc00\\ud800"'), [20]
    yield "high-then-letter", "A high surrogate before a letter.", add('"x":"\\ud800a"'), [20]
    yield "two-high-surrogates", "Two high surrogates and a low one.", add('"x":"\\ud800\\ud800\\udc00"'), [20]
    yield "lone-surrogate-in-name", "A lone surrogate in a name.", add('"\\udfff":1'), [20]
    text = good.encode()
    raw = lambda octets: text[:-1] + b',"x":"' + octets + b'"}'
    yield "bom", "A byte order mark.", b"\xef\xbb\xbf" + text, [20]
    yield "utf16-little", "UTF-16, little endian.", good.encode("utf-16-le"), [20]
    yield "utf16-big", "UTF-16, big endian.", good.encode("utf-16-be"), [20]
    yield "utf16-bom", "UTF-16 with a byte order mark.", b"\xff\xfe" + good.encode("utf-16-le"), [20]
    yield "utf32", "UTF-32.", good.encode("utf-32-le"), [20]
    yield "octet-80", "A continuation octet alone.", raw(b"\x80"), [20]
    yield "octet-ff", "An octet that UTF-8 does not have.", raw(b"\xff"), [20]
    yield "overlong-2", "An overlong form of two octets.", raw(b"\xc0\xaf"), [20]
    yield "overlong-3", "An overlong form of three octets.", raw(b"\xe0\x80\xaf"), [20]
    yield "overlong-nul", "An overlong NUL.", raw(b"\xc0\x80"), [20]
    yield "surrogate-octets", "A surrogate in UTF-8.", raw(b"\xed\xa0\x80"), [20]
    yield "surrogate-pair-octets", "A surrogate pair in UTF-8.", raw(b"\xed\xa0\xbd\xed\xb4\x91"), [20]
    yield "beyond-unicode", "A number beyond Unicode.", raw(b"\xf4\x90\x80\x80"), [20]
    yield "cut-character", "A character cut short.", raw(b"\xe2\x82"), [20]
    yield "latin-1", "A letter of Latin-1.", raw(b"\xe9"), [20]
    yield "octets-in-name", "Octets that are not UTF-8 in a name.", text[:-1] + b',"\xff":1}', [20]
    for number, kind in (
        ("01", "leading-zero"),
        ("-01", "leading-zero-negative"),
        ("+1", "plus"),
        (".5", "no-whole"),
        ("5.", "no-fraction"),
        ("1e", "no-exponent"),
        ("1e+", "sign-without-exponent"),
        ("0x10", "hexadecimal"),
        ("NaN", "nan"),
        ("Infinity", "infinity"),
        ("-Infinity", "minus-infinity"),
        ("-", "minus"),
        ("1_000", "underscore"),
        ("--1", "two-signs"),
        ("1.2.3", "two-points"),
        ("１", "full-width"),
    ):
        yield f"number-{kind}", "A number that JSON does not know, in an unknown member.", add('"x":' + number), [21]
    for levels in (32, 33, 100, 3000):
        # `levels` brackets inside the object: the object itself is one more
        yield f"depth-{levels + 1}-arrays", f"{levels + 1} brackets are open at once.", add('"x":' + nested(levels)), [
            23
        ]
    yield "depth-33-objects", "33 braces are open at once.", add('"x":' + nested(32, "{")), [23]
    yield "depth-33-mixed", "33 braces and brackets are open at once.", add('"x":' + nested(32, "mixed")), [23]
    yield "depth-never-closed", "Brackets that never close.", add('"x":')[:-1] + "[" * 9000, [23]
    yield "top-deep-arrays", "Nothing but open brackets.", "[" * 9000, [23]


def allowed(good):
    """What looks odd and is strict JSON."""
    inner = good[1:-1]
    add = lambda text: "{" + inner + "," + text + "}"
    yield "white-space", "All white space of JSON.", "\r\n\t {\r\n\t " + inner + "\r\n\t }\r\n\t "
    for levels in (30, 31):
        yield f"depth-{levels + 1}-arrays", f"{levels + 1} brackets are open at once.", add('"x":' + nested(levels))
        yield f"depth-{levels + 1}-objects", f"{levels + 1} braces are open at once.", add('"x":' + nested(levels, "{"))
    yield "depth-beside", "Many brackets one after another are not deep.", add('"x":[' + ",".join(["[[]]"] * 300) + "]")
    yield "brackets-in-string", "Brackets in a string are not depth.", add('"x":"' + "[{" * 40 + '"')
    yield "same-name-elsewhere", "The same name in different objects is no duplicate.", add(
        '"x":{"y":1},"z":{"y":{"y":1}}'
    )
    yield "name-with-other-case", "Names that differ in case are different.", add('"x":1,"X":2')
    yield "names-canonically-equivalent", "Names that differ in their code points are different.", add(
        '"\u00e9":1,"e\u0301":2'
    )
    yield "empty-name", "The empty name is a name.", add('"":1')
    yield "escapes", "All escapes of JSON.", add('"x":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uD83D\\uDD11"')
    yield "unicode", "Characters of two, three and four octets.", add('"x":"\u00e9\u20ac\U0001f511\u2028\ufffe\ufeff"')
    yield "delete", "DEL is no control character of JSON.", add('"x":"\u007f"')
    yield "numbers", "Numbers of all forms.", add('"x":[0,-0,-0.0,1e5,1E+5,1.5e-5,0e0,12345678901234567890]')
    yield "number-beyond-double", "Only the form of an unknown number counts.", add(
        '"x":[1e309,-1e400,1e-400,' + "9" * 400 + "]"
    )
    yield "long-string", "A long string.", add('"x":"' + "y" * 5000 + '"')


def book():
    book = Book("json", "JSON: strict text in header, claims and events", apple=usual_key_set())
    for name, rule, text, attacks in faults(dump(header())):
        book.case(f"header-{name}", "Header: " + rule, sign(text, claims()), "header_invalid", attacks=attacks)
    for name, rule, text, attacks in faults(dump(claims())):
        book.case(f"claims-{name}", "Claims: " + rule, sign(header(), text), "claims_malformed", attacks=attacks)
    for name, rule, text in allowed(dump(header())):
        book.case(f"header-allowed-{name}", "Header: " + rule, sign(text, claims()), accepted())
    for name, rule, text in allowed(dump(claims())):
        book.case(f"claims-allowed-{name}", "Claims: " + rule, sign(header(), text), accepted())
    # Names that matter, twice or in another spelling
    for name, value in (("alg", "none"), ("kid", "x"), ("typ", "at+jwt")):
        text = dump(header(typ="JWT"))
        other = '"%s":"%s"' % (name, value)
        book.case(
            f"header-twice-{name}",
            f"{name} comes twice, the good value first.",
            sign(text[:-1] + "," + other + "}", claims()),
            "header_invalid",
            attacks=[1, 19] if name == "alg" else 19,
        )
        book.case(
            f"header-twice-{name}-good-last",
            f"{name} comes twice, the good value last.",
            sign("{" + other + "," + text[1:], claims()),
            "header_invalid",
            attacks=[1, 19] if name == "alg" else 19,
        )
    for name, value in (
        ("aud", '"com.example.evil"'),
        ("iss", '"https://id.example.com"'),
        ("sub", '"other"'),
        ("exp", "99"),
        ("iat", str(NOW)),
        ("nonce", '""'),
        ("email", '"a@example.com"'),
        ("events", "{}"),
    ):
        text = dump(claims(events=DROP)) if name != "events" else dump(claims(events={}))
        book.case(
            f"claims-twice-{name}",
            f"{name} comes twice, the good value first.",
            sign(header(), text[:-1] + f',"{name}":{value}}}'),
            "claims_malformed",
            attacks=19,
        )
        book.case(
            f"claims-twice-{name}-good-last",
            f"{name} comes twice, the good value last.",
            sign(header(), f'{{"{name}":{value},' + text[1:]),
            "claims_malformed",
            attacks=19,
        )
    book.case(
        "claims-escaped-names",
        "Names are unescaped before they are looked up.",
        sign(
            header(),
            dump(claims())
            .replace('"aud"', '"\\u0061ud"')
            .replace('"iss"', '"i\\u0073s"')
            .replace('"sub"', '"\\u0073\\u0075\\u0062"'),
        ),
        accepted(),
        attacks=19,
    )
    for name, value, code in (
        ("aud", "com.example.app", "audience_mismatch"),
        ("iss", "https://appleid.apple.com", "issuer_mismatch"),
        ("sub", SUBJECT, "subject_missing"),
        ("exp", NOW + 600, "claims_malformed"),
        ("iat", NOW, "claims_malformed"),
        ("nonce", claims()["nonce"], "nonce_missing"),
    ):
        for kind, spelling in (
            ("upper", name.upper()),
            ("title", name.title()),
            ("space", name + " "),
            ("nul", name + "\u0000"),
        ):
            if kind in ("space", "nul") and name not in ("aud", "nonce"):
                continue
            book.case(
                f"claims-name-{name}-{kind}",
                f"{spelling!r} is not {name}.",
                sign(header(), claims(**{name: DROP, spelling: value})),
                code,
                attacks=19,
            )
        book.case(
            f"claims-name-{name}-upper-beside",
            f"{name.upper()} beside {name} is an unknown claim.",
            sign(header(), claims(**{name.upper(): [1], name.title(): None})),
            accepted(),
            attacks=19,
        )
    # Text inside text
    secevent = {"name": "apple", "audiences": ["com.example.app"]}
    event = {"type": "consent-revoked", "sub": SUBJECT, "event_time": NOW * 1000}
    for name, rule, text, attacks in faults(dump(event)):
        if isinstance(text, bytes):
            continue  # a JSON string cannot hold them
        book.case(
            f"events-{name}",
            "The text of events: " + rule,
            sign(header(), claims(nonce=DROP, exp=DROP, sub=DROP, email=DROP, events=text)),
            "claims_malformed",
            attacks=sorted({47} | set(attacks)),
            nonce=None,
            notification=True,
            provider=secevent,
        )
    for name, rule, text in allowed(dump(event)):
        book.case(
            f"events-allowed-{name}",
            "The text of events: " + rule,
            sign(header(), claims(nonce=DROP, exp=DROP, sub=DROP, email=DROP, events=text)),
            {"verdict": "accepted", "events": "consent-revoked"},
            attacks=47,
            nonce=None,
            notification=True,
            provider=secevent,
        )
    return book
