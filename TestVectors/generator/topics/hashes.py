"""at_hash and c_hash, under every algorithm."""

import hashlib

from .. import crypto, keys
from ..build import APP, DROP, Book, accepted, claims, half_hash, sign, token, usual_key_set
from ..encoding import b64u, loosen
from .signatures import ALL, key_of


def book():
    names = sorted({key_of(algorithm) for algorithm in ALL})
    book = Book(
        "hashes",
        "Hashes: at_hash and c_hash",
        apple=usual_key_set(),
        all={"keys": [keys.jwk(name, name) for name in names]},
    )
    oidc = {"name": "oidc", "issuer": "https://id.example.com", "audiences": [APP], "algorithms": ALL}
    access, code = "a9b3.access-token", "c4.authorization.code"
    for claim, field, value, other in (("at_hash", "accessToken", access, code), ("c_hash", "code", code, access)):
        slug = claim.replace("_", "-")

        def case(name, rule, body, expect, **more):
            book.case(f"{slug}-{name}", rule, token(None, body), expect, attacks=40, **more)

        good = half_hash(value)
        case("good", f"{claim} is the left half of the hash.", {claim: good}, accepted(), **{field: value})
        case("missing", f"{claim} must be there when the value is given.", {}, "hash_mismatch", **{field: value})
        case("not-asked", f"{claim} is not looked at when the value is not given.", {claim: good}, accepted())
        case(
            "not-asked-wrong",
            f"A wrong {claim} is not looked at when the value is not given.",
            {claim: "wrong"},
            accepted(),
        )
        case(
            "not-asked-empty",
            f"An empty {claim} is not looked at when the value is not given.",
            {claim: ""},
            accepted(),
        )
        case("null", f"{claim} must be a string when it is there.", {claim: None}, "claims_malformed", **{field: value})
        digest = hashlib.sha256(value.encode()).digest()
        wrong = {
            "empty": "",
            "whole": b64u(digest),
            "right-half": b64u(digest[16:]),
            "hex": digest[:16].hex(),
            "hex-whole": digest.hex(),
            "padded": good + "==",
            "loose": loosen(good),
            "upper": good.upper(),
            "short": good[:-1],
            "prefix": good[:10],
            "longer": good + "A",
            "sha384": half_hash(value, "sha384"),
            "sha512": half_hash(value, "sha512"),
            "sha1": half_hash(value, "sha1"),
            "of-other-value": half_hash(other),
            "of-empty": half_hash(""),
            "value-itself": value,
            "space": " " + good,
            "first-15": b64u(digest[:15]),
            "first-17": b64u(digest[:17]),
            "double": half_hash(good),
        }
        for name, text in wrong.items():
            case(
                f"wrong-{name}",
                f"{claim} must be exactly the unpadded base64url of the left half.",
                {claim: text},
                "hash_mismatch",
                **{field: value},
            )
        standard = next(v for v in (f"{value}{n}" for n in range(1000)) if set("-_") & set(half_hash(v)))
        case(
            "url-alphabet",
            f"{claim} is in the alphabet for URLs.",
            {claim: half_hash(standard)},
            accepted(),
            **{field: standard},
        )
        case(
            "standard-alphabet",
            f"{claim} in the standard alphabet.",
            {claim: half_hash(standard).replace("-", "+").replace("_", "/")},
            "hash_mismatch",
            **{field: standard},
        )
        case(
            "other-claim",
            f"The other claim does not stand in for {claim}.",
            {"c_hash" if claim == "at_hash" else "at_hash": good},
            "hash_mismatch",
            **{field: value},
        )
        case(
            "exchanged",
            "Another value than the token was made for.",
            {claim: good},
            "hash_mismatch",
            **{field: value + "x"},
        )
        case("case-of-value", "The value has case.", {claim: good}, "hash_mismatch", **{field: value.upper()})
        case("long-value", "A long value.", {claim: half_hash(value * 100)}, accepted(), **{field: value * 100})
        for algorithm in ALL:
            hashes = {"sha256", "sha384", "sha512"}
            right = crypto.hash_name(algorithm)
            for name in sorted(hashes):
                text = sign(
                    {"alg": algorithm, "kid": key_of(algorithm)},
                    claims(iss=oidc["issuer"], **{claim: half_hash(value, name)}),
                    key_of(algorithm),
                )
                book.case(
                    f"{slug}-{algorithm.lower()}-{name}",
                    f"The hash of {claim} goes by the token's algorithm: {right} for {algorithm}.",
                    text,
                    accepted() if name == right else "hash_mismatch",
                    provider=oidc,
                    keys="all",
                    attacks=40,
                    **{field: value},
                )
    both = {"at_hash": half_hash(access), "c_hash": half_hash(code)}
    for name, rule, body, more, expect in (
        ("both", "Both values and both hashes.", both, {"accessToken": access, "code": code}, accepted()),
        (
            "both-swapped",
            "The two hashes are exchanged.",
            {"at_hash": both["c_hash"], "c_hash": both["at_hash"]},
            {"accessToken": access, "code": code},
            "hash_mismatch",
        ),
        (
            "both-one-wrong",
            "The second hash is wrong.",
            both | {"c_hash": both["at_hash"]},
            {"accessToken": access, "code": code},
            "hash_mismatch",
        ),
        (
            "both-one-missing",
            "The second hash is missing.",
            both | {"c_hash": DROP},
            {"accessToken": access, "code": code},
            "hash_mismatch",
        ),
        (
            "both-first-missing",
            "The first hash is missing.",
            both | {"at_hash": DROP},
            {"accessToken": access, "code": code},
            "hash_mismatch",
        ),
        (
            "both-one-asked",
            "Only the value that is given counts.",
            both | {"c_hash": "wrong"},
            {"accessToken": access},
            accepted(),
        ),
    ):
        book.case(name, rule, token(None, body), expect, attacks=40, **more)
    return book
