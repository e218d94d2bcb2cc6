"""aud, azp, presenters, narrowing."""

from ..build import APP, DROP, OTHER, PLAIN, RAW_NONCE, SUBJECT, WEB, Book, accepted, sha256hex, token, usual_key_set
from ..encoding import Raw

EVIL = "com.example.evil"


def book():
    book = Book("audiences", "Audiences: aud, azp, presenters, narrowing", apple=usual_key_set())
    one, two = {"name": "apple", "audiences": [APP]}, {"name": "apple", "audiences": [APP, WEB]}

    def case(name, rule, body, expect, attacks=31, provider=one, **more):
        book.case(name, rule, token(None, body), expect, provider=provider, attacks=attacks, **more)

    case("string", "aud as a string.", {"aud": APP}, accepted(audience=APP))
    case("array", "aud as an array of one.", {"aud": [APP]}, accepted(audience=APP))
    case("array-twice", "The same audience twice in an array.", {"aud": [APP, APP]}, accepted())
    case(
        "second-configured",
        "Any of the configured audiences will do.",
        {"aud": WEB},
        accepted(audience=WEB),
        provider=two,
    )
    case("array-both", "Several audiences, all configured.", {"aud": [WEB, APP]}, accepted(), [31, 32], provider=two)
    for name, value in (
        ("empty-array", []),
        ("other", OTHER),
        ("array-other", [OTHER]),
        ("empty", ""),
        ("array-empty", [""]),
        ("prefix", "com.example.ap"),
        ("shorter", "com.example"),
        ("longer", APP + ".evil"),
        ("suffix", "app"),
        ("upper", APP.upper()),
        ("title", "com.example.App"),
        ("space-before", " " + APP),
        ("space-after", APP + " "),
        ("newline", APP + "\n"),
        ("nul", APP + "\u0000"),
        ("nul-evil", APP + "\u0000.evil"),
        ("team-prefix", "TEAM012345." + APP),
        ("list", f"{APP},{OTHER}"),
        ("spaced-list", f"{APP} {OTHER}"),
        ("json", f'["{APP}"]'),
        ("star", "*"),
        ("wildcard", "com.example.*"),
        ("url", "https://" + APP),
        ("slash", APP + "/"),
        ("dots-as-any", "com-example-app"),
        ("cyrillic", "com.ex\u0430mple.app"),
        ("full-width", "com\uff0eexample.app"),
        ("zero-width", "com.example.\u200bapp"),
        ("apple", "https://appleid.apple.com"),
    ):
        case(f"not-{name}", "aud is compared byte for byte, as a whole.", {"aud": value}, "audience_mismatch")
    case("missing", "A token without aud is for nobody.", {"aud": DROP}, "audience_mismatch")
    for name, value in (
        ("stranger-after", [APP, EVIL]),
        ("stranger-before", [EVIL, APP]),
        ("stranger-empty", [APP, ""]),
        ("stranger-similar", [APP, APP + " "]),
        ("many", [APP] * 50 + [EVIL]),
    ):
        case(
            name, "An audience that is not configured spoils the array.", {"aud": value}, "audience_mismatch", [31, 32]
        )
    case(
        "stranger-with-azp",
        "azp does not excuse an audience that is not configured.",
        {"aud": [APP, EVIL], "azp": APP},
        "audience_mismatch",
        [31, 32],
    )
    case(
        "stranger-presenter",
        "A presenter is no audience.",
        {"aud": [APP, OTHER]},
        "audience_mismatch",
        32,
        provider=one | {"presenters": [OTHER]},
    )
    case(
        "presenter-as-audience",
        "A token for a presenter is not for us.",
        {"aud": OTHER},
        "audience_mismatch",
        [31, 33],
        provider=one | {"presenters": [OTHER]},
    )
    case(
        "escaped",
        "Escapes in aud are resolved before it is compared.",
        {"aud": Raw('"com\\u002eexample.app"')},
        accepted(audience=APP),
    )
    # Unicode: class 29
    for name, configured, given in (
        ("kelvin-for-k", "com.example.Kit", "com.example.\u212ait"),
        ("k-for-kelvin", "com.example.\u212ait", "com.example.Kit"),
        ("nfd-for-nfc", "caf\u00e9", "cafe\u0301"),
        ("nfc-for-nfd", "cafe\u0301", "caf\u00e9"),
        ("angstrom", "\u00c5pp", "\u212bpp"),
        ("hangul", "\uac00", "\u1100\u1161"),
    ):
        provider = {"name": "apple", "audiences": [configured]}
        case(
            f"unicode-{name}",
            "Canonically equivalent audiences are different.",
            {"aud": given},
            "audience_mismatch",
            [29, 31],
            provider,
        )
        case(
            f"unicode-{name}-array",
            "Canonically equivalent audiences are different in an array too.",
            {"aud": [configured, given]},
            "audience_mismatch",
            [29, 31],
            provider,
        )
        case(
            f"unicode-{name}-same",
            "An audience equals itself.",
            {"aud": configured},
            accepted(audience=configured),
            29,
            provider,
        )
    # Narrowing
    case(
        "narrow-same",
        "The request narrows to the token's audience.",
        {"aud": WEB},
        accepted(audience=WEB),
        provider=two,
        narrow=WEB,
    )
    case(
        "narrow-other",
        "The request narrows to another audience.",
        {"aud": WEB},
        "audience_mismatch",
        provider=two,
        narrow=APP,
    )
    case(
        "narrow-array",
        "An array with an audience outside of the narrowing.",
        {"aud": [APP, WEB]},
        "audience_mismatch",
        provider=two,
        narrow=APP,
    )
    case(
        "narrow-array-one",
        "An array of the one audience of the narrowing.",
        {"aud": [APP]},
        accepted(audience=APP),
        provider=two,
        narrow=APP,
    )
    case(
        "narrow-first",
        "The first configured audience has no advantage.",
        {"aud": APP},
        "audience_mismatch",
        provider=two,
        narrow=WEB,
    )
    case(
        "narrow-missing",
        "Narrowing does not stand in for aud.",
        {"aud": DROP},
        "audience_mismatch",
        provider=two,
        narrow=APP,
    )
    # azp: class 32
    with_presenter = one | {"presenters": [OTHER]}
    case("azp-audience", "azp may be an audience.", {"azp": APP}, accepted(audience=APP), 32)
    case("azp-second-audience", "azp may be another of the audiences.", {"azp": WEB}, accepted(audience=APP), 32, two)
    case("azp-presenter", "azp may be a presenter.", {"azp": OTHER}, accepted(audience=APP), 32, with_presenter)
    case(
        "azp-audience-with-presenters",
        "Presenters do not displace audiences.",
        {"azp": APP},
        accepted(audience=APP),
        32,
        with_presenter,
    )
    case("azp-none-with-presenters", "azp may be absent.", {}, accepted(audience=APP), 32, with_presenter)
    case("azp-several-audiences", "azp with several audiences.", {"aud": [APP, WEB], "azp": WEB}, accepted(), 32, two)
    case(
        "azp-none-with-several-audiences",
        "azp may be absent with several audiences too.",
        {"aud": [APP, WEB]},
        accepted(),
        32,
        two,
    )
    for name, value in (
        ("other", OTHER),
        ("empty", ""),
        ("prefix", "com.example.ap"),
        ("longer", APP + ".evil"),
        ("upper", APP.upper()),
        ("space", APP + " "),
        ("nul", APP + "\u0000"),
        ("subject", SUBJECT),
    ):
        case(
            f"azp-not-{name}",
            "azp must be an audience or a presenter, byte for byte.",
            {"azp": value},
            "authorized_party_mismatch",
            32,
        )
    case(
        "azp-not-with-presenters",
        "azp must be one of the presenters.",
        {"azp": EVIL},
        "authorized_party_mismatch",
        32,
        with_presenter,
    )
    case(
        "azp-not-with-several-audiences",
        "azp of a stranger with several good audiences.",
        {"aud": [APP, WEB], "azp": EVIL},
        "authorized_party_mismatch",
        32,
        two,
    )
    for name, configured, given in (
        ("kelvin", "com.example.Kit", "com.example.\u212ait"),
        ("nfd", "caf\u00e9", "cafe\u0301"),
    ):
        case(
            f"azp-unicode-{name}",
            "Canonically equivalent parties are different.",
            {"azp": given},
            "authorized_party_mismatch",
            [29, 32],
            {"name": "apple", "audiences": [APP], "presenters": [configured]},
        )
    # Nonce rules that differ between audiences
    rules = {APP: "hashed", WEB: "plain"}
    hashed, plain = sha256hex(RAW_NONCE), RAW_NONCE
    case(
        "rules-app",
        "The audience's own nonce rule counts: hashed.",
        {"aud": APP, "nonce": hashed},
        accepted(audience=APP),
        34,
        two,
        nonce=PLAIN,
        audienceNonceRules=rules,
    )
    case(
        "rules-web",
        "The audience's own nonce rule counts: plain.",
        {"aud": WEB, "nonce": plain},
        accepted(audience=WEB),
        34,
        two,
        audienceNonceRules=rules,
    )
    case(
        "rules-app-plain",
        "An audience under the hashed rule takes no plain nonce.",
        {"aud": APP, "nonce": plain},
        "nonce_mismatch",
        34,
        two,
        nonce=PLAIN,
        audienceNonceRules=rules,
    )
    case(
        "rules-web-hashed",
        "An audience under the plain rule takes no hashed nonce.",
        {"aud": WEB, "nonce": hashed},
        "nonce_mismatch",
        34,
        two,
        audienceNonceRules=rules,
    )
    case(
        "rules-default",
        "An audience without a rule of its own has the rule of the case.",
        {"aud": APP, "nonce": hashed},
        accepted(audience=APP),
        34,
        two,
        audienceNonceRules={WEB: "plain"},
    )
    for name, nonce in (("hashed", hashed), ("plain", plain)):
        case(
            f"rules-both-{name}",
            "Audiences with different nonce rules cannot come together.",
            {"aud": [APP, WEB], "nonce": nonce},
            "audience_mismatch",
            [31, 34],
            two,
            audienceNonceRules=rules,
        )
        case(
            f"rules-both-turned-{name}",
            "Audiences with different nonce rules cannot come together, in no order.",
            {"aud": [WEB, APP], "nonce": nonce},
            "audience_mismatch",
            [31, 34],
            two,
            audienceNonceRules=rules,
        )
    case(
        "rules-both-unchecked",
        "The unchecked rule differs from the hashed rule.",
        {"aud": [APP, WEB], "nonce": hashed},
        "audience_mismatch",
        [31, 34],
        two,
        audienceNonceRules={WEB: "unchecked"},
    )
    case(
        "rules-both-same",
        "Audiences with the same rule can come together.",
        {"aud": [APP, WEB], "nonce": plain},
        accepted(),
        34,
        two,
        audienceNonceRules={APP: "plain", WEB: "plain"},
    )
    case(
        "rules-unchecked",
        "An audience under the unchecked rule.",
        {"aud": WEB, "nonce": DROP},
        accepted(audience=WEB),
        34,
        two,
        nonce={"rule": "hashed"},
        audienceNonceRules={WEB: "unchecked"},
    )
    return book
