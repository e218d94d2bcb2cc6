"""Signatures over plain integers.

PSS and ECDSA are normally randomised, which would change every vector on each run. Here the salt
comes from the message and the ECDSA nonce from RFC 6979, so the output is a function of the input.
Each signature is then checked with the `cryptography` package (OpenSSL), an independent opinion.
"""

import functools
import hashlib
import hmac

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

# DER of the AlgorithmIdentifier and the OCTET STRING head that precede the digest (RFC 8017, 9.2).
DIGEST_INFO = {
    "sha1": bytes.fromhex("3021300906052b0e03021a05000414"),
    "sha256": bytes.fromhex("3031300d060960864801650304020105000420"),
    "sha384": bytes.fromhex("3041300d060960864801650304020205000430"),
    "sha512": bytes.fromhex("3051300d060960864801650304020305000440"),
}
HASHES = {"sha1": hashes.SHA1, "sha256": hashes.SHA256, "sha384": hashes.SHA384, "sha512": hashes.SHA512}


def digest(name, data):
    return hashlib.new(name, data).digest()


# --- RSA --------------------------------------------------------------------------------------


@functools.lru_cache(None)
def rsa_parts(key):
    private = key.private_numbers()
    p, q, d = private.p, private.q, private.d
    return p, q, d % (p - 1), d % (q - 1), pow(q, -1, p)


def rsa_raw(key, number):
    """number^d mod n, by the Chinese remainder theorem because plain pow is four times slower."""
    p, q, dp, dq, inverse = rsa_parts(key)
    mp, mq = pow(number, dp, p), pow(number, dq, q)
    return mq + (mp - mq) * inverse % p * q


def rsa_size(key):
    return (key.key_size + 7) // 8


def pkcs1_block(size, info):
    return b"\x00\x01" + b"\xff" * (size - len(info) - 3) + b"\x00" + info


def sign_block(key, block):
    """The private operation over any block at all: the forgeries need blocks no signer makes."""
    return rsa_raw(key, int.from_bytes(block, "big")).to_bytes(rsa_size(key), "big")


def sign_pkcs1(key, name, data):
    signature = sign_block(key, pkcs1_block(rsa_size(key), DIGEST_INFO[name] + digest(name, data)))
    key.public_key().verify(signature, data, padding.PKCS1v15(), HASHES[name]())
    return signature


def mgf1(name, seed, length):
    out, counter = b"", 0
    while len(out) < length:
        out += digest(name, seed + counter.to_bytes(4, "big"))
        counter += 1
    return out[:length]


def pss_salt(data, length):
    return mgf1("sha512", b"postern vectors: PSS salt" + data, length)


def sign_pss(key, name, data, salt_length=None, mask=None):
    """PSS (RFC 8017, 9.1.1); `mask` is the hash of MGF1 where it differs from the message's."""
    mask = mask or name
    hashed = digest(name, data)
    salt = pss_salt(data, len(hashed) if salt_length is None else salt_length)
    bits = key.key_size - 1
    size = (bits + 7) // 8
    inner = digest(name, b"\x00" * 8 + hashed + salt)
    block = b"\x00" * (size - len(salt) - len(inner) - 2) + b"\x01" + salt
    masked = bytearray(a ^ b for a, b in zip(block, mgf1(mask, inner, len(block))))
    masked[0] &= 0xFF >> (8 * size - bits)
    signature = sign_block(key, bytes(masked) + inner + b"\xbc")
    key.public_key().verify(signature, data, padding.PSS(padding.MGF1(HASHES[mask]()), len(salt)), HASHES[name]())
    return signature


# --- Elliptic curves ----------------------------------------------------------------------------


class Curve:
    def __init__(self, name, hash_name, bits, prime, order, b, gx, gy, openssl):
        self.name, self.hash_name, self.width = name, hash_name, (bits + 7) // 8
        self.p, self.n, self.b, self.g, self.openssl = prime, order, b, (gx, gy), openssl

    def contains(self, x, y):
        return 0 <= x < self.p and 0 <= y < self.p and (y * y - (x * x * x - 3 * x + self.b)) % self.p == 0

    def add(self, first, second):
        if first is None or second is None:
            return first or second
        (x1, y1), (x2, y2), p = first, second, self.p
        if x1 == x2:
            if (y1 + y2) % p == 0:
                return None
            slope = (3 * x1 * x1 - 3) * pow(2 * y1, -1, p)
        else:
            slope = (y2 - y1) * pow(x2 - x1, -1, p)
        x3 = (slope * slope - x1 - x2) % p
        return x3, (slope * (x1 - x3) - y1) % p

    def multiply(self, scalar, point=None):
        point, result = point or self.g, None
        while scalar:
            if scalar & 1:
                result = self.add(result, point)
            point, scalar = self.add(point, point), scalar >> 1
        return result

    def number(self, data):
        """A digest as a number, cut to the order's length from the left."""
        value = int.from_bytes(data, "big")
        return value >> max(0, 8 * len(data) - self.n.bit_length())


CURVES = {
    "P-256": Curve(
        "P-256",
        "sha256",
        256,
        2**256 - 2**224 + 2**192 + 2**96 - 1,
        0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
        0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
        0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
        ec.SECP256R1,
    ),
    "P-384": Curve(
        "P-384",
        "sha384",
        384,
        2**384 - 2**128 - 2**96 + 2**32 - 1,
        0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973,
        0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
        0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
        0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F,
        ec.SECP384R1,
    ),
    "P-521": Curve(
        "P-521",
        "sha512",
        521,
        2**521 - 1,
        (2**261 - 1 << 260) + 0xA51868783BF2F966B7FCC0148F709A5D03BB5C9B8899C47AEBB6FB71E91386409,
        0x0051953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF109E156193951EC7E937B1652C0BD3BB1BF073573DF883D2C34F1EF451FD46B503F00,
        0x00C6858E06B70404E9CD9E3ECB662395B4429C648139053FB521F828AF606B4D3DBAA14B5E77EFE75928FE1DC127A2FFA8DE3348B3C1856A429BF97E7E31C2E5BD66,
        0x011839296A789A3BC0045C8A5FB42C7D1BD998F54449579B446817AFBD17273E662C97EE72995EF42640C550B9013FAD0761353C7086A272C24088BE94769FD16650,
        ec.SECP521R1,
    ),
}


def curve_of(key):
    return next(curve for curve in CURVES.values() if isinstance(key.curve, curve.openssl))


def rfc6979(curve, secret, hash_name, hashed):
    """The candidates for the nonce, in order (RFC 6979, 3.2)."""
    width = curve.width
    seed = secret.to_bytes(width, "big") + (curve.number(hashed) % curve.n).to_bytes(width, "big")
    v, k = b"\x01" * len(hashed), b"\x00" * len(hashed)
    for step in (b"\x00", b"\x01"):
        k = hmac.new(k, v + step + seed, hash_name).digest()
        v = hmac.new(k, v, hash_name).digest()
    while True:
        out = b""
        while len(out) < width:
            v = hmac.new(k, v, hash_name).digest()
            out += v
        candidate = curve.number(out[:width])
        if 1 <= candidate < curve.n:
            yield candidate
        k = hmac.new(k, v + b"\x00", hash_name).digest()
        v = hmac.new(k, v, hash_name).digest()


def sign_ecdsa_numbers(key, data, hash_name=None):
    curve = curve_of(key)
    hash_name = hash_name or curve.hash_name
    hashed = digest(hash_name, data)
    secret = key.private_numbers().private_value
    for nonce in rfc6979(curve, secret, hash_name, hashed):
        r = curve.multiply(nonce)[0] % curve.n
        s = pow(nonce, -1, curve.n) * (curve.number(hashed) + r * secret) % curve.n
        if r and s:
            key.public_key().verify(encode_dss_signature(r, s), data, ec.ECDSA(HASHES[hash_name]()))
            return r, s


def join(curve, r, s):
    return r.to_bytes(curve.width, "big") + s.to_bytes(curve.width, "big")


def sign_ecdsa(key, data, hash_name=None):
    return join(curve_of(key), *sign_ecdsa_numbers(key, data, hash_name))


def sign_ed25519(key, data):
    signature = key.sign(data)  # EdDSA has no random part
    key.public_key().verify(signature, data)
    return signature


# --- By JOSE name -------------------------------------------------------------------------------


def hash_name(algorithm):
    return "sha512" if algorithm == "EdDSA" else "sha" + algorithm[2:]


def sign(key, algorithm, data):
    kind = algorithm[:2]
    if algorithm == "EdDSA":
        return sign_ed25519(key, data)
    if kind == "HS":
        return hmac.new(key, data, hash_name(algorithm)).digest()
    return {
        "RS": lambda: sign_pkcs1(key, hash_name(algorithm), data),
        "PS": lambda: sign_pss(key, hash_name(algorithm), data),
        "ES": lambda: sign_ecdsa(key, data, hash_name(algorithm)),
    }[kind]()


# --- Verification for the model -----------------------------------------------------------------


def verify_ecdsa(curve, point, hash_name, data, r, s):
    if not (1 <= r < curve.n and 1 <= s < curve.n):
        return False
    inverse = pow(s, -1, curve.n)
    first = curve.multiply(curve.number(digest(hash_name, data)) * inverse % curve.n)
    second = curve.multiply(r * inverse % curve.n, point)
    total = curve.add(first, second)
    return total is not None and total[0] % curve.n == r


def verify_pss(n, bits, name, data, recovered, any_salt=False, masks=None):
    """EMSA-PSS-VERIFY; the salt's length must be the digest's unless `any_salt`."""
    hashed = digest(name, data)
    bits -= 1
    size = (bits + 7) // 8
    if recovered.bit_length() > 8 * size:
        return False
    block = recovered.to_bytes(size, "big")
    if block[-1] != 0xBC:
        return False
    inner = block[size - len(hashed) - 1 : -1]
    for mask in masks or (name,):
        head = bytearray(a ^ b for a, b in zip(block, mgf1(mask, inner, size - len(hashed) - 1)))
        head[0] &= 0xFF >> (8 * size - bits)
        padding_end = next((i for i, octet in enumerate(head) if octet), len(head))
        if padding_end == len(head) or head[padding_end] != 1:
            continue
        salt = bytes(head[padding_end + 1 :])
        if not any_salt and len(salt) != len(hashed):
            continue
        if digest(name, b"\x00" * 8 + hashed + salt) == inner:
            return True
    return False


def verify_ed25519(key, signature, data):
    try:
        key.verify(signature, data)
        return True
    except InvalidSignature:
        return False
