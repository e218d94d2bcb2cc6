#!/usr/bin/python3
"""Writes stored-hashes.json: stored passwords of every form that Postern verifies, computed by other programs than Postern uses: Python's
hashlib and `cryptography`, and Debian's argon2, which is the reference implementation. bcrypt alone is the same libcrypt; the outside vectors
and bcrypt.json, which Python's `bcrypt` computed, are for that. With --check it compares."""
import base64
import crypt
import hashlib
import json
import pathlib
import subprocess
import sys
import warnings

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

warnings.simplefilter("ignore")
FILE = pathlib.Path(__file__).with_name("stored-hashes.json")

ASCII = b"correct horse battery"
COMPOSED = "Gr\u00fc\u00dfe aus Z\u00fcrich".encode()
DECOMPOSED = "Gru\u0308\u00dfe aus Zu\u0308rich".encode()
EMOJI = "\U0001f511\U0001f40e staple".encode()
LONG = b"0123456789abcdef" * 16
NUL = b"before\0after"
SALT = bytes(range(0xF0, 0x100))
SHORT_SALT = b"\xfb\xff\xbf\x00"


def plain(data):
    return base64.b64encode(data).decode().rstrip("=")


def dotted(data):
    return plain(data).replace("+", ".")


def padded(data):
    return base64.b64encode(data).decode()


def argon2(password, kind, passes, kib, lanes, count, salt="saltsaltsaltsalt"):
    command = ["argon2", salt, f"-{kind}", "-t", str(passes), "-k", str(kib), "-p", str(lanes), "-l", str(count), "-e"]
    return subprocess.run(command, input=password, check=True, capture_output=True).stdout.decode().strip()


def scrypt(password, salt, log_cost, r, p, count):
    return hashlib.scrypt(password, salt=salt, n=1 << log_cost, r=r, p=p, maxmem=1 << 30, dklen=count)


def phc_scrypt(password, salt, log_cost, r, p, count=32):
    return f"$scrypt$ln={log_cost},r={r},p={p}${plain(salt)}${plain(scrypt(password, salt, log_cost, r, p, count))}"


def firebase(password, salt, separator, key, log_cost, r, p=1):
    derived = scrypt(password, salt + separator, log_cost, r, p, 32)
    encryptor = Cipher(algorithms.AES(derived), modes.CTR(bytes(16))).encryptor()
    encrypted = encryptor.update(key) + encryptor.finalize()
    return (
        f"$fbscrypt$v=1,n={log_cost},r={r},p={p},ss={padded(separator)},sk={padded(key)}${padded(salt)}${padded(encrypted)}"
    )


def pbkdf2(digest, password, salt, rounds, count):
    return hashlib.pbkdf2_hmac(digest, password, salt, rounds, count)


def cases():
    for kind in ["i", "id"]:
        for password in [ASCII, COMPOSED, DECOMPOSED, EMOJI]:
            yield f"argon2{kind}", password, argon2(password, kind, 2, 64, 1, 32)
        for passes, kib, lanes, count in [(1, 8, 1, 16), (3, 32, 4, 24), (4, 2040, 255, 64), (2, 65536, 4, 32)]:
            yield f"argon2{kind}", ASCII, argon2(ASCII, kind, passes, kib, lanes, count)
    # The reference program takes at most 127 bytes.
    yield "argon2id", LONG[:127], argon2(LONG[:127], "id", 2, 19456, 1, 32)
    for prefix in ["2a", "2b", "2y"]:
        for password in [b"", ASCII, COMPOSED, LONG[:71], LONG[:72]]:
            yield "bcrypt", password, crypt.crypt(password.decode(), f"${prefix}$04$./ABCDEFGHIJKLMNOPQRSO")
    for password in [b"", ASCII, DECOMPOSED, LONG, NUL]:
        yield "scrypt", password, phc_scrypt(password, SALT, 4, 8, 1)
    for log_cost, r, p, count in [(1, 1, 1, 16), (14, 8, 1, 64), (10, 3, 7, 33), (15, 8, 2, 32)]:
        yield "scrypt", ASCII, phc_scrypt(ASCII, SHORT_SALT, log_cost, r, p, count)
    for digest, size in [("sha256", 32), ("sha512", 64)]:
        for password in [b"", ASCII, DECOMPOSED, LONG, NUL]:
            hash = pbkdf2(digest, password, SALT, 1000, size)
            yield f"pbkdf2 {digest}", password, f"$pbkdf2-{digest}$i=1000,l={size}${plain(SALT)}${plain(hash)}"
            yield f"pbkdf2 {digest}", password, f"$pbkdf2-{digest}$i=1000${plain(SALT)}${plain(hash)}"
            yield f"pbkdf2 {digest}", password, f"$pbkdf2-{digest}$1000${dotted(SALT)}${dotted(hash)}"
            hash = pbkdf2(digest, password, b"nA+Cl./x", 1000, size)
            yield f"pbkdf2 {digest}", password, f"pbkdf2_{digest}$1000$nA+Cl./x${padded(hash)}"
        for rounds, count in [(1, 16), (2, 128), (100000, 20)]:
            hash = pbkdf2(digest, ASCII, SHORT_SALT, rounds, count)
            yield f"pbkdf2 {digest}", ASCII, f"$pbkdf2-{digest}$i={rounds},l={count}${plain(SHORT_SALT)}${plain(hash)}"
    key = bytes(range(1, 65))
    for password in [b"", ASCII, DECOMPOSED, LONG, NUL]:
        yield "firebase", password, firebase(password, b"saltsaltsa", b"\x07", key, 4, 8)
    yield "firebase", ASCII, firebase(ASCII, b"\xff\xfe", b"", key[:16], 14, 8)
    yield "firebase", ASCII, firebase(ASCII, bytes(64), bytes(range(32)), key * 2, 3, 2, 3)


def main():
    lines = [json.dumps({"form": form, "password_hex": password.hex(), "hash": text}) for form, password, text in cases()]
    text = "[\n" + ",\n".join(lines) + "\n]\n"
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if FILE.read_text() == text else f"{FILE} is not what this program makes")
    FILE.write_text(text)


main()
