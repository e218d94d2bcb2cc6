"""Two faults at once: the earlier step decides the code."""

from .. import keys
from ..build import APP, DROP, FAULT, KID_A, NOW, Book, half_hash, header, change, claims, refused, sign, usual_key_set

# Each fault, in the order of the steps: (name, code, changes). A change is a function on the parts of a case.
HEAD, BODY, CASE, AFTER = "head", "body", "case", "after"
FAULTS = [
    ("size", "token_too_large", BODY, {"filler": "x" * 13000}),
    ("form", "token_malformed", AFTER, lambda text: text + "="),
    ("header", "header_invalid", HEAD, {"cty": 1}),
    ("algorithm", "algorithm_not_allowed", HEAD, {"alg": "PS256"}),
    ("critical", "critical_header_unsupported", HEAD, {"crit": []}),
    ("claims", "claims_malformed", BODY, {"tid": 1}),
    ("issuer", "issuer_mismatch", BODY, {"iss": "https://id.example.com"}),
    ("key", "key_not_found", HEAD, {"kid": "unknown"}),
    ("signature", "signature_invalid", AFTER, lambda text: text[:-20] + "A" * 19 + text[-1]),
    ("kind", "not_an_identity_token", HEAD, {"typ": "at+jwt"}),
    ("audience", "audience_mismatch", BODY, {"aud": "com.example.other"}),
    ("party", "authorized_party_mismatch", BODY, {"azp": "com.example.evil"}),
    ("subject", "subject_missing", BODY, {"sub": DROP}),
    ("expired", "token_expired", BODY, {"exp": NOW - 100}),
    ("early", "token_not_yet_valid", BODY, {"nbf": NOW + 1000}),
    ("future", "issued_in_future", BODY, {"iat": NOW + 500}),
    ("age", "token_too_old", BODY, {"iat": NOW - 5000}),
    ("hash", "hash_mismatch", BODY, {"at_hash": "wrong"}),
    ("nonce", "nonce_mismatch", BODY, {"nonce": "wrong"}),
]


def book():
    book = Book(
        "order",
        "Order: of two faults the earlier one decides",
        apple=usual_key_set(),
        empty={"keys": []},
        unfit={"keys": [keys.jwk("rsa2048-a", KID_A, alg="RS512"), keys.jwk("rsa2048-b", "other")]},
        ambiguous={"keys": [keys.jwk("rsa2048-a", KID_A), keys.jwk("rsa2048-b", KID_A)]},
    )

    def make(faults, more=None):
        head, body, after = header(), claims(at_hash=half_hash("token")), []
        for _, _, kind, value in faults:
            if kind == HEAD:
                head = change(head, value)
            elif kind == BODY:
                body = change(body, value)
            else:
                after.append(value)
        text = sign(head, body, "rsa2048-a")
        for step in after[::-1]:  # what concerns the signature's octets first, then the form around them
            text = step(text)
        return text

    def rule(first, second):
        return f"{first} is found before {second}."

    for index, first in enumerate(FAULTS):
        book.case(first[0], f"One fault alone: {first[0]}.", make([first]), first[1], accessToken="token")
        for second in FAULTS[index + 1 :]:
            if {first[0], second[0]} == {"future", "age"}:
                continue  # a token cannot be too new and too old
            book.case(
                f"{first[0]}-{second[0]}",
                rule(first[0], second[0]),
                make([first, second]),
                first[1],
                accessToken="token",
            )
    by_name = {fault[0]: fault for fault in FAULTS}
    for key_set, expect in (
        ("empty", FAULT),
        ("unfit", refused("key_unusable")),
        ("ambiguous", refused("key_ambiguous")),
    ):
        for name in ("issuer", "claims", "critical"):
            book.case(
                f"{name}-{key_set}",
                f"{name} is found before the key is chosen.",
                make([by_name[name]]),
                by_name[name][1],
                keys=key_set,
                accessToken="token",
            )
        for name in ("signature", "kind", "audience", "expired", "nonce"):
            book.case(
                f"{key_set}-{name}",
                f"The key is chosen before {name} is looked at.",
                make([by_name[name]]),
                expect,
                keys=key_set,
                accessToken="token",
            )
    book.case(
        "future-iat-after-exp",
        "issued_in_future is found before iat after exp.",
        make([("", "", BODY, {"iat": NOW + 500, "exp": NOW + 400})]),
        "issued_in_future",
        accessToken="token",
    )
    book.case(
        "expired-iat-after-exp",
        "token_expired is found before iat after exp.",
        make([("", "", BODY, {"iat": NOW, "exp": NOW - 100})]),
        "token_expired",
        accessToken="token",
    )
    book.case(
        "iat-after-exp-age",
        "iat after exp is found before the age.",
        make([("", "", BODY, {"iat": NOW, "exp": NOW - 1})]),
        "claims_malformed",
        accessToken="token",
        provider={"name": "apple", "audiences": [APP], "maximumAge": 1, "leeway": 40},
        at=NOW + 38,
    )
    book.case(
        "hash-code",
        "at_hash is looked at before the nonce, and so is c_hash.",
        make([by_name["nonce"]]),
        "hash_mismatch",
        accessToken="token",
        code="code",
    )
    book.case(
        "hash-nonce-missing",
        "A hash is found before a missing nonce.",
        make([by_name["hash"], ("", "", BODY, {"nonce": DROP})]),
        "hash_mismatch",
        accessToken="token",
    )
    return book
