import PosternAccounts

/// What is typed, and how it is kept.
let goodAddresses: [(String, String)] = [
    // Dot-strings.
    ("a@example.org", "a@example.org"), ("A.B@Example.ORG", "A.B@example.org"),
    ("a.b.c@example.org", "a.b.c@example.org"),
    ("user+tag@example.org", "user+tag@example.org"), ("1@example.org", "1@example.org"),
    ("-@example.org", "-@example.org"),
    ("!#$%&'*+-/=?^_`{|}~@example.org", "!#$%&'*+-/=?^_`{|}~@example.org"), ("a--b@example.org", "a--b@example.org"),
    // Quoted, where that is needed, and only there.
    ("\"a b\"@example.org", "\"a b\"@example.org"), ("\" \"@example.org", "\" \"@example.org"),
    ("\"a@b\"@example.org", "\"a@b\"@example.org"), ("\"a\\@b\"@example.org", "\"a@b\"@example.org"),
    ("\"a\\\"b\"@example.org", "\"a\\\"b\"@example.org"), ("\"a\\\\b\"@example.org", "\"a\\\\b\"@example.org"),
    ("\"a..b\"@example.org", "\"a..b\"@example.org"), ("\".\"@example.org", "\".\"@example.org"),
    ("\"a.\"@example.org", "\"a.\"@example.org"), ("\"<a>\"@example.org", "\"<a>\"@example.org"),
    ("\"ab\"@example.org", "ab@example.org"), ("\"a.b\"@example.org", "a.b@example.org"),
    ("\"\\a\\b\"@example.org", "ab@example.org"), ("\"\\\"\"@example.org", "\"\\\"\"@example.org"),
    ("\"A B\"@EXAMPLE.org", "\"A B\"@example.org"),
    // Domains in ASCII.
    ("a@b.c", "a@b.c"), ("a@1.example", "a@1.example"), ("a@1a.2b", "a@1a.2b"), ("a@a-b.example", "a@a-b.example"),
    ("a@a.b.c.d.e.f.example", "a@a.b.c.d.e.f.example"), ("a@ab--cd.example", "a@ab--cd.example"),
    ("a@192.0.2.1a", "a@192.0.2.1a"), ("a@xn.example", "a@xn.example"), ("a@axn--b.example", "a@axn--b.example"),
    // Domains that are A-labels, and such as become some.
    ("a@xn--bcher-kva.example", "a@xn--bcher-kva.example"), ("a@XN--Bcher-KVA.example", "a@xn--bcher-kva.example"),
    ("a@b\u{FC}cher.example", "a@xn--bcher-kva.example"), ("a@B\u{DC}CHER.Example", "a@xn--bcher-kva.example"),
    ("a@bu\u{308}cher.example", "a@xn--bcher-kva.example"), ("a@fa\u{DF}.example", "a@xn--fa-hia.example"),
    ("a@xn--fa-hia.example", "a@xn--fa-hia.example"),
    ("a@\u{4F8B}\u{3048}.\u{30C6}\u{30B9}\u{30C8}", "a@xn--r8jz45g.xn--zckzah"),
    ("a@\u{43F}\u{440}\u{438}\u{43C}\u{435}\u{440}.\u{440}\u{444}", "a@xn--e1afmkfd.xn--p1ai"),
    ("a@\u{5D0}\u{5D1}.example", "a@xn--4dbc.example"), ("a@www.b\u{FC}cher.example", "a@www.xn--bcher-kva.example"),
    // Another script in part: not the domain it looks like.
    ("a@\u{430}pple.example", "a@xn--pple-43d.example"),
    // What UTS 46 maps: dots of other scripts, full-width letters, compatibility forms, what is not seen.
    ("a@example\u{3002}org", "a@example.org"), ("a@example\u{FF0E}org", "a@example.org"),
    ("a@example\u{FF61}org", "a@example.org"),
    ("a@\u{FF45}\u{FF58}ample.org", "a@example.org"), ("a@ex\u{AD}ample.org", "a@example.org"),
    ("a@\u{212A}elvin.example", "a@kelvin.example"), ("a@\u{FB01}sh.example", "a@fish.example"),
    ("a@\u{2460}a.example", "a@1a.example"),
]

/// What is typed, and what is said to be wrong.
let badAddresses: [(String, EmailAddress.Mistake)] = [
    ("", .noAtSign), ("a", .noAtSign), ("example.org", .noAtSign), ("a\u{FF20}example.org", .noAtSign),
    // Local parts.
    ("@", .localPart), ("@example.org", .localPart), (".a@example.org", .localPart), ("a.@example.org", .localPart),
    ("a..b@example.org", .localPart), (".@example.org", .localPart), ("a b@example.org", .localPart),
    (" a@example.org", .localPart), ("a @example.org", .localPart), ("a\u{0}@example.org", .localPart),
    ("\u{0}a@example.org", .localPart), ("a\n@example.org", .localPart), ("a\r\nBcc: b@example.org", .localPart),
    ("a\u{7F}@example.org", .localPart), ("\u{E9}@example.org", .localPart), ("e\u{301}@example.org", .localPart),
    ("\u{212A}@example.org", .localPart), ("\u{FEFF}a@example.org", .localPart), ("a\u{FFFD}@example.org", .localPart),
    ("a,b@example.org", .localPart), ("a;b@example.org", .localPart), ("a:b@example.org", .localPart),
    ("mailto:a@example.org", .localPart), ("<a@example.org>", .localPart), ("Sam <a@example.org>", .localPart),
    ("a(b)@example.org", .localPart), ("[a]@example.org", .localPart), ("a@b@example.org", .localPart),
    ("a\\b@example.org", .localPart), ("@a,@b:c@example.org", .localPart),
    // Quoted ones.
    ("\"@example.org", .localPart), ("\"\"@example.org", .localPart), ("\"a@example.org", .localPart),
    ("a\"@example.org", .localPart), ("\"a\"b@example.org", .localPart), ("b\"a\"@example.org", .localPart),
    ("\"a\".b@example.org", .localPart), ("\"a\\\"@example.org", .localPart), ("\"\\\"@example.org", .localPart),
    ("\"a\"b\"@example.org", .localPart), ("\"\t\"@example.org", .localPart), ("\"\\\u{0}\"@example.org", .localPart),
    ("\"a\u{0}\"@example.org", .localPart), ("\"\u{E9}\"@example.org", .localPart),
    ("\"a\r\n b\"@example.org", .localPart),
    // Domains in ASCII.
    ("a@", .domain), ("a@b", .domain), ("a@localhost", .domain), ("a@.", .domain), ("a@.org", .domain),
    ("a@example.", .domain),
    ("a@example.org.", .domain), ("a@example..org", .domain), ("a@-a.org", .domain), ("a@a-.org", .domain),
    ("a@a.-b", .domain), ("a@a_b.org", .domain), ("a@a b.org", .domain), ("a@ example.org", .domain),
    ("a@example.org ", .domain),
    ("a@example.org\n", .domain), ("a@example.org\u{0}", .domain), ("a@exam\u{0}ple.org", .domain),
    ("a@\u{0}", .domain),
    ("a@example.org\u{0}.example", .domain), ("a@[192.0.2.1]", .domain), ("a@[IPv6:::1]", .domain),
    ("a@192.0.2.1", .domain),
    ("a@a.1", .domain), ("a@a.0x1.7", .domain), ("a@example.org>", .domain), ("a@example.org, b", .domain),
    ("a@example.org(c)", .domain), ("a@exa/mple.org", .domain), ("a@example.org:25", .domain),
    ("a@exa%6Dple.org", .domain),
    ("a@*.org", .domain),
    // A-labels that no U-label leads to.
    ("a@xn--.org", .domain), ("a@xn--a.org", .domain), ("a@xn--abc-.org", .domain), ("a@xn--bcher-kv.org", .domain),
    ("a@xn--99999999.org", .domain), ("a@xn--\u{FC}.org", .domain), ("a@example.xn--", .domain),
    // What no domain may hold.
    ("a@\u{2615}.example", .domain), ("a@\u{1F600}.example", .domain), ("a@a\u{202E}b.example", .domain),
    ("a@a\u{200D}b.example", .domain), ("a@a\u{200C}b.example", .domain), ("a@\u{301}a.example", .domain),
    ("a@exam\u{FFFD}ple.org", .domain), ("a@a\u{2028}b.example", .domain), ("a@a\u{3000}b.example", .domain),
    ("a@1\u{5D0}.example", .domain), ("a@\u{5D0}a.example", .domain), ("a@example\u{2024}", .domain),
    ("a@a\u{FF0F}b.example", .domain), ("a@a\u{FF20}b.example", .domain), ("a@a\u{2100}b.example", .domain),
    // UTF-8 that is longer than need be stands for U+FFFD as soon as it is a text.
    (String(decoding: [0x61, 0x40, 0x61, 0xC0, 0xAE, 0x62], as: UTF8.self), .domain),
    (String(decoding: [0x61, 0xC1, 0x80, 0x61, 0x2E, 0x62], as: UTF8.self), .noAtSign),
    (String(decoding: [0xC1, 0xA1, 0x40, 0x61, 0x2E, 0x62], as: UTF8.self), .localPart),
]
