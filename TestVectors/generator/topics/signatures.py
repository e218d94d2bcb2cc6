"""Signatures: every algorithm, every wrong pairing, malformed and forged values."""

import hashlib

from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from .. import crypto, keys
from ..build import APP, Book, accepted, claims, header, parts_of, resign, sign, token, usual_key_set
from ..encoding import b64u, dump, unb64u

ALL = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
KEY_OF = {
    "RS": "rsa2048-a",
    "PS": "rsa2048-a",
    "ES256": "p256-a",
    "ES384": "p384",
    "ES512": "p521",
    "EdDSA": "ed25519-a",
}


def key_of(algorithm):
    return KEY_OF.get(algorithm) or KEY_OF[algorithm[:2]]


def der_length(length):
    return bytes([length]) if length < 128 else bytes([0x81, length])


def book():
    # Each key has a kid of its own name and no alg, so that the token's alg decides alone.
    names = (
        "rsa2048-a",
        "rsa2048-b",
        "rsa3072",
        "rsa4096",
        "p256-a",
        "p256-b",
        "p384",
        "p521",
        "ed25519-a",
        "ed25519-b",
    )
    book = Book(
        "signatures",
        "Signatures: algorithms, pairings, malformed and forged values",
        apple=usual_key_set(),
        all={"keys": [keys.jwk(name, name) for name in names]},
        tied={"keys": [keys.jwk(key_of(algorithm), algorithm, alg=algorithm) for algorithm in ALL]},
    )
    provider = {"name": "oidc", "issuer": "https://id.example.com", "audiences": [APP], "algorithms": ALL}
    body = claims(iss="https://id.example.com")

    def make(algorithm, key=None, changes=None, signer=None, kid=None):
        return sign(
            {"alg": algorithm, "kid": kid or key or key_of(algorithm)},
            body | (changes or {}),
            key or key_of(algorithm),
            signer,
        )

    def case(name, rule, text, expect, attacks=None, keys="all"):
        book.case(name, rule, text, expect, provider=provider, keys=keys, attacks=attacks)

    def replaced(name, rule, text, signature, expect="signature_invalid", attacks=None):
        case(name, rule, resign(text, signature), expect, attacks)

    for algorithm in ALL:
        low = algorithm.lower()
        case(f"good-{low}", f"{algorithm} is accepted where it is allowed.", make(algorithm), accepted())
        case(
            f"good-{low}-tied",
            f"{algorithm} with a key that is for {algorithm} alone.",
            make(algorithm, kid=algorithm),
            accepted(),
            keys="tied",
        )
        text = make(algorithm)
        signed, signature = parts_of(text)
        flipped = bytes([signature[0] ^ 1]) + signature[1:]
        replaced(f"flipped-first-{low}", "One bit of the signature is another.", text, flipped)
        replaced(
            f"flipped-last-{low}",
            "One bit of the signature is another.",
            text,
            signature[:-1] + bytes([signature[-1] ^ 1]),
        )
        replaced(f"short-{low}", "A signature of one byte less.", text, signature[:-1], attacks=9)
        replaced(f"short-front-{low}", "A signature without its first byte.", text, signature[1:], attacks=9)
        replaced(f"long-{low}", "A signature of one byte more.", text, signature + b"\x00", attacks=9)
        replaced(
            f"long-front-{low}", "A signature with a zero byte before it.", text, b"\x00" + signature, attacks=[9, 12]
        )
        replaced(f"empty-{low}", "No signature at all.", text, b"", attacks=1)
        replaced(f"one-byte-{low}", "A signature of one byte.", text, b"\x00", attacks=9)
        replaced(f"zeros-{low}", "A signature of zeros.", text, bytes(len(signature)), attacks=8)
        replaced(f"ones-{low}", "A signature with all bits set.", text, b"\xff" * len(signature), attacks=8)
        # Wrong pairings: a header of one algorithm over a good signature of another.
        for other in ALL:
            if other == algorithm:
                continue
            same_key = key_of(other) == key_of(algorithm)
            case(
                f"pair-{low}-signed-{other.lower()}",
                f"The header says {algorithm}, the signature is {other}.",
                make(algorithm, key_of(other), signer=other),
                "signature_invalid" if same_key else "key_unusable",
                attacks=[3] if same_key else [4],
            )
        for other in ("RS256", "PS256", "ES256", "EdDSA"):
            if other == algorithm:
                continue
            case(
                f"tied-{low}-to-{other.lower()}-key",
                f"{algorithm} with a key that is for {other} alone.",
                make(algorithm, kid=other),
                "key_unusable",
                keys="tied",
                attacks=[3, 4],
            )
    for algorithm, name in (
        ("RS384", "rsa3072"),
        ("RS512", "rsa4096"),
        ("PS384", "rsa3072"),
        ("PS512", "rsa4096"),
        ("RS256", "rsa4096"),
        ("PS256", "rsa3072"),
    ):
        case(f"good-{algorithm.lower()}-{name}", f"{algorithm} with a longer key.", make(algorithm, name), accepted())
    for hash_name, curve_key, algorithm in (
        ("sha384", "p256-a", "ES256"),
        ("sha512", "p256-a", "ES256"),
        ("sha256", "p384", "ES384"),
        ("sha256", "p521", "ES512"),
    ):
        text = make(algorithm, curve_key)
        replaced(
            f"{algorithm.lower()}-over-{hash_name}",
            f"{algorithm} over another hash.",
            text,
            crypto.sign_ecdsa(keys.key(curve_key), parts_of(text)[0], hash_name),
            attacks=3,
        )
    for algorithm, kid in (("ES256", "p384"), ("ES384", "p256-a"), ("ES512", "p384"), ("ES256", "p521")):
        case(
            f"curve-{algorithm.lower()}-{kid}",
            "A curve belongs to one algorithm.",
            make(algorithm, kid, signer="ES" + {"p384": "384", "p256-a": "256", "p521": "512"}[kid]),
            "key_unusable",
            attacks=10,
        )
    for name, stranger in (("rsa2048-a", "rsa2048-b"), ("p256-a", "p256-b"), ("ed25519-a", "ed25519-b")):
        algorithm = {"r": "RS256", "p": "ES256", "e": "EdDSA"}[name[0]]
        case(
            f"stranger-{name}",
            "A good signature of another key of the set.",
            make(algorithm, stranger, kid=name),
            "signature_invalid",
        )

    # What is signed: the octets received
    text = token()
    signed, signature = parts_of(text)
    head, payload = signed.decode().split(".")
    apple = lambda name, rule, text, expect="signature_invalid", attacks=None: book.case(
        name, rule, text, expect, attacks=attacks
    )
    apple(
        "payload-exchanged",
        "The signature of another payload.",
        head
        + "."
        + b64u(dump(claims(sub="001234.ffffffffffffffffffffffffffffffff.0915")).encode())
        + "."
        + b64u(signature),
    )
    apple(
        "header-exchanged",
        "The signature of another header.",
        b64u(dump(header(typ="JWT")).encode()) + "." + payload + "." + b64u(signature),
    )
    apple(
        "payload-re-encoded",
        "Equal claims in other octets are not what was signed.",
        head + "." + b64u(dump(claims()).replace(",", ", ").encode()) + "." + b64u(signature),
        attacks=15,
    )
    apple(
        "payload-members-moved",
        "Equal claims in another order are not what was signed.",
        head + "." + b64u(dump(dict(reversed(claims().items()))).encode()) + "." + b64u(signature),
        attacks=15,
    )
    spaced = " {\n  " + dump(claims())[1:-1].replace(',"', ' ,\r\n\t"') + "\n}\n"
    apple(
        "payload-odd-space", "White space is part of what was signed.", sign(header(), spaced), accepted(), attacks=15
    )
    apple(
        "payload-escapes",
        "Escapes are part of what was signed.",
        sign(header(), dump(claims()).replace("/", "\\/").replace("@", "\\u0040")),
        accepted(email="jo@example.com"),
        attacks=15,
    )
    apple(
        "payload-alone-signed",
        "A signature over the payload alone.",
        text.rpartition(".")[0] + "." + b64u(crypto.sign_pkcs1(keys.key("rsa2048-a"), "sha256", payload.encode())),
        attacks=15,
    )
    decoded = unb64u(head) + b"." + unb64u(payload)
    apple(
        "decoded-octets-signed",
        "A signature over the decoded octets.",
        text.rpartition(".")[0] + "." + b64u(crypto.sign_pkcs1(keys.key("rsa2048-a"), "sha256", decoded)),
        attacks=[15, 27],
    )
    apple(
        "b64-false-signed",
        "A signature over the raw payload, as for b64 false.",
        text.rpartition(".")[0]
        + "."
        + b64u(crypto.sign_pkcs1(keys.key("rsa2048-a"), "sha256", head.encode() + b"." + unb64u(payload))),
        attacks=27,
    )
    apple(
        "digest-signed",
        "A signature over the hash of the hash.",
        text.rpartition(".")[0]
        + "."
        + b64u(crypto.sign_pkcs1(keys.key("rsa2048-a"), "sha256", hashlib.sha256(signed).digest())),
    )

    # RSA, PKCS #1 v1.5: class 12
    key = keys.key("rsa2048-a")
    info, digest = crypto.DIGEST_INFO["sha256"], hashlib.sha256(signed).digest()
    block = crypto.pkcs1_block(256, info + digest)

    def forged(name, rule, block, attacks=12):
        assert len(block) == 256
        apple(f"rsa-{name}", rule, resign(text, crypto.sign_block(key, block)), attacks=attacks)

    apple(
        "rsa-block-as-signature",
        "The padded block itself, as it would pass with an exponent of one.",
        resign(text, block),
        attacks=[11, 12],
    )
    no_null = b"\x30\x2f\x30\x0b" + info[4:-4] + info[-2:]
    forged("missing-null", "A digest info without its NULL.", crypto.pkcs1_block(256, no_null + digest))
    forged(
        "ber-long-length",
        "A digest info whose outer length is in the long form.",
        crypto.pkcs1_block(256, b"\x30\x81\x31" + info[2:] + digest),
    )
    forged(
        "ber-long-inner-length",
        "A digest info whose inner length is in the long form.",
        crypto.pkcs1_block(256, b"\x30\x32\x30\x81\x0d" + info[4:] + digest),
    )
    forged(
        "ber-long-digest-length",
        "A digest info whose digest length is in the long form.",
        crypto.pkcs1_block(256, b"\x30\x32" + info[2:-1] + b"\x81\x20" + digest),
    )
    garbage = hashlib.sha512(b"garbage").digest() * 4
    tail = 256 - 11 - len(info) - 32
    forged(
        "garbage-after-digest",
        "A short padding with garbage after the digest.",
        b"\x00\x01" + b"\xff" * 8 + b"\x00" + info + digest + garbage[:tail],
    )
    forged(
        "garbage-in-parameters",
        "Garbage in the algorithm's parameters.",
        crypto.pkcs1_block(256, b"\x30\x41\x30\x1d" + info[4:-4] + b"\x04\x10" + garbage[:16] + info[-2:] + digest),
    )
    forged("no-digest-info", "A digest without its algorithm.", crypto.pkcs1_block(256, digest))
    forged(
        "block-type-2",
        "Padding of encryption in place of padding of signatures.",
        b"\x00\x02"
        + bytes(octet or 1 for octet in (garbage * 2)[: 256 - 3 - len(info) - 32])
        + b"\x00"
        + info
        + digest,
    )
    forged(
        "block-type-0", "Padding with zeros.", b"\x00\x00" + bytes(256 - 3 - len(info) - 32) + b"\x00" + info + digest
    )
    padded = bytearray(block)
    padded[100] = 0xFE
    forged("padding-not-ff", "One byte of the padding is not FF.", bytes(padded))
    padded = bytearray(block)
    padded[0] = 0x00
    padded[1] = 0x01
    padded[3] = 0x00
    forged("padding-short", "The padding ends after one byte.", bytes(padded))
    for other in ("sha1", "sha384", "sha512"):
        forged(
            f"digest-info-{other}",
            f"A digest info of {other} under RS256.",
            crypto.pkcs1_block(256, crypto.DIGEST_INFO[other] + crypto.digest(other, signed)),
            attacks=[3, 12],
        )
    forged(
        "digest-info-lies",
        "The digest info says SHA-512, the digest is SHA-256.",
        crypto.pkcs1_block(
            256, crypto.DIGEST_INFO["sha512"][:1] + b"\x31" + crypto.DIGEST_INFO["sha512"][2:-1] + b"\x20" + digest
        ),
    )
    n = keys.numbers("rsa2048-a").n
    for number in range(10000):  # a signature so small that adding the modulus still fits 256 bytes
        odd = token(None, {"number": number})
        value = int.from_bytes(parts_of(odd)[1], "big") + n
        if value < 2**2048:
            apple(
                "rsa-plus-modulus",
                "The signature plus the modulus is not the signature.",
                resign(odd, value.to_bytes(256, "big")),
                attacks=36,
            )
            break
    apple(
        "rsa-negated",
        "The modulus less the signature.",
        resign(text, (n - int.from_bytes(signature, "big")).to_bytes(256, "big")),
    )
    for name, value in (("zero", 0), ("one", 1), ("modulus", n), ("modulus-less-one", n - 1)):
        apple(
            f"rsa-value-{name}",
            f"The signature is the number {name.replace('-', ' ')}.",
            resign(text, value.to_bytes(256, "big")),
        )
    for number in range(10000):  # a signature that begins with a zero byte: good at full length, bad without it
        odd = token(None, {"number": number})
        value = parts_of(odd)[1]
        if value[0] == 0:
            apple("rsa-leading-zero", "A signature that begins with a zero byte.", odd, accepted())
            apple(
                "rsa-leading-zero-stripped", "The same without the zero byte.", resign(odd, value[1:]), attacks=[12, 13]
            )
            break

    # RSA, PSS: class 13
    text = make("PS256")
    signed, signature = parts_of(text)
    for length in (0, 20, 31, 33, 64, 222):
        replaced(
            f"pss-salt-{length}",
            f"A salt of {length} octets: it must be as long as the digest.",
            text,
            crypto.sign_pss(key, "sha256", signed, length),
            attacks=13,
        )
    for mask in ("sha1", "sha512"):
        replaced(
            f"pss-mask-{mask}",
            f"A mask made with {mask}.",
            text,
            crypto.sign_pss(key, "sha256", signed, mask=mask),
            attacks=13,
        )
    replaced("pss-sha1", "SHA-1 in all parts.", text, crypto.sign_pss(key, "sha1", signed), attacks=13)
    for number in range(10000):
        odd = make("PS256", changes={"number": number})
        value = parts_of(odd)[1]
        if value[0] == 0:
            case("pss-leading-zero", "A PSS signature that begins with a zero byte.", odd, accepted(), 13)
            replaced("pss-leading-zero-stripped", "The same without the zero byte.", odd, value[1:], attacks=13)
            break
    for number in range(10000):
        odd = make("PS256", changes={"number": number})
        value = int.from_bytes(parts_of(odd)[1], "big") + n
        if value < 2**2048:
            replaced("pss-plus-modulus", "The signature plus the modulus.", odd, value.to_bytes(256, "big"), attacks=36)
            break

    # ECDSA: classes 8 and 9
    for algorithm in ("ES256", "ES384", "ES512"):
        low, key = algorithm.lower(), keys.key(key_of(algorithm))
        curve = crypto.curve_of(key)
        text = make(algorithm)
        signed, signature = parts_of(text)
        r, s = crypto.sign_ecdsa_numbers(key, signed)
        p, order = curve.p, curve.n
        replaced(f"{low}-der", "A signature in DER.", text, encode_dss_signature(r, s), attacks=9)
        replaced(f"{low}-der-zeros", "Zeros in DER.", text, b"\x30\x06\x02\x01\x00\x02\x01\x00", attacks=[8, 9])
        low_s, high_s = min(s, order - s), max(s, order - s)
        replaced(
            f"{low}-low-s",
            "ECDSA takes s or its negative: the low one.",
            text,
            crypto.join(curve, r, low_s),
            accepted(),
            [8, 36],
        )
        replaced(
            f"{low}-high-s",
            "ECDSA takes s or its negative: the high one.",
            text,
            crypto.join(curve, r, high_s),
            accepted(),
            [8, 36],
        )
        for name, pair in {
            "r-zero": (0, s),
            "s-zero": (r, 0),
            "r-order": (order, s),
            "s-order": (r, order),
            "both-order": (order, order),
            "r-order-less-one": (order - 1, s),
            "zero-order": (0, order),
            "order-zero": (order, 0),
            "one-one": (1, 1),
            "zero-one": (0, 1),
            "one-zero": (1, 0),
            "swapped": (s, r),
            "r-prime": (p, s),
            "prime-prime": (p, p),
            "one-order": (1, order),
            "order-one": (order, 1),
            "r-negated": (order - r, s),
        }.items():
            replaced(f"{low}-{name}", f"r and s: {name.replace('-', ' ')}.", text, crypto.join(curve, *pair), attacks=8)
        wide = curve.width + 1
        replaced(
            f"{low}-wide",
            "Both numbers one octet too wide.",
            text,
            r.to_bytes(wide, "big") + s.to_bytes(wide, "big"),
            attacks=9,
        )
        replaced(f"{low}-half", "r alone.", text, r.to_bytes(curve.width, "big"), attacks=9)
        for number in range(100000):  # r with a leading zero octet, then both without theirs or r without it
            if algorithm == "ES512":
                break  # the top octet of P-521 has one bit: see below
            odd = make(algorithm, changes={"number": number})
            value = parts_of(odd)[1]
            if value[0] == 0:
                case(f"{low}-leading-zero", "r begins with a zero octet.", odd, accepted(), 9)
                replaced(f"{low}-leading-zero-stripped", "r without its zero octet.", odd, value[1:], attacks=9)
                break
    key, curve = keys.key("p521"), crypto.CURVES["P-521"]
    text = make("ES512")
    r, s = crypto.sign_ecdsa_numbers(key, parts_of(text)[0])
    replaced(
        "es512-s-plus-order",
        "s plus the order fits the width and is still out of range.",
        text,
        crypto.join(curve, r, s + curve.n),
        attacks=[8, 36],
    )
    replaced(
        "es512-r-plus-order",
        "r plus the order fits the width and is still out of range.",
        text,
        crypto.join(curve, r + curve.n, s),
        attacks=[8, 36],
    )
    for number in range(1000):  # r and s both shorter by an octet: a reader that halves the length would take them
        odd = make("ES512", changes={"number": number})
        value = parts_of(odd)[1]
        if value[0] == 0 and value[66] == 0:
            case("es512-leading-zeros", "r and s begin with zero octets.", odd, accepted(), 9)
            replaced(
                "es512-leading-zeros-stripped",
                "r and s without their zero octets.",
                odd,
                value[1:66] + value[67:],
                attacks=9,
            )
            break

    # Ed25519
    text = make("EdDSA")
    signature = parts_of(text)[1]
    order = 2**252 + 27742317777372353535851937790883648493
    scalar = int.from_bytes(signature[32:], "little")
    replaced(
        "eddsa-s-plus-order",
        "S plus the group order is out of range.",
        text,
        signature[:32] + (scalar + order).to_bytes(32, "little"),
        attacks=36,
    )
    replaced("eddsa-s-zero", "S is zero.", text, signature[:32] + bytes(32), attacks=8)
    replaced("eddsa-r-identity", "R is the neutral element and S is zero.", text, b"\x01" + bytes(63), attacks=8)
    replaced("eddsa-halves-swapped", "S before R.", text, signature[32:] + signature[:32])
    return book
