"""Choosing the key: kid, algorithm, ambiguity, keys that cannot be used."""

from .. import keys
from ..build import APP, DROP, FAULT, KID_A, KID_B, Book, accepted, token
from ..encoding import dump
from ..keys import jwk


def book():
    a, b = jwk("rsa2048-a", KID_A, alg="RS256"), jwk("rsa2048-b", KID_B, alg="RS256")
    sets = {
        "apple": [a, b],
        "turned": [b, a],
        "no_alg": [jwk("rsa2048-a", KID_A)],
        "no_use": [jwk("rsa2048-a", KID_A, use=None)],
        "same_kid": [jwk("rsa2048-a", "k1"), jwk("rsa2048-b", "k1")],
        "same_kid_turned": [jwk("rsa2048-b", "k1"), jwk("rsa2048-a", "k1")],
        "same_kid_three": [jwk("rsa2048-a", "k1"), jwk("rsa2048-b", "k1"), jwk("rsa2048-a", "k1")],
        "same_kid_other_alg": [
            jwk("rsa2048-a", "k1", alg="RS256"),
            jwk("rsa2048-b", "k1", alg="RS512"),
            jwk("p256-a", "k1"),
        ],
        "same_kid_ec": [jwk("p256-a", "k1"), jwk("rsa2048-a", "k1"), jwk("ed25519-a", "k1"), jwk("p384", "k1")],
        "same_kid_skipped": [jwk("rsa2048-b", "k1", use="enc"), jwk("rsa2048-a", "k1")],
        "same_kid_twice": [jwk("rsa2048-a", "k1"), jwk("rsa2048-a", "k1")],
        "same_material_two_kids": [jwk("rsa2048-a", "k1"), jwk("rsa2048-a", "k2")],
        "twice_other_alg": [jwk("rsa2048-a", "k1", alg="RS256"), jwk("rsa2048-a", "k1", alg="PS256")],
        "rs512": [jwk("rsa2048-a", KID_A, alg="RS512"), b],
        "ps256": [jwk("rsa2048-a", KID_A, alg="PS256"), b],
        "ec": [jwk("p256-a", KID_A), jwk("ed25519-a", KID_B)],
        "ec_beside": [jwk("p256-a", KID_A), b],
        "unicode": [jwk("rsa2048-a", "caf\u00e9"), jwk("rsa2048-b", "cafe\u0301"), jwk("rsa2048-c", "\u212a1")],
        "kelvin": [jwk("rsa2048-a", "K1"), jwk("rsa2048-b", "\u00c51")],
        "without_kid": [jwk("rsa2048-a")],
        "without_kid_two": [jwk("rsa2048-a"), jwk("rsa2048-b")],
        "without_kid_mixed": [jwk("rsa2048-a"), jwk("p256-a"), jwk("ed25519-a"), jwk("rsa2048-b", alg="PS256")],
        "without_kid_skipped": [jwk("rsa2048-a"), jwk("rsa2048-b", use="enc")],
        "only_ec": [jwk("p256-a", "k1"), jwk("p256-b", "k2")],
        "empty": [],
        "only_skipped": [jwk("rsa2048-a", KID_A, use="enc"), jwk("weak-rsa1024", "weak")],
        "after_rotation": [b, jwk("rsa2048-c", "Nw5xk")],
        "replaced": [jwk("rsa2048-c", KID_A, alg="RS256"), b],
    }
    book = Book(
        "keys", "Keys: choosing by kid and algorithm", **{name: {"keys": members} for name, members in sets.items()}
    )
    book.key_sets |= {
        "not_json": "<html><body>502 Bad Gateway</body></html>",
        "nothing": "",
        "null": "null",
        "array": dump([a]),
        "keys_null": '{"keys":null}',
        "no_keys": "{}",
        "cut": dump({"keys": [a, b]})[:-20],
        "key_alone": dump(a),
        "duplicate": '{"keys":[],"keys":' + dump([a]) + "}",
        "bom": "\ufeff" + dump({"keys": [a]}),
        "keys_object": dump({"keys": {KID_A: a}}),
        "trailing": dump({"keys": [a]}) + "x",
    }
    oidc = {
        "name": "oidc",
        "issuer": "https://id.example.com",
        "audiences": [APP],
        "algorithms": ["RS256", "PS256", "ES256", "ES384", "EdDSA"],
    }

    def case(name, rule, head, expect, keys, key="rsa2048-a", attacks=None, provider=None):
        body = {"iss": provider["issuer"]} if provider else {}
        more = {"provider": provider} if provider else {}
        starts = (("rotated", 51), ("replaced", 52), ("same-kid", 53), ("malformed", 55), ("empty-set", 55))
        attacks = attacks or next((attack for start, attack in starts if name.startswith(start)), None)
        book.case(name, rule, token(head, body, key=key), expect, keys=keys, attacks=attacks, **more)

    k1, k2 = {"kid": "k1"}, {"kid": "k2"}
    case("first", "The key that kid names, first in the set.", {}, accepted(), "apple")
    case("second", "The key that kid names, second in the set.", {"kid": KID_B}, accepted(), "apple", "rsa2048-b")
    case("turned", "The order of the set does not count.", {}, accepted(), "turned")
    case("no-alg", "A key without alg is for every algorithm of its type.", {}, accepted(), "no_alg")
    case("no-use", "A key without use is for signatures.", {}, accepted(), "no_use")
    case("named-other", "Another key of the set is not tried.", {"kid": KID_B}, "signature_invalid", "apple")
    # Not found
    for name in ("apple", "turned"):
        case(
            f"unknown-kid-{name}",
            "A kid that the set does not have; no other key is tried.",
            {"kid": "unknown"},
            "key_not_found",
            name,
            attacks=7,
        )
    case(
        "unknown-kid-single",
        "A kid that the set does not have; the only key is not tried.",
        {"kid": "unknown"},
        "key_not_found",
        "no_alg",
        attacks=7,
    )
    case("rotated-out", "A key that has left the set verifies nothing.", {}, "key_not_found", "after_rotation")
    case(
        "rotated-in",
        "A key that has come into the set verifies.",
        {"kid": "Nw5xk"},
        accepted(),
        "after_rotation",
        "rsa2048-c",
    )
    case("replaced", "A kid with new key material: old tokens do not verify.", {}, "signature_invalid", "replaced")
    case("replaced-new", "A kid with new key material: new tokens verify.", {}, accepted(), "replaced", "rsa2048-c")
    case(
        "no-kid-apple-single",
        "A named provider's token must name its key, even if there is only one.",
        {"kid": DROP},
        "key_not_found",
        "without_kid",
    )
    case(
        "no-kid-apple-named",
        "A named provider's token must name its key, even if there is only one.",
        {"kid": DROP},
        "key_not_found",
        "no_alg",
    )
    # Not usable
    case("alg-rs512", "The key is for RS512.", {}, "key_unusable", "rs512", attacks=3)
    case("alg-ps256", "The key is for PS256.", {}, "key_unusable", "ps256", attacks=3)
    case("alg-ps256-only", "The key is of another type.", {}, "key_unusable", "ec_beside", attacks=4)
    case("only-other-types", "The set has usable keys, none of this type.", {}, "key_unusable", "ec", attacks=4)
    case(
        "only-other-types-unknown-kid",
        "The set has usable keys, none of this type and none of this name.",
        {"kid": "x"},
        "key_not_found",
        "ec",
    )
    case(
        "skipped-alone",
        "The kid names a skipped member of a set without usable keys.",
        {},
        "key_unusable",
        "only_skipped",
    )
    case(
        "skipped-weak",
        "The kid names a weak key of a set without usable keys.",
        {"kid": "weak"},
        "key_unusable",
        "only_skipped",
        "weak-rsa1024",
        11,
    )
    case("skipped-other", "No usable key, and the kid names nothing.", {"kid": "other"}, FAULT, "only_skipped")
    # Ambiguous
    for name in ("same_kid", "same_kid_turned", "same_kid_three"):
        for key in ("rsa2048-a", "rsa2048-b"):
            case(
                f"{name.replace('_', '-')}-{key[-1]}",
                "Two keys of one name are ambiguous, whichever signed.",
                k1,
                "key_ambiguous",
                name,
                key,
            )
    case(
        "same-kid-other-alg",
        "Keys of one name for different algorithms are told apart.",
        k1,
        accepted(),
        "same_kid_other_alg",
    )
    case(
        "same-kid-other-alg-wrong",
        "Keys of one name: the one for this algorithm counts.",
        k1,
        "signature_invalid",
        "same_kid_other_alg",
        "rsa2048-b",
    )
    case("same-kid-ec", "Keys of one name and different types are told apart.", k1, accepted(), "same_kid_ec")
    case(
        "same-kid-es256",
        "Keys of one name and different types are told apart.",
        k1 | {"alg": "ES256"},
        accepted(),
        "same_kid_ec",
        "p256-a",
        provider=oidc,
    )
    case(
        "same-kid-es384",
        "Keys of one name and different curves are told apart.",
        k1 | {"alg": "ES384"},
        accepted(),
        "same_kid_ec",
        "p384",
        provider=oidc,
    )
    case(
        "same-kid-eddsa",
        "Keys of one name and different types are told apart.",
        k1 | {"alg": "EdDSA"},
        accepted(),
        "same_kid_ec",
        "ed25519-a",
        provider=oidc,
    )
    case("same-kid-skipped", "A skipped member of the same name does not count.", k1, accepted(), "same_kid_skipped")
    case(
        "same-kid-skipped-signed",
        "A skipped member of the same name verifies nothing.",
        k1,
        "signature_invalid",
        "same_kid_skipped",
        "rsa2048-b",
    )
    case("same-kid-twice", "The same key twice is one key.", k1, accepted(), "same_kid_twice")
    case("same-material-first", "The same key under two names.", k1, accepted(), "same_material_two_kids")
    case("same-material-second", "The same key under two names.", k2, accepted(), "same_material_two_kids")
    case(
        "twice-other-alg",
        "The same key again with another alg is a duplicate: the first counts.",
        k1,
        accepted(),
        "twice_other_alg",
    )
    # kid is text of code points: class 29
    case("unicode-nfc", "kid is compared by its bytes.", {"kid": "caf\u00e9"}, accepted(), "unicode", "rsa2048-a", 29)
    case("unicode-nfd", "kid is compared by its bytes.", {"kid": "cafe\u0301"}, accepted(), "unicode", "rsa2048-b", 29)
    case(
        "unicode-nfc-wrong",
        "Canonically equivalent names are different.",
        {"kid": "caf\u00e9"},
        "signature_invalid",
        "unicode",
        "rsa2048-b",
        29,
    )
    case("unicode-kelvin", "A kid with a Kelvin sign.", {"kid": "\u212a1"}, accepted(), "unicode", "rsa2048-c", 29)
    case(
        "unicode-k-for-kelvin", "K is not the Kelvin sign.", {"kid": "K1"}, "key_not_found", "unicode", "rsa2048-c", 29
    )
    case(
        "unicode-kelvin-for-k",
        "The Kelvin sign is not K.",
        {"kid": "\u212a1"},
        "key_not_found",
        "kelvin",
        "rsa2048-a",
        29,
    )
    case(
        "unicode-angstrom",
        "The Angstrom sign is not the letter.",
        {"kid": "\u212b1"},
        "key_not_found",
        "kelvin",
        "rsa2048-b",
        29,
    )
    case("case", "kid has case.", {"kid": "k1"}, "key_not_found", "kelvin", "rsa2048-a", 29)
    # Without kid, for a configured issuer
    none = {"kid": DROP}
    case("no-kid-one", "Without a kid the only candidate is taken.", none, accepted(), "without_kid", provider=oidc)
    case(
        "no-kid-one-wrong",
        "Without a kid the only candidate is taken, and must verify.",
        none,
        "signature_invalid",
        "without_kid",
        "rsa2048-b",
        provider=oidc,
    )
    case(
        "no-kid-one-named",
        "Without a kid the only candidate is taken, named or not.",
        none,
        accepted(),
        "no_alg",
        provider=oidc,
    )
    for key in ("rsa2048-a", "rsa2048-b"):
        case(
            f"no-kid-two-{key[-1]}",
            "Without a kid two candidates are ambiguous.",
            none,
            "key_ambiguous",
            "without_kid_two",
            key,
            provider=oidc,
        )
        case(
            f"no-kid-two-named-{key[-1]}",
            "Without a kid two named candidates are ambiguous.",
            none,
            "key_ambiguous",
            "apple",
            key,
            provider=oidc,
        )
    case(
        "no-kid-mixed-rs256",
        "Without a kid only a set of one key leaves no doubt: that the others are for other algorithms does not count.",
        none,
        "key_ambiguous",
        "without_kid_mixed",
        provider=oidc,
    )
    case(
        "no-kid-mixed-es256",
        "Without a kid the algorithm does not tell the keys apart.",
        {"kid": DROP, "alg": "ES256"},
        "key_ambiguous",
        "without_kid_mixed",
        "p256-a",
        provider=oidc,
    )
    case(
        "no-kid-mixed-eddsa",
        "Without a kid the algorithm does not tell the keys apart.",
        {"kid": DROP, "alg": "EdDSA"},
        "key_ambiguous",
        "without_kid_mixed",
        "ed25519-a",
        provider=oidc,
    )
    case(
        "no-kid-mixed-ps256",
        "A key without alg is a candidate for PS256 too.",
        {"kid": DROP, "alg": "PS256"},
        "key_ambiguous",
        "without_kid_mixed",
        "rsa2048-b",
        provider=oidc,
    )
    case(
        "no-kid-mixed-es384",
        "Without a kid and without a key that fits, among several.",
        {"kid": DROP, "alg": "ES384"},
        "key_ambiguous",
        "without_kid_mixed",
        "p384",
        provider=oidc,
    )
    case("no-kid-other-type", "Without a kid, several keys, none of the type.", none, "key_ambiguous", "only_ec", provider=oidc)
    case("no-kid-skipped", "A skipped member is no candidate.", none, accepted(), "without_kid_skipped", provider=oidc)
    case(
        "no-kid-skipped-signed",
        "A skipped member verifies nothing.",
        none,
        "signature_invalid",
        "without_kid_skipped",
        "rsa2048-b",
        provider=oidc,
    )
    case(
        "no-kid-same-material",
        "One key under two names is one candidate.",
        none,
        accepted(),
        "same_material_two_kids",
        provider=oidc,
    )
    case(
        "no-kid-same-material-twice",
        "One key twice is one candidate.",
        none,
        accepted(),
        "same_kid_twice",
        provider=oidc,
    )
    # No keys at all
    case("empty-set", "A set without keys.", {}, FAULT, "empty")
    case("empty-set-oidc", "A set without keys.", {}, FAULT, "empty", provider=oidc)
    for name in (
        "not_json",
        "nothing",
        "null",
        "array",
        "keys_null",
        "no_keys",
        "cut",
        "key_alone",
        "duplicate",
        "bom",
        "keys_object",
        "trailing",
    ):
        case(
            f"malformed-{name.replace('_', '-')}",
            "A text that is not a key set is a fault of the keys, not of the token.",
            {},
            FAULT,
            name,
        )
        case(
            f"malformed-{name.replace('_', '-')}-bad-token",
            "A token that is bad by itself is refused whatever the keys are.",
            {"alg": "none"},
            "algorithm_not_allowed",
            name,
        )
    case(
        "empty-set-bad-token",
        "A token that is bad by itself is refused whatever the keys are.",
        {"crit": []},
        "critical_header_unsupported",
        "empty",
    )
    book.case(
        "empty-set-wrong-issuer",
        "A wrong issuer is refused whatever the keys are.",
        token(None, {"iss": "https://id.example.com"}),
        "issuer_mismatch",
        keys="empty",
    )
    book.case(
        "empty-set-malformed-claims",
        "Malformed claims are refused whatever the keys are.",
        token(None, {"exp": None}),
        "claims_malformed",
        keys="empty",
    )
    book.case(
        "empty-set-expired",
        "Without keys nothing can be said about an expired token.",
        token(),
        FAULT,
        keys="empty",
        at=1890000000,
    )
    return book
