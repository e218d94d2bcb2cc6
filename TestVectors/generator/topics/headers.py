"""The header: algorithm, kid, typ, critical members, keys offered by the token itself."""

import json

from .. import keys
from ..build import APP, DROP, KID_A, Book, accepted, claims, header, sign, token, usual_key_set
from ..encoding import Raw, b64u, dump


def oidc(*algorithms):
    provider = {"name": "oidc", "issuer": "https://id.example.com", "audiences": [APP]}
    return provider | ({"algorithms": list(algorithms)} if algorithms else {})


def book():
    book = Book(
        "headers",
        "Headers: algorithm, kid, typ, critical and ignored members",
        apple=usual_key_set(),
        long_kid={
            "keys": [keys.jwk("rsa2048-a", "k" * 128), keys.jwk("rsa2048-b", "é" * 64), keys.jwk("rsa2048-c", "k")]
        },
        strange_kids={"keys": [keys.jwk("rsa2048-a", "../../dev/null"), keys.jwk("rsa2048-b", "' OR 1=1 --\n\u0000")]},
    )

    def refuse(name, rule, code, attacks=None, **head):
        book.case(name, rule, token(head), code, attacks=attacks)

    # Algorithm: class 1
    for name, value in (
        ("none", "none"),
        ("none-mixed", "NoNe"),
        ("none-upper", "NONE"),
        ("none-title", "None"),
        ("empty", ""),
    ):
        text = sign(header(alg=value), claims())
        book.case(
            f"alg-{name}",
            "An unsigned algorithm is refused, a good signature beside it or not.",
            text,
            "algorithm_not_allowed",
            attacks=1,
        )
        book.case(
            f"alg-{name}-no-signature",
            "An unsigned algorithm is refused with an empty signature.",
            text.rpartition(".")[0] + ".",
            "algorithm_not_allowed",
            attacks=1,
        )
    text = token({"alg": "none"}).rpartition(".")[0]
    book.case(
        "alg-none-two-segments",
        "An unsigned token without its last dot is no token.",
        text,
        "token_malformed",
        attacks=[1, 17],
    )
    refuse("alg-missing", "alg must be there.", "header_invalid", 1, alg=DROP)
    for name, value in (
        ("null", None),
        ("number", 256),
        ("true", True),
        ("array", ["RS256"]),
        ("object", {"RS256": 1}),
        ("two", ["RS256", "none"]),
    ):
        refuse(f"alg-{name}", "alg must be a string.", "header_invalid", 1, alg=value)
    for name, value in (
        ("lower", "rs256"),
        ("mixed", "Rs256"),
        ("space", "RS256 "),
        ("leading-space", " RS256"),
        ("nul", "RS256\u0000"),
        ("newline", "RS256\n"),
        ("longer", "RS2567"),
        ("full-width", "RS２５６"),
        ("uri", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"),
        ("e256", "E256"),
    ):
        refuse(f"alg-spelling-{name}", "alg is compared byte for byte.", "algorithm_not_allowed", 4, alg=value)
    # Class 2: HMAC under each text or octet string that an attacker can know
    jwk = keys.jwk("rsa2048-a", KID_A, alg="RS256")
    secrets = {
        "spki-pem": keys.spki("rsa2048-a"),
        "spki-pem-no-newline": keys.spki("rsa2048-a").rstrip(b"\n"),
        "spki-der": keys.spki("rsa2048-a", "DER"),
        "pkcs1-pem": keys.pkcs1("rsa2048-a"),
        "pkcs1-der": keys.pkcs1("rsa2048-a", "DER"),
        "modulus": keys.numbers("rsa2048-a").n.to_bytes(256, "big"),
        "modulus-text": jwk["n"].encode(),
        "jwk-text": dump(jwk).encode(),
        "jwk-text-spaced": json.dumps(jwk).encode(),
        "empty": b"",
        "kid": KID_A.encode(),
    }
    for name, secret in secrets.items():
        book.case(
            f"hmac-{name}",
            "An HMAC keyed with something public is refused.",
            sign(header(alg="HS256"), claims(), secret, "HS256"),
            "algorithm_not_allowed",
            attacks=2,
        )
    for size in ("384", "512"):
        book.case(
            f"hmac-{size}",
            "HMAC of any size is refused.",
            sign(header(alg=f"HS{size}"), claims(), keys.spki("rsa2048-a"), f"HS{size}"),
            "algorithm_not_allowed",
            attacks=2,
        )
    book.case(
        "hmac-under-rs256",
        "An HMAC value is no RS256 signature.",
        sign(header(), claims(), keys.spki("rsa2048-a"), "HS256"),
        "signature_invalid",
        attacks=2,
    )
    # Classes 3 and 4
    for algorithm in ("RS384", "RS512", "PS256", "PS384", "PS512"):
        book.case(
            f"alg-own-family-{algorithm.lower()}",
            "A good signature of another RSA algorithm is not allowed.",
            token({"alg": algorithm}),
            "algorithm_not_allowed",
            attacks=3,
        )
    for algorithm, key in (("ES256", "p256-a"), ("ES384", "p384"), ("ES512", "p521"), ("EdDSA", "ed25519-a")):
        book.case(
            f"alg-other-family-{algorithm.lower()}",
            "A named provider signs with RS256 only.",
            token({"alg": algorithm}, key=key),
            "algorithm_not_allowed",
            attacks=4,
        )
    book.case(
        "alg-says-es256",
        "A good RS256 signature under a header that says ES256 is refused.",
        token({"alg": "ES256"}, algorithm="RS256"),
        "algorithm_not_allowed",
        attacks=4,
    )
    for algorithm in ("ES256K", "Ed25519", "RSA-OAEP", "dir", "A128KW", "RS1"):
        book.case(
            f"alg-name-{algorithm.lower()}",
            "An algorithm that no provider uses is not allowed.",
            token({"alg": algorithm}),
            "algorithm_not_allowed",
            attacks=4,
        )
    # kid
    refuse("kid-missing", "A named provider's token must name its key.", "key_not_found", kid=DROP)
    refuse("kid-unknown", "A kid that no key has.", "key_not_found", kid="Zzzzz")
    for name, value in (
        ("empty", ""),
        ("null", None),
        ("number", 1),
        ("true", True),
        ("array", [KID_A]),
        ("object", {"kid": KID_A}),
    ):
        refuse(f"kid-{name}", "kid must be a string of 1 to 128 bytes.", "header_invalid", 7, kid=value)
    for name, value in (
        ("path", "../../../dev/null"),
        ("sql", "x' UNION SELECT 'secret"),
        ("nul", KID_A + "\u0000"),
        ("crlf", KID_A + "\r\nSet-Cookie: a=b"),
        ("space", KID_A + " "),
        ("case", KID_A.lower()),
        ("prefix", KID_A[:-1]),
        ("longer", KID_A + "0"),
        ("url", "https://keys.example.com/k"),
        ("template", "${kid}"),
    ):
        refuse(
            f"kid-opaque-{name}",
            "kid is compared byte for byte and never used as anything else.",
            "key_not_found",
            7,
            kid=value,
        )
    book.case(
        "kid-path-in-set",
        "A kid that looks like a path is a name like any other.",
        token({"kid": "../../dev/null"}),
        accepted(),
        keys="strange_kids",
        attacks=7,
    )
    book.case(
        "kid-controls-in-set",
        "A kid with escaped control characters is a name like any other.",
        token({"kid": "' OR 1=1 --\n\u0000"}, key="rsa2048-b"),
        accepted(),
        keys="strange_kids",
        attacks=7,
    )
    book.case(
        "kid-cut-at-nul",
        "A kid does not end at a NUL.",
        token({"kid": "../../dev/null\u0000"}),
        "key_not_found",
        keys="strange_kids",
        attacks=7,
    )
    book.case(
        "kid-1-byte",
        "A kid of one byte is the shortest.",
        token({"kid": "k"}, key="rsa2048-c"),
        accepted(),
        keys="long_kid",
    )
    book.case(
        "kid-128-bytes", "A kid of 128 bytes is the longest.", token({"kid": "k" * 128}), accepted(), keys="long_kid"
    )
    book.case(
        "kid-128-bytes-64-letters",
        "The length of a kid is counted in bytes.",
        token({"kid": "é" * 64}, key="rsa2048-b"),
        accepted(),
        keys="long_kid",
    )
    book.case(
        "kid-129-bytes",
        "A kid of 129 bytes is too long.",
        token({"kid": "k" * 129}),
        "header_invalid",
        keys="long_kid",
        attacks=7,
    )
    book.case(
        "kid-130-bytes-65-letters",
        "A kid of 65 two-byte letters is too long.",
        token({"kid": "é" * 65}),
        "header_invalid",
        keys="long_kid",
        attacks=7,
    )
    book.case(
        "kid-10000-bytes",
        "A very long kid is refused before any look-up.",
        token({"kid": "k" * 10000}),
        "header_invalid",
        attacks=[7, 24],
    )
    # typ and cty
    for name, value in (
        ("jwt", "JWT"),
        ("lower", "jwt"),
        ("mixed", "Jwt"),
        ("full", "application/jwt"),
        ("full-upper", "APPLICATION/JWT"),
        ("full-mixed", "Application/Jwt"),
    ):
        book.case(
            f"typ-{name}", "typ JWT counts in any letter case, in short or in full.", token({"typ": value}), accepted()
        )
    for name, value in (
        ("access-token", "at+jwt"),
        ("access-token-full", "application/at+jwt"),
        ("logout", "logout+jwt"),
        ("secevent", "secevent+jwt"),
        ("dpop", "dpop+jwt"),
        ("jose", "JOSE"),
        ("empty", ""),
        ("space", "JWT "),
        ("parameter", "application/jwt; charset=utf-8"),
        ("other-type", "text/jwt"),
        ("jws", "JWS"),
        ("suffix", "jwt+x"),
        ("dotless-i", "applıcation/jwt"),
        ("dotted-i", "APPLİCATION/JWT"),
        ("nul", "JWT\u0000"),
    ):
        refuse(
            f"typ-other-{name}", "A typ of another kind of token is refused.", "not_an_identity_token", 33, typ=value
        )
    for name, value in (("null", None), ("number", 1), ("array", ["JWT"]), ("object", {}), ("true", True)):
        refuse(f"typ-{name}", "typ must be a string.", "header_invalid", typ=value)
        refuse(f"cty-{name}", "cty must be a string.", "header_invalid", cty=value)
    book.case("cty-string", "cty as a string is not looked at.", token({"cty": "example"}), accepted())
    # enc and the critical members: classes 26 to 28
    for name, value in (("string", "A256GCM"), ("null", None), ("empty", ""), ("false", False)):
        refuse(f"enc-{name}", "enc belongs to encrypted tokens.", "header_invalid", 18, enc=value)
    for name, value in (
        ("exp", ["exp"]),
        ("empty", []),
        ("text", "x"),
        ("null-member", [None]),
        ("b64", ["b64"]),
        ("null", None),
        ("unknown", ["http://example.com/x"]),
        ("standard", ["alg"]),
        ("twice", ["x", "x"]),
        ("number", 1),
        ("object", {}),
        ("false", False),
        ("kid", ["kid"]),
        ("empty-name", [""]),
    ):
        refuse(f"crit-{name}", "crit is refused whatever it holds.", "critical_header_unsupported", 26, crit=value)
    book.case(
        "crit-with-b64",
        "b64 with its crit is refused.",
        token({"b64": False, "crit": ["b64"]}),
        "critical_header_unsupported",
        attacks=[26, 27],
    )
    book.case(
        "crit-with-member",
        "An extension that is there as crit says is refused all the same.",
        token({"crit": ["x-ext"], "x-ext": True}),
        "critical_header_unsupported",
        attacks=26,
    )
    for name, value in (("false", False), ("true", True), ("null", None), ("string", "false"), ("zero", 0)):
        refuse(f"b64-{name}", "b64 is refused whatever it holds.", "critical_header_unsupported", 27, b64=value)
    for name, value in (("def", "DEF"), ("null", None), ("empty", ""), ("other", "gzip"), ("false", False)):
        refuse(f"zip-{name}", "zip is refused whatever it holds.", "critical_header_unsupported", 28, zip=value)
    book.case(
        "names-have-case",
        "Header names have case: Crit, B64 and ZIP are unknown members.",
        token({"Crit": ["exp"], "B64": False, "ZIP": "DEF", "Enc": "x", "ALG": "none", "Typ": "at+jwt"}),
        accepted(),
        attacks=19,
    )
    # Classes 5 and 6: keys offered by the token
    stranger = keys.jwk("rsa2048-c", KID_A, alg="RS256")
    chain = [b64u(keys.spki("rsa2048-c", "DER")).replace("-", "+").replace("_", "/")]
    offered = {"jwk": stranger, "jku": "http://127.0.0.1:9/keys", "x5u": "http://127.0.0.1:9/chain.pem", "x5c": chain}
    for name, value in offered.items():
        book.case(
            f"{name}-stranger",
            f"A key offered by {name} is never used.",
            token({name: value}, key="rsa2048-c"),
            "signature_invalid",
            attacks=[5] if name in ("jwk", "x5c") else [6],
        )
        book.case(
            f"{name}-stranger-without-kid",
            f"A key offered by {name} does not stand in for a missing kid.",
            token({name: value, "kid": DROP}, key="rsa2048-c"),
            "key_not_found",
            attacks=[5] if name in ("jwk", "x5c") else [6],
        )
        book.case(
            f"{name}-ignored", f"{name} in a good token is ignored.", token({name: value}), accepted(), attacks=[5, 6]
        )
        for kind, odd in (("null", None), ("number", 5), ("array", [[]])):
            book.case(
                f"{name}-ignored-{kind}",
                f"{name} is ignored whatever it holds.",
                token({name: odd}),
                accepted(),
                attacks=[5, 6],
            )
    for kid in ("unknown", "Zzzzz"):
        book.case(
            f"jwk-with-kid-{kid.lower()}",
            "A key offered with a kid of its own is never used.",
            token({"jwk": keys.jwk("rsa2048-c", kid), "kid": kid}, key="rsa2048-c"),
            "key_not_found",
            attacks=5,
        )
    book.case("x5t-ignored", "Thumbprints are unknown members.", token({"x5t": "AAAA", "x5t#S256": 1}), accepted())
    book.case(
        "unknown-members",
        "Unknown header members are ignored.",
        token({"x": None, "y": {"z": [1, {"w": Raw("1e400")}]}, "p2c": 2000000000, "epk": {}}),
        accepted(),
        attacks=28,
    )
    book.case(
        "space-and-order",
        "The header's white space and order are the signer's affair.",
        sign(f' {{\r\n\t"typ" : "JWT" ,\n "alg" : "RS256" , "kid" : "{KID_A}" }}\n ', claims()),
        accepted(),
        attacks=15,
    )
    book.case(
        "escaped-values",
        "Escapes in values are resolved before they are compared.",
        sign('{"\\u0061lg":"\\u0052S256","k\\u0069d":"' + "".join(f"\\u{ord(c):04X}" for c in KID_A) + '"}', claims()),
        accepted(),
    )
    # oidc lists
    book.case(
        "oidc-default-list",
        "Without a list of its own a configured issuer has RS256 alone.",
        token({"alg": "PS256"}, {"iss": "https://id.example.com"}),
        "algorithm_not_allowed",
        provider=oidc(),
        attacks=3,
    )
    book.case(
        "oidc-default-list-rs256",
        "RS256 is the default of a configured issuer.",
        token(None, {"iss": "https://id.example.com"}),
        accepted(),
        provider=oidc(),
    )
    book.case(
        "oidc-list-without-rs256",
        "A list that leaves RS256 out refuses it.",
        token(None, {"iss": "https://id.example.com"}),
        "algorithm_not_allowed",
        provider=oidc("ES256", "PS256"),
    )
    book.case(
        "oidc-none",
        "No list lets an unsigned token in.",
        token({"alg": "none"}, {"iss": "https://id.example.com"}).rpartition(".")[0] + ".",
        "algorithm_not_allowed",
        provider=oidc("RS256", "ES256"),
        attacks=1,
    )
    return book
