"""The compact form: size, segments, base64url."""

import json

from .. import crypto, keys
from ..build import KID_A, Book, accepted, claims, header, sign, token, usual_key_set
from ..encoding import b64u, dump, loosen, octets


def sized(size):
    """A token of exactly so many bytes: a claim fills it up, white space in the header gives the last byte."""
    for spaces in range(3):
        head = " " * spaces + dump(header())
        rest = size - len(b64u(head.encode())) - 2 - 342  # the payload's characters
        if rest % 4 == 1:
            continue
        raw = rest * 6 // 8
        filler = raw - len(dump(claims(filler="")))
        text = sign(head, claims(filler="x" * filler))
        if len(text) == size:
            return text
    raise AssertionError("no such size")


def padded_to(rest, make):
    """A segment text whose length modulo 4 is `rest`, by white space in the JSON."""
    for spaces in range(4):
        segment = b64u(octets(make(spaces)))
        if len(segment) % 4 == rest:
            return " " * spaces
    raise AssertionError("no such length")


def book():
    book = Book("encoding", "Encoding: size, segments, base64url", apple=usual_key_set())
    text = token()
    head, payload, signature = text.split(".")

    def case(name, rule, text, expect="token_malformed", attacks=16):
        book.case(name, rule, text, expect, attacks=attacks)

    case("plain", "The token that the others are made of.", text, accepted(), None)
    # Size
    case("size-16384", "A token of 16384 bytes is the largest.", sized(16384), accepted(), 24)
    case("size-16385", "A token of 16385 bytes is too large.", sized(16385), "token_too_large", 24)
    case("size-16386", "A token of 16386 bytes is too large.", sized(16386), "token_too_large", 24)
    case(
        "size-large-claim",
        "A claim of 100000 characters.",
        sign(header(), claims(filler="x" * 100000)),
        "token_too_large",
        24,
    )
    case(
        "size-large-header",
        "A header of 30000 characters.",
        sign(header(filler="x" * 30000), claims()),
        "token_too_large",
        24,
    )
    case(
        "size-large-signature",
        "A signature of 20000 characters.",
        head + "." + payload + "." + "A" * 20000,
        "token_too_large",
        24,
    )
    case(
        "size-bytes-not-letters", "The size counts bytes: 9000 letters of two bytes.", "é" * 9000, "token_too_large", 24
    )
    case("size-million-dots", "A million dots.", {"text": ".", "count": 1000000}, "token_too_large", [17, 24])
    case(
        "size-hundred-thousand-brackets",
        "A hundred thousand brackets.",
        {"text": "[", "count": 100000},
        "token_too_large",
        [23, 24],
    )
    case("size-sixteen-million", "Sixteen million bytes.", {"text": "A", "count": 16000000}, "token_too_large", 24)
    case(
        "size-largest-of-dots",
        "16384 dots are within the size and no token.",
        {"text": ".", "count": 16384},
        attacks=17,
    )
    case(
        "size-largest-of-brackets",
        "16384 brackets are within the size and no token.",
        {"text": "[", "count": 16384},
        attacks=[17, 23],
    )
    # Segment count
    counts = {
        "empty": "",
        "one": head,
        "two": head + "." + payload,
        "four": text + "." + signature,
        "five": text + "." + head + "." + payload,
        "four-empty": text + ".",
        "leading-dot": "." + text,
        "double-dot": head + ".." + payload + "." + signature,
        "double-dot-end": head + "." + payload + ".." + signature,
        "dot": ".",
        "two-dots": "..",
        "three-dots": "...",
        "header-empty": "." + payload + "." + signature,
        "header-only": head + "..",
        "one-dot-end": head + "." + payload + signature,
    }
    for name, value in counts.items():
        expect = "claims_malformed" if name == "header-only" else "token_malformed"
        case(
            f"segments-{name}",
            (
                "A token has three segments, and the first is not empty."
                if expect == "token_malformed"
                else "An empty payload is no JSON object."
            ),
            value,
            expect,
            17,
        )
    case(
        "segments-payload-empty",
        "An empty payload, well signed, is no JSON object.",
        sign(header(), b""),
        "claims_malformed",
        17,
    )
    case(
        "segments-signature-empty",
        "An empty signature is a signature that does not hold.",
        head + "." + payload + ".",
        "signature_invalid",
        [1, 17],
    )
    # Other serialisations: class 18
    flattened = {"protected": head, "payload": payload, "signature": signature}
    case("json-flattened", "The JSON form of a signature is no token.", json.dumps(flattened), attacks=18)
    case(
        "json-general",
        "The general JSON form is no token.",
        json.dumps({"payload": payload, "signatures": [{"protected": head, "signature": signature}]}),
        attacks=18,
    )
    case("json-with-dots", "A JSON text with a token inside.", '{"x":".' + text + '."}', attacks=18)
    jwe = b64u(dump({"alg": "RSA-OAEP", "enc": "A256GCM", "kid": KID_A}).encode())
    case(
        "encrypted",
        "An encrypted token has five segments.",
        ".".join([jwe, "AAAA" * 85, "AAAAAAAAAAAAAAAA", "AAAA" * 20, "A" * 22]),
        attacks=18,
    )
    case(
        "encrypted-header-in-three",
        "A header of encryption on three segments.",
        sign({"alg": "RSA-OAEP", "enc": "A256GCM", "kid": KID_A}, claims()),
        "header_invalid",
        18,
    )
    case("nested", "A token whose payload is a token.", sign(header(cty="JWT"), text.encode()), "claims_malformed", 18)
    case(
        "signed-as-text",
        "A token whose payload is a token as a JSON string.",
        sign(header(), '"' + text + '"'),
        "claims_malformed",
        18,
    )
    # Characters
    for name, character in {
        "equals": "=",
        "plus": "+",
        "slash": "/",
        "space": " ",
        "newline": "\n",
        "crlf": "\r\n",
        "tab": "\t",
        "percent": "%",
        "tilde": "~",
        "nul": "\u0000",
        "letter-e-acute": "é",
        "full-width-a": "Ａ",
        "comma": ",",
        "colon": ":",
        "no-break-space": "\u00a0",
        "zero-width": "\u200b",
        "bom": "\ufeff",
        "question": "?",
        "star": "*",
        "bracket": "[",
        "at": "@",
        "backtick": "`",
        "brace": "{",
        "delete": "\u007f",
    }.items():
        for part in range(3):
            if part != 1 and name in (
                "percent",
                "tilde",
                "comma",
                "colon",
                "question",
                "star",
                "at",
                "backtick",
                "brace",
                "bracket",
            ):
                continue
            changed = text.split(".")
            middle = len(changed[part]) // 2
            changed[part] = changed[part][:middle] + character + changed[part][middle:]
            case(
                f"character-{name}-{('header', 'payload', 'signature')[part]}",
                f"The {('header', 'payload', 'signature')[part]} holds " "a character that is not of the alphabet.",
                ".".join(changed),
            )
    for name, before, after in (
        ("space-before", " ", ""),
        ("space-after", "", " "),
        ("newline-after", "", "\n"),
        ("crlf-after", "", "\r\n"),
        ("bom-before", "\ufeff", ""),
        ("bearer", "Bearer ", ""),
        ("quotes", '"', '"'),
        ("nul-after", "", "\u0000"),
    ):
        case(f"around-{name}", "Nothing may stand around the token.", before + text + after)
    case("around-header-space", "White space after the header.", head + " ." + payload + "." + signature)
    # Length, padding and trailing bits in each segment, under a good signature of what was sent
    for part, name in enumerate(("header", "payload", "signature")):
        for rest in (2, 3):
            if name == "header":
                space = padded_to(rest, lambda count: " " * count + dump(header()))
                made = sign(space + dump(header()), claims())
            elif name == "payload":
                space = padded_to(rest, lambda count: " " * count + dump(claims()))
                made = sign(header(), space + dump(claims()))
            elif rest == 2:
                made = text
            else:
                continue  # a signature of RSA 2048 has 342 characters, 2 over a multiple of 4
            segments = made.split(".")
            assert len(segments[part]) % 4 == rest
            case(
                f"length-{name}-{rest}",
                f"A {name} of {rest} characters over a multiple of four.",
                made,
                accepted(),
                None,
            )
            for kind, value in (
                ("loose", loosen(segments[part])),
                ("padded", segments[part] + "=" * (4 - rest)),
                ("half-padded", segments[part] + "="),
            ):
                changed = segments[:part] + [value] + segments[part + 1 :]
                if kind == "half-padded" and rest == 3:
                    continue
                rule = {
                    "loose": "The unused bits of the last character are zero.",
                    "padded": "There is no padding.",
                    "half-padded": "There is no padding, complete or not.",
                }[kind]
                if part < 2:  # signed as sent, so that only the form is wrong
                    signed = ".".join(changed[:2])
                    changed[2] = b64u(crypto.sign_pkcs1(keys.key("rsa2048-a"), "sha256", signed.encode()))
                case(f"{kind}-{name}-{rest}", rule, ".".join(changed), attacks=[16, 36] if part == 2 else 16)
        changed = text.split(".")
        if len(changed[part]) % 4 == 1:
            raise AssertionError
        changed[part] = changed[part] + "A" * ((1 - len(changed[part])) % 4)
        case(f"length-{name}-1", f"A {name} of one character over a multiple of four.", ".".join(changed))
        changed[part] = "A"
        case(f"length-{name}-single", f"A {name} of one character.", ".".join(changed))
    # The standard alphabet, where it makes a difference: text that needs the last two characters
    for part in ("header", "payload", "signature"):
        for number in range(1000):
            made = token({"number": f"?>~{number}~?"}, {"number": f"?>~{number}~?"})
            segments = made.split(".")
            index = ("header", "payload", "signature").index(part)
            if "-" in segments[index] or "_" in segments[index]:
                segments[index] = segments[index].replace("-", "+").replace("_", "/")
                case(f"standard-alphabet-{part}", "The standard alphabet is not the one for URLs.", ".".join(segments))
                break
    # Octets that are not UTF-8, given as such
    data = text.encode()
    for name, value in (
        ("ff", b"\xff" + data),
        ("overlong-dot", data.replace(b".", b"\xc0\xae", 1)),
        ("surrogate", data + b"\xed\xa0\x80"),
        ("utf16", text.encode("utf-16-le")),
        ("utf16-bom", b"\xff\xfe" + text.encode("utf-16-le")),
        ("latin-1", data[:-1] + b"\xe9"),
        (
            "inside",
            head.encode() + b"." + payload.encode()[:40] + b"\x80" + payload.encode()[40:] + b"." + signature.encode(),
        ),
    ):
        case(f"octets-{name}", "A token is ASCII.", value, attacks=[16, 20])
    return book
