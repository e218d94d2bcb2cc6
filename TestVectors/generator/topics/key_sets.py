"""Key sets with bad members: what is skipped and why, and that a good key beside still works."""

import hashlib

from .. import crypto, keys
from ..build import FAULT, KID_A, Book, accepted, claims, header, sign, token
from ..encoding import Raw, b64u, dump, loosen, uint, unb64u
from ..keys import jwk
from .json_text import faults

BAD = "bad1"


def drop(members, *names):
    return {name: value for name, value in members.items() if name not in names}


def invented_modulus(bits):
    """An odd number of so many bits that nobody can factor or needs to."""
    octets = crypto.mgf1("sha256", f"postern vectors: modulus of {bits} bits".encode(), (bits + 7) // 8)
    value = int.from_bytes(octets, "big") & ((1 << bits) - 1) | (1 << (bits - 1)) | 1
    # A number with a small factor is no modulus that anybody would believe.
    while any(value % factor == 0 for factor in range(3, 1000, 2)):
        value += 2
    return value


def invented_points(count):
    """P-256 keys in a row; each is the one before plus the base point."""
    curve = crypto.CURVES["P-256"]
    point = curve.multiply(int.from_bytes(hashlib.sha256(b"postern vectors: points").digest(), "big") % curve.n)
    for number in range(count):
        yield {
            "kty": "EC",
            "crv": "P-256",
            "x": uint(point[0], 32),
            "y": uint(point[1], 32),
            "kid": f"p{number}",
            "use": "sig",
        }
        point = curve.add(point, curve.g)


def small_x_key():
    """A P-256 point whose x is so small that x plus the prime still fits 32 octets."""
    curve = crypto.CURVES["P-256"]
    for x in range(1, 100):
        square = (x**3 - 3 * x + curve.b) % curve.p
        y = pow(square, (curve.p + 1) // 4, curve.p)
        if y * y % curve.p == square:
            return x, y


def book():
    good = jwk("rsa2048-a", KID_A, alg="RS256")
    book = Book("key-sets", "Key sets: members that are skipped, sets that are malformed")
    rsa, p256, p384, p521, ed = (jwk(name, BAD) for name in ("rsa2048-b", "p256-a", "p384", "p521", "ed25519-a"))
    plain = token()
    made = {
        name: token({"kid": BAD}, key=name)
        for name in ("rsa2048-b", "weak-rsa512", "weak-rsa1024", "weak-rsa2040", "weak-exponent3", "weak-roca")
    }

    def bad(reason, name, rule, member, attacks=None, signer="rsa2048-b"):
        """A set of a bad member and a good one: the count, a good token, and a token that the bad key signed."""
        name = f"{reason.replace('_', '-')}-{name}"
        book.key_set_case(
            name,
            rule,
            {"keys": [member, good]} if not isinstance(member, Raw) else f'{{"keys":[{member},{dump(good)}]}}',
            {"usable": 1, "skipped": {reason: 1}},
            attacks,
        )
        book.case(
            f"{name}-good-beside",
            "A good key beside a bad member still verifies.",
            plain,
            accepted(),
            keys=name,
            attacks=attacks,
        )
        if isinstance(member, dict) and isinstance(member.get("kid"), str) and 1 <= len(member["kid"].encode()) <= 128:
            text = made[signer] if member["kid"] == BAD else token({"kid": member["kid"]}, key=signer)
            book.case(
                f"{name}-named",
                "A kid that names a skipped member verifies nothing.",
                text,
                "key_unusable",
                keys=name,
                attacks=attacks,
            )

    # not_an_object
    for name, value in (
        ("null", None),
        ("string", "key"),
        ("number", 1),
        ("array", [good]),
        ("true", True),
        ("text-of-a-key", dump(good)),
    ):
        bad("not_an_object", name, "A member that is no object is skipped.", value)
    # malformed
    bad("malformed", "empty", "A member without anything is skipped.", {})
    for name, value in (("null", None), ("number", 1), ("array", ["RSA"]), ("object", {})):
        bad("malformed", f"kty-{name}", "kty must be a string.", rsa | {"kty": value})
    bad("malformed", "kty-missing", "kty must be there.", drop(rsa, "kty"))
    for base, name, members in ((rsa, "rsa", "ne"), (p256, "ec", "xy"), (ed, "okp", "x")):
        for member in members:
            bad("malformed", f"{name}-{member}-missing", f"{member} must be there.", drop(base, member))
            for kind, value in (("null", None), ("number", 65537), ("array", [base[member]]), ("object", {})):
                bad("malformed", f"{name}-{member}-{kind}", f"{member} must be a string.", base | {member: value})
            text = base[member]
            forms = {
                "padded": text + "=" * (-len(text) % 4 or 4),
                "space": text + " ",
                "newline": text[:3] + "\n" + text[3:],
                "standard-alphabet": text[:-3] + "+/" + text[-1:],
                "hex": unb64u(text).hex() + "!",
                "length-1": text + "A" * ((1 - len(text)) % 4 or 4),
            }
            if len(text) % 4:
                forms["loose"] = loosen(text)
            for kind, value in forms.items():
                if len(value) % 4 != 1 and kind == "length-1":
                    continue
                bad(
                    "malformed",
                    f"{name}-{member}-{kind}",
                    f"{member} must be canonical base64url.",
                    base | {member: value},
                    16,
                )
    for base, name in ((p256, "ec"), (ed, "okp")):
        bad("malformed", f"{name}-crv-missing", "crv must be there.", drop(base, "crv"), 14)
        for kind, value in (
            ("null", None),
            ("number", 256),
            ("array", ["P-256"]),
            ("object", {"p": "AQ", "a": "Ag", "b": "Aw"}),
        ):
            bad(
                "malformed",
                f"{name}-crv-{kind}",
                "crv must be a string; a curve cannot be described.",
                base | {"crv": value},
                14,
            )
    for name, value in (
        ("null", None),
        ("number", 1),
        ("array", [BAD]),
        ("empty", ""),
        ("129-bytes", "k" * 129),
        ("130-bytes-letters", "é" * 65),
    ):
        bad("malformed", f"kid-{name}", "kid must be a string of 1 to 128 bytes.", rsa | {"kid": value}, 7)
    for member in ("use", "alg"):
        for kind, value in (
            ("null", None),
            ("number", 1),
            ("array", ["sig"] if member == "use" else ["RS256"]),
            ("object", {}),
            ("true", True),
        ):
            bad("malformed", f"{member}-{kind}", f"{member} must be a string.", rsa | {member: value})
    for name, value in (
        ("null", None),
        ("string", "verify"),
        ("object", {"verify": True}),
        ("number-inside", ["verify", 1]),
        ("null-inside", [None, "verify"]),
    ):
        bad("malformed", f"key-ops-{name}", "key_ops must be an array of strings.", rsa | {"key_ops": value})
    bad("malformed", "rsa-crv-number", "crv must be a string, even where it has no meaning.", rsa | {"crv": 1})
    # unsupported_kty
    for name, value in (
        ("akp", "AKP"),
        ("lower", "rsa"),
        ("upper", "OCT"),
        ("mixed", "Ec"),
        ("empty", ""),
        ("space", "RSA "),
        ("pem", "X509"),
        ("nul", "RSA\u0000"),
    ):
        bad("unsupported_kty", name, "kty is RSA, EC, OKP or oct, byte for byte.", rsa | {"kty": value}, 54)
    bad(
        "unsupported_kty",
        "without-material",
        "An unknown type is not asked for more.",
        {"kty": "AKP", "kid": BAD, "alg": "ML-DSA-44", "pub": "AAAA"},
        54,
    )
    # symmetric
    bad(
        "symmetric",
        "oct",
        "A symmetric key has no place in a set.",
        {"kty": "oct", "kid": BAD, "k": b64u(b"k" * 32)},
        [2, 54],
    )
    bad(
        "symmetric",
        "oct-hs256",
        "A symmetric key has no place in a set.",
        {"kty": "oct", "kid": BAD, "use": "sig", "alg": "HS256", "k": b64u(b"k" * 32)},
        [2, 54],
    )
    hmac = sign(header(alg="HS256", kid=BAD), claims(), b"k" * 32, "HS256")
    book.case(
        "symmetric-oct-hs256-signed",
        "A token signed with a symmetric key of the set is refused.",
        hmac,
        "algorithm_not_allowed",
        keys="symmetric-oct-hs256",
        attacks=[2, 54],
    )
    # private
    for member, value in (
        ("d", uint(12345)),
        ("p", uint(7)),
        ("q", uint(11)),
        ("dp", uint(3)),
        ("dq", uint(3)),
        ("qi", uint(3)),
        ("oth", []),
        ("k", b64u(b"k")),
    ):
        bad("private", f"rsa-{member}", "A key with a private member is skipped.", rsa | {member: value}, 54)
    bad("private", "ec-d", "A key with a private member is skipped.", p256 | {"d": uint(5, 32)}, 54)
    bad("private", "okp-d", "A key with a private member is skipped.", ed | {"d": b64u(bytes(32))}, 54)
    bad("private", "null", "A private member counts whatever it holds.", rsa | {"d": None}, 54)
    bad("private", "encryption", "A private key for encryption is private first.", rsa | {"d": "AQ", "use": "enc"}, 54)
    # unsupported_crv
    for name, value in (
        ("secp256k1", "secp256k1"),
        ("p-192", "P-192"),
        ("p-224", "P-224"),
        ("lower", "p-256"),
        ("no-dash", "P256"),
        ("openssl", "prime256v1"),
        ("empty", ""),
        ("ed25519", "Ed25519"),
    ):
        bad(
            "unsupported_crv",
            f"ec-{name}",
            "A curve without a signature algorithm here.",
            p256 | {"crv": value},
            [10, 14],
        )
    for name, value in (
        ("ed448", "Ed448"),
        ("x25519", "X25519"),
        ("lower", "ed25519"),
        ("p-256", "P-256"),
        ("empty", ""),
    ):
        bad(
            "unsupported_crv",
            f"okp-{name}",
            "A curve without a signature algorithm here.",
            ed | {"crv": value},
            [10, 14],
        )
    # use, key_ops, algorithm
    for name, value in (
        ("enc", "enc"),
        ("upper", "SIG"),
        ("title", "Sig"),
        ("empty", ""),
        ("space", "sig "),
        ("long", "signature"),
        ("both", "sig enc"),
    ):
        bad("use", name, "use is sig or absent.", rsa | {"use": value}, 54)
    bad(
        "use",
        "enc-with-algorithm",
        "A key for encryption is skipped for its use first.",
        rsa | {"use": "enc", "alg": "RSA-OAEP-256"},
        54,
    )
    for name, value in (
        ("empty", []),
        ("sign", ["sign"]),
        ("encrypt", ["encrypt", "wrapKey"]),
        ("upper", ["VERIFY"]),
        ("derive", ["deriveKey", "deriveBits"]),
        ("space", ["verify "]),
    ):
        bad("key_ops", name, "key_ops holds verify or is absent.", rsa | {"key_ops": value}, 54)
    for name, base, value in (
        ("oaep", rsa, "RSA-OAEP"),
        ("lower", rsa, "rs256"),
        ("hs256", rsa, "HS256"),
        ("none", rsa, "none"),
        ("empty", rsa, ""),
        ("es256-on-rsa", rsa, "ES256"),
        ("eddsa-on-rsa", rsa, "EdDSA"),
        ("rs256-on-ec", p256, "RS256"),
        ("es384-on-p-256", p256, "ES384"),
        ("es256-on-p-384", p384, "ES256"),
        ("es256-on-p-521", p521, "ES256"),
        ("es521", p521, "ES521"),
        ("ecdh", p256, "ECDH-ES"),
        ("es256-on-okp", ed, "ES256"),
        ("ed25519-name", ed, "Ed25519"),
        ("rs1", rsa, "RS1"),
        ("space", rsa, "RS256 "),
    ):
        bad("algorithm", name, "alg is a signature algorithm that fits the key, or absent.", base | {"alg": value}, 4)
    # weak
    for name in ("weak-rsa512", "weak-rsa1024", "weak-rsa2040"):
        bad("weak", name[5:], "An RSA key of less than 2048 bits is skipped.", jwk(name, BAD), 11, name)
    bad("weak", "rsa2047", "2047 bits are less than 2048.", rsa | {"n": uint(invented_modulus(2047))}, 11)
    bad("weak", "rsa8193", "8193 bits are more than 8192.", rsa | {"n": uint(invented_modulus(8193))}, 11)
    bad("weak", "rsa16384", "16384 bits are more than 8192.", rsa | {"n": uint(invented_modulus(16384))}, 11)
    bad("weak", "roca", "A modulus of the flawed shape called ROCA.", jwk("weak-roca", BAD), 11, "weak-roca")
    bad("weak", "one", "The number one as a modulus.", rsa | {"n": "AQ"}, 11)
    bad(
        "weak",
        "rsa1024-exponent-3",
        "A weak modulus is weak before its exponent is invalid.",
        jwk("weak-rsa1024", BAD) | {"e": "Aw"},
        11,
        "weak-rsa1024",
    )
    # invalid
    n = unb64u(rsa["n"])
    for name, value in (
        ("zero", "AA"),
        ("one", "AQ"),
        ("two", "Ag"),
        ("three", "Aw"),
        ("seventeen", "EQ"),
        ("65535", uint(65535)),
        ("65536", uint(65536)),
        ("65538", uint(65538)),
        ("2-32", uint(2**32)),
        ("2-32-plus-1", uint(2**32 + 1)),
        ("2-64-plus-1", uint(2**64 + 65537)),
        ("as-large-as-modulus", rsa["n"]),
        ("leading-zero", b64u(b"\x00\x01\x00\x01")),
    ):
        bad(
            "invalid",
            f"exponent-{name}",
            "An exponent is odd, at least 65537, below 2^32 and in shortest form.",
            rsa | {"e": value},
            11,
        )
    bad(
        "invalid",
        "exponent-three-key",
        "A true key with the exponent 3.",
        jwk("weak-exponent3", BAD),
        11,
        "weak-exponent3",
    )
    bad("invalid", "modulus-leading-zero", "A modulus is in shortest form.", rsa | {"n": b64u(b"\x00" + n)}, 11)
    bad(
        "invalid", "modulus-two-leading-zeros", "A modulus is in shortest form.", rsa | {"n": b64u(b"\x00\x00" + n)}, 11
    )
    bad("invalid", "modulus-even", "A modulus is odd.", rsa | {"n": b64u(n[:-1] + bytes([n[-1] ^ 1]))}, 11)
    # With an exponent of one the padded block is its own signature: nobody needs the private key.
    forged_head = token({"kid": BAD}).rpartition(".")[0]
    block = crypto.pkcs1_block(256, crypto.DIGEST_INFO["sha256"] + crypto.digest("sha256", forged_head.encode()))
    book.case(
        "invalid-exponent-one-forged",
        "The padded block as a signature under an exponent of one.",
        forged_head + "." + b64u(block),
        "key_unusable",
        keys="invalid-exponent-one",
        attacks=[11, 12],
    )
    for base, width in ((p256, 32), (p384, 48), (p521, 66)):
        name = base["crv"].lower()
        curve = crypto.CURVES[base["crv"]]
        x, y = unb64u(base["x"]), unb64u(base["y"])
        for kind, change in {
            "x-short": {"x": b64u(x[1:])},
            "x-long": {"x": b64u(b"\x00" + x)},
            "y-long": {"y": b64u(b"\x00" + y)},
            "y-short": {"y": b64u(y[:-1])},
            "both-long": {"x": b64u(b"\x00" + x), "y": b64u(b"\x00" + y)},
            "y-other": {"y": b64u(y[:-1] + bytes([y[-1] ^ 1]))},
            "zeros": {"x": b64u(bytes(width)), "y": b64u(bytes(width))},
            "empty": {"x": "", "y": ""},
            "infinity": {"x": "AA", "y": "AA"},
            "swapped": {"x": base["y"], "y": base["x"]},
            "ones": {"x": b64u(b"\xff" * width), "y": b64u(b"\xff" * width)},
        }.items():
            bad(
                "invalid",
                f"{name}-{kind}",
                "Coordinates have the exact width and are a point of the curve.",
                base | change,
                10,
            )
    bad("invalid", "p-256-of-p-384", "A point of another curve.", p384 | {"crv": "P-256"}, 10)
    bad("invalid", "p-384-of-p-256", "A point of another curve.", p256 | {"crv": "P-384"}, 10)
    x, y = small_x_key()
    bad(
        "invalid",
        "p-256-x-beyond-prime",
        "A coordinate is below the prime, not only congruent.",
        p256 | {"x": uint(x + crypto.CURVES["P-256"].p, 32), "y": uint(y, 32)},
        10,
    )
    book.key_set_case(
        "small-x",
        "The same point with its coordinate below the prime.",
        {"keys": [p256 | {"x": uint(x, 32), "y": uint(y, 32)}]},
        {"usable": 1, "skipped": {}},
        10,
    )
    x = int.from_bytes(unb64u(p521["x"]), "big") + crypto.CURVES["P-521"].p
    bad(
        "invalid",
        "p-521-x-beyond-prime",
        "A coordinate is below the prime, not only congruent.",
        p521 | {"x": uint(x, 66)},
        10,
    )
    for length in (0, 31, 33, 64):
        bad(
            "invalid",
            f"ed25519-{length}-octets",
            "A key of Ed25519 has 32 octets.",
            ed | {"x": b64u((unb64u(ed["x"]) * 2)[:length])},
            10,
        )
    # duplicate
    book.key_set_case(
        "duplicate-twice",
        "The same key twice is counted once.",
        {"keys": [good, good]},
        {"usable": 1, "skipped": {"duplicate": 1}},
    )
    book.case(
        "duplicate-twice-verifies", "The first of two equal keys verifies.", plain, accepted(), keys="duplicate-twice"
    )
    book.key_set_case(
        "duplicate-many",
        "The same key five times is counted once.",
        {"keys": [good] * 5},
        {"usable": 1, "skipped": {"duplicate": 4}},
    )
    book.key_set_case(
        "duplicate-without-kid",
        "The same key twice without kid.",
        {"keys": [drop(good, "kid"), drop(good, "kid")]},
        {"usable": 1, "skipped": {"duplicate": 1}},
    )
    book.key_set_case(
        "duplicate-other-members",
        "The same kid and material with members that do not matter.",
        {"keys": [good, good | {"x5t": "AAAA"}]},
        {"usable": 1, "skipped": {"duplicate": 1}},
    )
    book.key_set_case(
        "same-material-other-alg",
        "The same kid and material for another algorithm is another key.",
        {"keys": [good, good | {"alg": "RS512"}]},
        {"usable": 2, "skipped": {}},
    )
    book.key_set_case(
        "duplicate-of-skipped",
        "A skipped member makes no duplicate.",
        {"keys": [good | {"use": "enc"}, good]},
        {"usable": 1, "skipped": {"use": 1}},
    )
    book.case(
        "duplicate-of-skipped-verifies",
        "A skipped member of the same name and material takes nothing away.",
        plain,
        accepted(),
        keys="duplicate-of-skipped",
    )
    book.key_set_case(
        "duplicate-not-other-kid",
        "The same material under another kid is another key.",
        {"keys": [good, good | {"kid": "other"}, drop(good, "kid")]},
        {"usable": 3, "skipped": {}},
    )
    book.key_set_case(
        "duplicate-not-other-material",
        "Other material under the same kid is another key.",
        {"keys": [good, rsa | {"kid": KID_A}, p256 | {"kid": KID_A}]},
        {"usable": 3, "skipped": {}},
        [],
    )
    book.key_set_case(
        "duplicate-not-other-exponent",
        "Another exponent is other material.",
        {"keys": [rsa, rsa | {"e": uint(65539)}]},
        {"usable": 2, "skipped": {}},
    )
    book.key_set_case(
        "duplicate-not-equivalent-kid",
        "Canonically equivalent names are different names.",
        {"keys": [rsa | {"kid": "caf\u00e9"}, rsa | {"kid": "cafe\u0301"}]},
        {"usable": 2, "skipped": {}},
        29,
    )
    # too_many
    points = list(invented_points(66))
    book.key_set_case(
        "too-many-64", "64 usable keys are the most.", {"keys": points[:63] + [good]}, {"usable": 64, "skipped": {}}
    )
    book.case("too-many-64-last", "The last of 64 keys verifies.", plain, accepted(), keys="too-many-64")
    book.key_set_case(
        "too-many-65",
        "The 65th usable key is skipped.",
        {"keys": points[:64] + [good]},
        {"usable": 64, "skipped": {"too_many": 1}},
    )
    book.case("too-many-65-last", "The 65th key verifies nothing.", plain, "key_unusable", keys="too-many-65")
    book.key_set_case(
        "too-many-66",
        "All usable keys beyond 64 are skipped.",
        {"keys": [good] + points},
        {"usable": 64, "skipped": {"too_many": 3}},
    )
    book.case("too-many-66-first", "The first of 67 keys verifies.", plain, accepted(), keys="too-many-66")
    book.key_set_case(
        "too-many-skipped-not-counted",
        "Skipped members do not count towards the 64.",
        {"keys": [jwk("weak-rsa512", f"w{i}") for i in range(70)] + points[:63] + [points[0], good]},
        {"usable": 64, "skipped": {"weak": 70, "duplicate": 1}},
    )
    book.case(
        "too-many-skipped-not-counted-last",
        "The 64th usable key verifies, however many were skipped.",
        plain,
        accepted(),
        keys="too-many-skipped-not-counted",
    )
    # Good members of all kinds
    fine = {
        "rsa2048": jwk("rsa2048-a", "k"),
        "rsa3072": jwk("rsa3072", "k"),
        "rsa4096": jwk("rsa4096", "k"),
        "rsa8192": rsa | {"n": uint(invented_modulus(8192))},
        "rsa2049": rsa | {"n": uint(invented_modulus(2049))},
        "exponent-65539": rsa | {"e": uint(65539)},
        "exponent-largest": rsa | {"e": uint(2**32 - 1)},
        "p256": p256,
        "p384": p384,
        "p521": p521,
        "ed25519": ed,
        "no-use": drop(rsa, "use"),
        "no-kid": drop(rsa, "kid"),
        "kid-128": rsa | {"kid": "k" * 128},
        "kid-128-letters": rsa | {"kid": "é" * 64},
        "kid-1": rsa | {"kid": "k"},
        "key-ops": rsa | {"key_ops": ["verify"]},
        "key-ops-several": rsa | {"key_ops": ["sign", "verify", "x"]},
        "key-ops-twice": rsa | {"key_ops": ["verify", "verify"]},
        "unknown-members": rsa
        | {"x5c": [1], "x5t": None, "ext": True, "exp": "never", "iss": 5, "iat": Raw("1e309"), "D": "x"},
        "crv-on-rsa": rsa | {"crv": "P-256"},
        "x-on-rsa": rsa | {"x": 1, "y": None},
        "n-on-ec": p256 | {"n": 1, "e": None},
        "y-on-okp": ed | {"y": None},
    }
    for algorithm in ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"):
        fine[f"alg-{algorithm.lower()}"] = rsa | {"alg": algorithm}
    fine |= {
        "alg-es256": p256 | {"alg": "ES256"},
        "alg-es384": p384 | {"alg": "ES384"},
        "alg-es512": p521 | {"alg": "ES512"},
        "alg-eddsa": ed | {"alg": "EdDSA"},
    }
    for name, member in fine.items():
        value = f'{{"keys":[{dump(member)}]}}' if name == "unknown-members" else {"keys": [member]}
        book.key_set_case(f"good-{name}", "A key that is good as it is.", value, {"usable": 1, "skipped": {}})
    for name, value in {"number": 5, "null": None, "array": ["x"]}.items():
        book.key_set_case(
            f"issuer-{name}",
            "An issuer that is no string is malformed: it must not stand for none.",
            {"keys": [good | {"issuer": value}]},
            {"usable": 0, "skipped": {"malformed": 1}},
        )
    book.key_set_case(
        "same-material-other-issuer",
        "The same key of another issuer is another key.",
        {"keys": [good, good | {"issuer": "https://other.example.com"}]},
        {"usable": 2, "skipped": {}},
    )
    key_ops = {"keys": [good | {"key_ops": ["verify"]}]}
    book.key_sets["key_ops"] = key_ops
    book.case("good-key-ops-verifies", "A key whose key_ops holds verify verifies.", plain, accepted(), keys="key_ops")
    # One of each
    zoo = [
        None,
        {},
        {"kty": "AKP"},
        {"kty": "oct", "k": "AA"},
        rsa | {"d": "AQ"},
        p256 | {"crv": "P-192"},
        rsa | {"use": "enc"},
        rsa | {"key_ops": []},
        rsa | {"alg": "RSA-OAEP"},
        jwk("weak-rsa1024", "w"),
        rsa | {"e": "Aw"},
        good,
        good,
    ]
    book.key_set_case(
        "one-of-each",
        "A bad member of each kind; the good key is usable.",
        {"keys": zoo},
        {
            "usable": 1,
            "skipped": {
                "not_an_object": 1,
                "malformed": 1,
                "unsupported_kty": 1,
                "symmetric": 1,
                "private": 1,
                "unsupported_crv": 1,
                "use": 1,
                "key_ops": 1,
                "algorithm": 1,
                "weak": 1,
                "invalid": 1,
                "duplicate": 1,
            },
        },
        54,
    )
    book.case(
        "one-of-each-verifies",
        "The good key among bad members of each kind verifies.",
        plain,
        accepted(),
        keys="one-of-each",
        attacks=54,
    )
    book.key_set_case(
        "only-bad",
        "A set of bad members alone is a set without keys.",
        {"keys": zoo[:11]},
        {
            "usable": 0,
            "skipped": {
                "not_an_object": 1,
                "malformed": 1,
                "unsupported_kty": 1,
                "symmetric": 1,
                "private": 1,
                "unsupported_crv": 1,
                "use": 1,
                "key_ops": 1,
                "algorithm": 1,
                "weak": 1,
                "invalid": 1,
            },
        },
    )
    book.case("only-bad-fault", "A set of bad members alone is a fault of the keys.", plain, FAULT, keys="only-bad")
    # The set as a whole
    book.key_set_case(
        "set-empty", "A set without members is no malformed set.", {"keys": []}, {"usable": 0, "skipped": {}}
    )
    book.case("set-empty-fault", "A set without members is a fault of the keys.", plain, FAULT, keys="set-empty")
    book.key_set_case(
        "set-unknown-members",
        "Unknown members of a set are ignored.",
        {"issuer": "x", "keys": [good], "next": None},
        {"usable": 1, "skipped": {}},
    )
    book.key_set_case(
        "set-white-space",
        "White space does not count.",
        " \r\n\t" + dump({"keys": [good]}).replace(":", " :\n").replace(",", "\t, ") + "\n",
        {"usable": 1, "skipped": {}},
    )
    book.key_set_case(
        "set-escaped",
        "Escapes are resolved.",
        dump({"keys": [good]}).replace('"keys"', '"\\u006beys"').replace('"RSA"', '"\\u0052SA"'),
        {"usable": 1, "skipped": {}},
    )
    book.key_set_case(
        "set-depth-32",
        "32 brackets are open at once.",
        '{"x":' + "[" * 31 + "]" * 31 + ',"keys":[' + dump(good) + "]}",
        {"usable": 1, "skipped": {}},
    )
    whole = {
        "null": "null",
        "array": dump([good]),
        "string": '"keys"',
        "number": "1",
        "empty-object": "{}",
        "keys-null": '{"keys":null}',
        "keys-object": '{"keys":{}}',
        "keys-string": '{"keys":"[]"}',
        "keys-true": '{"keys":true}',
        "other-name": dump({"Keys": [good]}),
        "key-alone": dump(good),
        "nothing": "",
        "white-space": " \n",
        "html": "<!DOCTYPE html><title>Moved</title>",
        "pem": keys.spki("rsa2048-a").decode(),
        "map-of-certificates": '{"k1":"-----BEGIN CERTIFICATE-----\\nAAAA\\n-----END CERTIFICATE-----\\n"}',
        "cut": dump({"keys": [good]})[:-1],
        "cut-in-string": dump({"keys": [good]})[:60],
        "two": dump({"keys": [good]}) * 2,
        "duplicate-keys": '{"keys":[],"keys":[' + dump(good) + "]}",
        "duplicate-in-key": '{"keys":[' + dump(good)[:-1] + ',"kid":"x"}]}',
        "duplicate-in-bad-key": '{"keys":[' + dump(good) + ',{"kty":"AKP","kty":"x"}]}',
        "duplicate-escaped": '{"keys":[' + dump(good)[:-1] + ',"\\u006bid":"x"}]}',
    }
    for name, text in whole.items():
        book.key_set_case(f"set-malformed-{name}", "A text that is not a key set.", text, {"malformed": True})
    for name, rule, text, attacks in faults(dump({"keys": [good]})):
        if isinstance(text, bytes) or name == "duplicate-equal":
            continue
        book.key_set_case(f"set-json-{name}", "The text of a set: " + rule, text, {"malformed": True}, attacks)
    for name in ("set-json-trailing-comma", "set-json-duplicate-nested", "set-malformed-html"):
        book.case(f"{name}-fault", "A malformed set is a fault of the keys.", plain, FAULT, keys=name)
    return book
