"""A second verifier, written from the rules alone.

It stands beside the cases: every case says what it expects, and the model must come to the same.
A slip in a case or in the model shows as a difference. Speed and side channels do not matter here.
"""

import base64
import hashlib
import json
import re

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from . import crypto
from .encoding import b64u, unb64u
from .keyset import KeySet
from .rules import Rules
from .strictjson import Malformed, Number, parse, whole_seconds

ISSUERS = {
    "apple": ["https://appleid.apple.com"],
    "google": ["https://accounts.google.com", "accounts.google.com"],
    "facebook": ["https://www.facebook.com"],
}
PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad"
GUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
AGES = {"apple": 600, "google": 3600, "microsoft": 3600, "facebook": 3600, "oidc": 3600, "firebase": None}
ABOUT_ACCOUNTS = ("consent-revoked", "account-delete", "account-deleted", "email-enabled", "email-disabled")


class Refused(Exception):
    pass


class Fault(Exception):
    pass


def is_text(value):
    return type(value) is str


def token_octets(case):
    if "tokenHex" in case:
        return bytes.fromhex(case["tokenHex"])
    if "tokenRepeat" in case:
        return case["tokenRepeat"]["text"].encode() * case["tokenRepeat"]["count"]
    return case["token"].encode("utf-8")


_signatures = {}


class Model:
    def __init__(self, case, key_set_octets, mutant=None):
        self.case, self.key_set_octets, self.rules = case, key_set_octets, Rules(mutant)
        self.on, self.pick = self.rules.on, self.rules.pick
        self.provider = case["provider"]
        self.name = self.provider["name"]
        self.at, self.leeway = case["at"], self.provider.get("leeway", 60)
        self.audiences = self.provider["audiences"]
        self.notification = case.get("notification", False)

    def need(self, name, condition, code):
        if self.on(name) and not condition:
            raise Refused(code)

    def run(self):
        data = token_octets(self.case)
        if len(data) > self.pick("size", 16384, 16383, 10**9):
            raise Refused("token_too_large")
        self.form(data)
        self.read_header()
        self.critical()
        self.read_claims()
        self.issuer()
        key = self.choose_key()
        if not self.signature_holds(key) and self.on("signature"):
            raise Refused("signature_invalid")
        event = self.kind()
        audiences = self.audience()
        self.parties()
        subject = self.subject(event)
        self.times()
        self.hash("accessToken", "at_hash")
        self.hash("code", "c_hash")
        if not self.notification:
            self.nonce(audiences)
        return self.accepted(subject, event, audiences)

    # Steps 1 and 2
    def form(self, data):
        code = "token_malformed"
        segments = data.decode("latin-1").split(".")
        if len(segments) != 3:
            more = self.pick("three-segments", False, True)
            if not more or len(segments) < 2:
                raise Refused(code)
            segments = ([part for part in segments if part] + ["", ""])[:3] if len(segments) > 3 else segments + [""]
        self.octets = [self.segment(name, text) for name, text in zip(("header", "payload", "signature"), segments)]
        if not segments[0]:
            raise Refused(code)
        self.signed = data.rpartition(b".")[0]
        if not self.on("sign-received-octets"):
            self.signed = ".".join(b64u(self.rewritten(octets)) for octets in self.octets[:2]).encode()

    @staticmethod
    def rewritten(octets):
        """The same JSON as another writer would put it."""
        try:
            return json.dumps(json.loads(octets), separators=(",", ":"), ensure_ascii=False).encode()
        except ValueError:
            return octets

    def segment(self, name, text):
        code = "token_malformed"
        if not self.on(f"{name}-padding"):
            text = text.rstrip("=")
        if not self.on(f"{name}-white-space"):
            text = re.sub(r"\s", "", text)
        if not self.on(f"{name}-plain-alphabet"):
            text = text.replace("+", "-").replace("/", "_")
        if not self.on(f"{name}-junk"):
            text = re.sub(r"[^A-Za-z0-9_-]", "", text)
        if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
            raise Refused(code)
        if len(text) % 4 == 1:
            if self.on(f"{name}-length"):
                raise Refused(code)
            text = text[:-1]
        data = unb64u(text)
        self.need(f"{name}-trailing-bits", b64u(data) == text, code)
        return data

    # Steps 3 to 5
    def read_header(self):
        code = "header_invalid"
        try:
            self.header = parse(self.octets[0], "header", self.rules)
        except Malformed:
            raise Refused(code)
        header = self.header
        if not isinstance(header, dict) or not is_text(header.get("alg")):
            raise Refused(code)
        if "kid" in header:
            kid = header["kid"]
            if not is_text(kid):
                if self.on("kid-string"):
                    raise Refused(code)
                del header["kid"]
            else:
                self.need("kid-not-empty", kid, code)
                length = len(kid.encode()) if self.on("kid-length-in-bytes") else len(kid)
                if length > self.pick("kid-length", 128, 127, 10**9):
                    raise Refused(code)
        for name in ("typ", "cty"):
            if name in header:
                self.need(f"{name}-string", is_text(header[name]), code)
                if not is_text(header[name]):
                    del header[name]
        self.need("no-enc", "enc" not in header, code)
        allowed = self.provider.get("algorithms", ["RS256"]) if self.name == "oidc" else ["RS256"]
        algorithm = header["alg"]
        if not self.on("algorithm-case"):
            algorithm = algorithm.upper()
        if not self.on("algorithm-listed") and algorithm.lower() == "none":
            self.octets[2] = None
        elif algorithm not in allowed and self.on("algorithm-listed"):
            raise Refused("algorithm_not_allowed")
        self.algorithm = self.pick("header-algorithm-used", algorithm, allowed[0])

    def critical(self):
        for name in ("crit", "b64", "zip"):
            there = self.header.get(name) if self.pick(f"{name}-any-value", False, True) else name in self.header
            self.need(f"no-{name}", not there, "critical_header_unsupported")

    # Step 6
    def read_claims(self):
        code = "claims_malformed"
        try:
            claims = parse(self.octets[1], "claims", self.rules)
        except Malformed:
            raise Refused(code)
        if not isinstance(claims, dict):
            raise Refused(code)
        if not self.on("claim-names-case"):
            claims = {name.lower(): value for name, value in claims.items()}
        for name in ("iss", "sub", "nonce", "azp", "at_hash", "c_hash", "tid"):
            if name in claims and not is_text(claims[name]):
                null = claims[name] is None
                if self.on(f"{name}-string") and not (null and not self.on(f"{name}-not-null")):
                    raise Refused(code)
                del claims[name]
        if "aud" in claims:
            audience = claims["aud"]
            if isinstance(audience, list) and not all(is_text(item) for item in audience):
                if self.on("aud-strings"):
                    raise Refused(code)
                claims["aud"] = [item for item in audience if is_text(item)]
            elif not (is_text(audience) or isinstance(audience, list)):
                if self.on("aud-form"):
                    raise Refused(code)
                del claims["aud"]
        for name in ("exp", "iat", "nbf", "auth_time"):
            if name not in claims:
                continue
            value = claims[name]
            number = None
            if isinstance(value, Number):
                number = whole_seconds(value, self.on(f"{name}-exact"))
                fraction_free = re.fullmatch("-?[0-9]+", value)
                if self.pick(f"{name}-fraction", False, True) and not fraction_free:
                    raise Refused(code)
                if number is None and not self.on(f"{name}-range"):
                    number = min(max(int(float(value)) if abs(float(value)) < 1e300 else 0, 0), 2**40 - 1)
            elif is_text(value) and not self.on(f"{name}-no-string") and value.isdigit():
                number = int(value)
            elif type(value) is bool and not self.on(f"{name}-no-bool"):
                number = int(value)
            if number is None:
                if self.on(f"{name}-number") and not (value is None and not self.on(f"{name}-not-null")):
                    raise Refused(code)
                del claims[name]
            else:
                claims[name] = number
        self.need("iat-there", "iat" in claims, code)
        claims.setdefault("iat", self.at)
        if not self.notification:
            self.need("exp-there", "exp" in claims, code)
        if "sub" in claims:
            firebase = self.name == "firebase"
            limit = (
                self.pick("sub-length-firebase", 128, 127, 255)
                if firebase
                else self.pick("sub-length", 255, 254, 10**9)
            )
            length = len(claims["sub"].encode()) if self.on("sub-length-in-bytes") else len(claims["sub"])
            if length > limit:
                raise Refused(code)
        if self.name == "firebase":
            self.need("auth_time-there", "auth_time" in claims, code)
        self.claims = claims

    # Step 7
    def issuer(self):
        code, issuer, same = "issuer_mismatch", self.claims.get("iss"), self.rules.same
        if issuer is None:
            if self.on("iss-there"):
                raise Refused(code)
            return
        if self.name == "microsoft":
            tenant = self.claims.get("tid")
            if tenant is None:
                raise Refused(code)
            self.need(
                "tid-guid",
                GUID.fullmatch(tenant) or (not self.on("tid-lower-case") and GUID.fullmatch(tenant.lower())),
                code,
            )
            self.need("iss", same("iss-bytes", issuer, f"https://login.microsoftonline.com/{tenant}/v2.0"), code)
            allowed = self.provider["tenant"]
            fits = {"organizations": tenant != PERSONAL, "consumers": tenant == PERSONAL}
            if allowed in fits:
                self.need(f"tenant-{allowed}", fits[allowed], code)
            elif allowed != "common":
                self.need("tenant-guid", tenant == allowed, code)
            return
        issuers = ISSUERS.get(self.name) or [self.provider.get("issuer")]
        if self.name == "firebase":
            issuers = [f"https://securetoken.google.com/{project}" for project in self.audiences]
        if self.name == "google":
            issuers = self.pick("google-two-issuers", issuers, issuers[:1], issuers[1:])
        known = any(same("iss-bytes", issuer, one) for one in issuers)
        if not self.on("iss-whole"):
            known = known or any(issuer.startswith(one) or one.startswith(issuer) or one in issuer for one in issuers)
        if not self.on("iss-slash"):
            known = known or issuer.rstrip("/") in [one.rstrip("/") for one in issuers]
        self.need("iss", known, code)

    # Step 8
    def choose_key(self):
        try:
            keys = KeySet(self.key_set_octets, self.rules)
        except Malformed:
            raise Fault("keys_unavailable")
        header, algorithm, same = self.header, self.algorithm, self.rules.same
        kid = header.get("kid")
        fitting = [key for key in keys.usable if key.fits(algorithm) or not self.on("key-fits")]
        candidates = [key for key in fitting if key.algorithm in (None, algorithm) or not self.on("key-own-algorithm")]
        skipped = kid is not None and kid in keys.skipped_kids and self.on("skipped-is-unusable")
        if not keys.usable and not skipped and self.on("fault-without-keys"):
            raise Fault("keys_unavailable")
        if kid is None:
            if self.name != "oidc" and self.on("kid-required"):
                raise Refused("key_not_found")
            if len({key.material for key in keys.usable}) > 1 and self.on("no-kid-only-key"):
                raise Refused("key_ambiguous")
        else:
            named = [key for key in candidates if key.kid is not None and same("kid-bytes", key.kid, kid)]
            if not named:
                if not self.on("no-fallback-to-any-key") and candidates:
                    return candidates[0]
                if skipped or (any(key.kid == kid for key in keys.usable) and self.on("unfit-is-unusable")):
                    raise Refused("key_unusable")
                raise Refused("key_not_found")
            candidates = named
        if not candidates:
            raise Refused("key_not_found")
        if len({key.material for key in candidates}) > 1:
            how = self.pick("ambiguous", "refuse", "first", "last", "any")
            if how == "refuse":
                raise Refused("key_ambiguous")
            if how == "any":
                return next((key for key in candidates if self.signature_holds(key)), candidates[0])
            return candidates[0 if how == "first" else -1]
        key = candidates[0]
        if self.name == "microsoft" and key.issuer is not None:
            issuer = (
                key.issuer.replace("{tenantid}", self.claims["tid"]) if self.on("key-issuer-template") else key.issuer
            )
            self.need("key-issuer", issuer == self.claims.get("iss"), "key_unusable")
        return key

    # Step 9
    def signature_holds(self, key):
        if self.octets[2] is None:
            return True
        relevant = self.rules.mutant if self.rules.mutant and self.rules.mutant[0].startswith("signature-") else None
        memo = (key.kind, key.material, self.algorithm, self.signed, self.octets[2], relevant)
        if memo not in _signatures or relevant is None and not self.rules.mutant:
            _signatures[memo] = self.check_signature(key)
        return _signatures[memo]

    def check_signature(self, key):
        signature, algorithm, data = self.octets[2], self.algorithm, self.signed
        name = crypto.hash_name(algorithm)
        if key.kind == "RSA":
            if algorithm[:2] not in ("RS", "PS"):
                return False
            n, e = key.material[1:]
            size = (n.bit_length() + 7) // 8
            if len(signature) != size:
                if self.on(f"signature-length-{algorithm[:2]}"):
                    return False
            number = int.from_bytes(signature, "big")
            if number >= n:
                if self.on("signature-below-modulus"):
                    return False
                number %= n
            recovered = pow(number, e, n)
            if algorithm[:2] == "PS":
                return crypto.verify_pss(
                    n,
                    n.bit_length(),
                    name,
                    data,
                    recovered,
                    not self.on("signature-pss-salt"),
                    (name,) if self.on("signature-pss-mask") else (name, "sha1"),
                )
            block = recovered.to_bytes(size, "big")
            accepted = [crypto.DIGEST_INFO[name] + crypto.digest(name, data)]
            if not self.on("signature-digest-info-null"):
                info = crypto.DIGEST_INFO[name]
                accepted.append(
                    bytes([0x30, info[1] - 2, 0x30, info[3] - 2]) + info[4:-4] + info[-2:] + crypto.digest(name, data)
                )
            if not self.on("signature-digest-info-der"):
                info = crypto.DIGEST_INFO[name] + crypto.digest(name, data)
                accepted.append(b"\x30\x81" + info[1:])
            if not self.on("signature-digest-info-there"):
                accepted.append(crypto.digest(name, data))
            for other in ("sha1", "sha384", "sha512"):
                if not self.on(f"signature-no-{other}-for-RS256"):
                    accepted.append(crypto.DIGEST_INFO[other] + crypto.digest(other, data))
            if any(block == crypto.pkcs1_block(size, info) for info in accepted):
                return True
            if not self.on("signature-no-garbage"):
                return re.match(b"\x00\x01\xff{8,}\x00" + re.escape(accepted[0]), block, re.DOTALL) is not None
            if not self.on("signature-block-type"):
                return block[0] == 0 and block.endswith(b"\x00" + accepted[0])
            return False
        if key.kind == "Ed25519":
            public = Ed25519PublicKey.from_public_bytes(key.material[1])
            return crypto.verify_ed25519(public, signature, data)
        curve = crypto.CURVES[key.kind]
        width = curve.width
        if len(signature) != 2 * width:
            if not self.on("signature-no-der") and signature[:1] == b"\x30":
                from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

                try:
                    return crypto.verify_ecdsa(curve, key.material[1:], name, data, *decode_dss_signature(signature))
                except ValueError:
                    return False
            how = self.pick("signature-length-EC", "refuse", "cut", "halves")
            if how == "refuse":
                return False
            width = width if how == "cut" else len(signature) // 2
        r, s = int.from_bytes(signature[:width], "big"), int.from_bytes(signature[width : 2 * width], "big")
        if r == 0 and s == 0 and not self.on("signature-not-zero"):
            return True
        if not self.on("signature-below-order"):
            r, s = r % curve.n, s % curve.n
        if not self.on("signature-high-s-accepted") and s > curve.n // 2:
            return False
        return crypto.verify_ecdsa(curve, key.material[1:], name, data, r, s)

    # Step 10
    def kind(self):
        claims, typ = self.claims, self.header.get("typ")
        if typ is not None:
            typ = typ.encode().lower().decode() if self.on("typ-ascii-case") else typ.upper().lower()
            if not self.on("typ-any-letter-case"):
                typ = self.header["typ"]
        if not self.notification:
            kinds = self.pick("typ-full-name", ("jwt", "application/jwt"), ("jwt",))
            self.need("typ", typ is None or typ in kinds, "not_an_identity_token")
            there = "events" in claims
            there = self.pick(
                "no-events-any-value", there, there and claims["events"] is not None, bool(claims.get("events"))
            )
            self.need("no-events", not there, "not_an_identity_token")
            return None
        code = "not_a_notification"
        self.need("notifier", self.name == "apple", code)
        kinds = self.pick("typ-secevent", ("jwt", "secevent+jwt"), ("jwt",))
        self.need("typ-notification", typ is None or typ in kinds, code)
        if "events" not in claims:
            raise Refused(code)
        self.need("no-nonce-in-notification", "nonce" not in claims, code)
        event = claims["events"]
        if is_text(event):
            if not self.on("events-as-string"):
                raise Refused("claims_malformed")
            try:
                event = parse(event.encode(), "events", self.rules)
            except Malformed:
                raise Refused("claims_malformed")
        elif not self.on("events-as-object"):
            raise Refused("claims_malformed")
        if not isinstance(event, dict) or not is_text(event.get("type")):
            raise Refused("claims_malformed")
        return event

    # Step 11
    def audience(self):
        code, audience = "audience_mismatch", self.claims.get("aud")
        configured = self.audiences
        if "narrow" in self.case and self.on("narrow"):
            configured = [self.case["narrow"]]
        if audience is None:
            if self.on("aud-there"):
                raise Refused(code)
            return configured[:1]
        audiences = [audience] if is_text(audience) else audience
        if is_text(audience) and not self.on("aud-as-string"):
            raise Refused(code)
        if not is_text(audience) and not self.on("aud-as-array"):
            raise Refused(code)
        if not audiences:
            if self.on("aud-not-empty"):
                raise Refused(code)
            return configured[:1]

        def known(one):
            if any(self.rules.same("aud-bytes", one, other) for other in configured):
                return True
            return not self.on("aud-whole") and any(
                one.startswith(other) or other.startswith(one) for other in configured
            )

        if not self.on("aud"):
            return audiences
        self.need("aud-no-stranger", all(known(one) for one in audiences), code)
        rules = {self.nonce_rule(one) for one in audiences if known(one)}
        if not self.notification:
            self.need("aud-one-nonce-rule", len(rules) < 2, code)
        return audiences

    def nonce_rule(self, audience):
        default = self.case.get("nonce", {}).get("rule")
        if not self.on("audience-nonce-rules"):
            return default
        return self.case.get("audienceNonceRules", {}).get(audience, default)

    # Steps 12 and 13
    def parties(self):
        party = self.claims.get("azp")
        if party is None:
            return
        code, same = "authorized_party_mismatch", self.rules.same
        parties = list(self.audiences) if self.on("azp-audiences") else []
        if self.on("azp-presenters"):
            parties += self.provider.get("presenters", [])
        self.need("azp", any(same("azp-bytes", party, one) for one in parties), code)

    def subject(self, event):
        code = "subject_missing"
        if self.notification:
            subject = event.get("sub")
            if event["type"] in ABOUT_ACCOUNTS:
                self.need(f"sub-in-{event['type']}", is_text(subject) and subject, code)
            return subject
        subject = self.claims.get("sub")
        self.need("sub-there", subject is not None, code)
        self.need("sub-not-empty", subject != "", code)
        return subject

    # Steps 14 to 17
    def times(self):
        at, claims, leeway = self.at, self.claims, self.leeway
        exp, iat, nbf = claims.get("exp"), claims["iat"], claims.get("nbf")
        if exp is not None and self.pick("exp-zero-is-expired", True, exp != 0):
            late = self.pick("exp-boundary", at < exp + leeway, at <= exp + leeway, at < exp + leeway - 1, at < exp)
            self.need("exp", late, "token_expired")
        if nbf is not None:
            early = self.pick("nbf-boundary", nbf <= at + leeway, nbf < at + leeway, nbf <= at + leeway + 1, nbf <= at)
            self.need("nbf", early, "token_not_yet_valid")
        past = self.pick("iat-boundary", iat <= at + leeway, iat < at + leeway, iat <= at + leeway + 1, iat <= at)
        self.need("iat", past, "issued_in_future")
        if self.name == "firebase" and "auth_time" in claims:
            when = claims["auth_time"]
            self.need(
                "auth_time",
                self.pick(
                    "auth_time-boundary", when <= at + leeway, when < at + leeway, when <= at + leeway + 1, when <= at
                ),
                "issued_in_future",
            )
        if exp is not None:
            self.need("iat-not-after-exp", self.pick("iat-exp-boundary", iat <= exp, iat < exp), "claims_malformed")
        age = self.provider.get("maximumAge", AGES[self.name])
        if not self.on("age-by-provider"):
            age = self.provider.get("maximumAge", 600)
        if not self.on("age-in-case"):
            age = AGES[self.name]
        if age is not None and not (self.notification and self.on("no-age-for-notifications")):
            young = self.pick(
                "age-boundary",
                at <= iat + age + leeway,
                at < iat + age + leeway,
                at <= iat + age + leeway + 1,
                at <= iat + age,
            )
            self.need("age", young, "token_too_old")

    # Step 18
    def hash(self, field, claim):
        if field not in self.case:
            if self.pick(f"{claim}-only-when-asked", False, True) and claim in self.claims:
                raise Refused("hash_mismatch")
            return
        code = "hash_mismatch"
        if claim not in self.claims:
            if self.on(f"{claim}-there"):
                raise Refused(code)
            return
        name = crypto.hash_name(self.algorithm) if self.on(f"{claim}-by-algorithm") else "sha256"
        if self.algorithm == "EdDSA" and not self.on(f"{claim}-eddsa"):
            name = "sha256"
        whole = hashlib.new(name, self.case[field].encode()).digest()
        wanted = b64u(whole[: len(whole) // 2])
        given = self.claims[claim]
        if not self.on(f"{claim}-canonical"):
            given = b64u(base64.b64decode(given.replace("-", "+").replace("_", "/") + "==="))
        if not self.on(f"{claim}-half-only") and given == b64u(whole):
            return
        self.need(claim, given == wanted, code)

    # Step 19
    def nonce(self, audiences):
        asked = self.case["nonce"]
        value, claim = asked.get("value"), self.claims.get("nonce")
        if value == "" and self.on("nonce-empty-value-is-missing"):
            value = None
        if claim == "" and self.on("nonce-empty-claim-is-missing"):
            claim = None
        rule = self.nonce_rule(audiences[0])
        if rule == "unchecked":
            self.need("nonce-unchecked-takes-none", value is None, "nonce_mismatch")
            return
        if value is None:
            self.need("nonce-value-required", False, "nonce_missing")
            if claim is None:
                return
            self.need("nonce-claim-without-value", False, "nonce_mismatch")
            return
        if claim is None:
            supported = self.claims.get("nonce_supported", True)
            unsupported = supported is False or supported == "false" and self.on("nonce-supported-string")
            if not self.on("nonce-supported-read"):
                unsupported = True
            allowed = asked.get("acceptsUnsupported", False) or not self.on("nonce-unsupported-only-when-asked")
            if allowed and unsupported and self.on("nonce-unsupported"):
                return
            self.need("nonce-claim-required", False, "nonce_missing")
            return
        digest = hashlib.sha256(value.encode()).digest()
        wanted = {"hashed": digest.hex(), "plain": value}[rule]
        ways = [wanted]
        if not self.on("nonce-one-rule"):
            ways = [digest.hex(), value]
        if not self.on("nonce-hash-once"):
            ways.append(hashlib.sha256(digest.hex().encode()).hexdigest())
        if not self.on("nonce-not-base64"):
            ways += [b64u(digest), base64.b64encode(digest).decode()]
        equal = any(self.rules.same("nonce-bytes", claim, way) for way in ways)
        if not self.on("nonce-whole"):
            equal = equal or wanted.startswith(claim) or claim.startswith(wanted)
        if not self.on("nonce-wrong-passes-when-unsupported") and self.claims.get("nonce_supported") in (
            False,
            "false",
        ):
            equal = equal or asked.get("acceptsUnsupported", False)
        self.need("nonce", equal, "nonce_mismatch")

    def accepted(self, subject, event, audiences):
        claims = self.claims
        result = {"verdict": "accepted", "subject": subject, "issuer": claims.get("iss")}
        if self.name == "google" and self.on("google-issuer-canonical"):
            result["issuer"] = "https://accounts.google.com"
        if len(audiences) == 1:
            result["audience"] = audiences[0]
        if event is not None:
            result["events"] = event["type"]
            return result
        email = claims.get("email")
        email = (
            email
            if is_text(email) and email and self.on("email-not-empty")
            else (None if self.on("email-not-empty") else email)
        )
        true = (True, "true") if self.on("flags-as-strings") else (True,)

        def flag(name):
            value = claims.get(name)
            if not self.on("flags-strict"):
                return bool(value)
            if not self.on("flags-no-numbers") and value in ("1", "True", "yes"):
                return True
            return any(value is way or (is_text(value) and value == way) for way in true)

        result["email"] = email
        result["emailVerified"] = flag("email_verified") and not (
            self.name == "facebook" and self.on("facebook-unverified")
        )
        result["privateEmail"] = flag("is_private_email")
        status = claims.get("real_user_status")
        if isinstance(status, Number) and re.fullmatch("-?[0-9]+", status):
            result["realUserStatus"] = int(status) if int(status) < 3 or self.on("real-user-status-any") else None
        return result


def outcome(case, key_set_octets, mutant=None, seen=None):
    """What the model says: a result in the form of `expect`."""
    model = None
    try:
        if "keySet" in case:
            rules = Rules(mutant)
            try:
                keys = KeySet(key_set_octets, rules)
                result = {"usable": len(keys.usable), "skipped": keys.skipped}
            except Malformed:
                result = {"malformed": True}
        else:
            model = Model(case, key_set_octets, mutant)
            rules = model.rules
            try:
                result = model.run()
            except Refused as refused:
                result = {"verdict": "refused", "code": str(refused)}
            except Fault as fault:
                result = {"verdict": "fault", "code": str(fault)}
    except Exception as error:  # a mutant may run into anything; the model itself may not
        if mutant is None:
            raise
        return {"crashed": repr(error)}
    if seen is not None:
        seen |= rules.seen
    return result


def agrees(expected, found):
    """Whether the model's result is as expected; a case need not name every value of an acceptance."""
    if expected.get("verdict") == "accepted":
        return all(
            name in found and found[name] == value and type(found[name]) is type(value)
            for name, value in expected.items()
        )
    return expected == found
