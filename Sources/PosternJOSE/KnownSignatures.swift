/// Signatures that were made elsewhere (Python's `cryptography`) over the text `postern doctor`, with the keys that verify them.
/// The private keys are gone.
enum KnownSignatures {
    static let message = Array("postern doctor".utf8)

    /// A key for each curve, and one of RSA for six algorithms.
    static let keySet = Array(
        """
        {"keys":[
        {"kty":"RSA","e":"AQAB","n":"\(modulus)"},
        {"kty":"EC","crv":"P-256","x":"_dkd4aXyMr538kMGsbB7qyv2F-qjtf2c0_Z_1au--kA",
         "y":"MOrX1vn65TTNpd_bV6KD9RJhImklaxnt29OjsCoBEQ4"},
        {"kty":"EC","crv":"P-384","x":"QhmP-HgCT2goNQuVQ3NG4vwVlTzKzB1MTpAfg73BhFJMKaUBpcjszk4lDl_mNIBr",
         "y":"MgsQRHUDF8XOAqfKOOmZbN2wziCGzWRBBRIeEWBPyIRkoXY8fae2qkN9jkmUo6oA"},
        {"kty":"EC","crv":"P-521",
         "x":"APFZ2n6Xrq7Z3zckicNFo0ZkJvfbwthHCAPI6G3d6ivujutwqbSBPQ9GDr8ivcWUk1z6GSRpAg_XM8UUdzvVT0G9",
         "y":"AE27N_4BhwGc--f2IQ5tYhcF69MdfwHN3iChDblQj2uBIYu4TZE9cZHRcRXAfsSwU6si0yZwVj95uL7R-oeJNS5U"},
        {"kty":"OKP","crv":"Ed25519","x":"vONpK7UbmdFu924YQJfe5gNdtdZNks_hFjy9Ny_wVhM"}
        ]}
        """.utf8)

    /// By algorithm, in base64url.
    static let signatures: [(algorithm: Algorithm, text: String)] = [
        (
            .rs256,
            "bbk7BO3qh9cMl4Q63iN8EkvoO7sYgpkvDCXGMxImJ5HGBnT6nRRvP9KqzIHqJmIsj_gHgQ2wpXiIEQ46z_avVdkpsXiqog0RCrY8"
                + "lztEM9W9Z8lCGE4w-UhBY5739M6zk7rA8QLnCPY1gO3OXJzYCGOt5paADBFI2fzMkb0Jd575vLiqayDIjepGHUxRrWAKzcd6m4rT"
                + "3LzwUxidKMzSOYS7quGrBDwWpOQDylp4mS6h_3acBOixYIGnwl7qCGW8e9oNOnIRppxDHJf2n1ej4Vt0Bc2gWA-xqqISFrUhm_S-"
                + "1chFtMzPql_JfzivJozTS4gR7By8OGSJBF4gYJRzIQ"
        ),
        (
            .rs384,
            "FjVmA4Beb7_GHTa7O-Xlz6Intd-Q-V2pbd6av_El61er1768TeJ3dCHKdE1dJTIICys9ZrnZD2yYpfaIv2ccztUrBF8Bfrzia8zv"
                + "z16R8IWzkIpjkBUIJWlhwN1VkWZ1McISNbS_kTJ5IbAs4OF-jJ7hclqMcaqu80x0tvcTdNnt0kILhuYVDZassMnc55fkrCSNjnKA"
                + "FEZvl7q-L_q2WpNbjZ-4DsCyhDcCKkOMjzEhNlkvLJEV0aJL2kasunRzy7-6btEscNT3jGS8j3BLDMJfDQ4IpqMLUQKLdsfp4uMy"
                + "zi0G9mVXfz6OlCpsWrkjMKqS_JN8Exgu6k0YRy6HHQ"
        ),
        (
            .rs512,
            "OknyyXjKDU1hYOo8I7zSr3_T14Ver5S_R-Snp2G8Xq31xva01X1PtFwB3UYUJLWexfDIAvUVNsZyLB8NWfa5W6M8ArpqWv6jRbS2"
                + "SpNbuDo2O1p9gANspatkYFGYc_s0pDrhwlDSltaUNoeOtSUp3lvFoOxUAzOLcnAVhYi9yNflIE6KkUDZLz8-Kw9NonU_6ecTYK0-"
                + "SvO_rZWLmokPnHKVM3CbhifD2n9gf6dAX6kLbDRP3ehunigBxVFdTZdMZK9qiYwbvhyGkGWGHzOqMgJW8eDr70XUoQAYdlfC6A3w"
                + "lJEjIHMD8U-hZLNE2kXy4c3duEv_tVaktJxmWQy8mQ"
        ),
        (
            .ps256,
            "Zp1c7evS12ZvN5LcX9ILAodZdkrAs4zqgsLentHwazNFDDH0raRv8WDuVETdp583UkQHNBaIS_8kL7ALy6njQdsqYkuhk1hIzYxn"
                + "VcotgFC0F35EGZZnONG43NOtEdA22-9F8kMAz3aGPiJlXCMcJGpyb9g9zpyYBe5376c_t__fG5uAZgBf96bG8-MvrdJn65ubCdHA"
                + "9UY5adJ3-J_FB0tdd2X0pZaYbZme5xq8j3zJkpB59fspQWsQCiG3kaZzacXYkHeL6pzH0OBWjTIIKOiMfGJnFyQSE3YDTe2JjZu7"
                + "u5vIxbrvyBsSArb-x3RD269dFxTqecAnOt4omtxXmA"
        ),
        (
            .ps384,
            "WQwY5OlXJbAv8Is9GxfTPTURbOftkpdpdc92ct-lggGvQGJYHgUb7yPAvpCZoozBfuRrilu6xr6uSjd6W3Lt6fu4P5yzKDD0ymsI"
                + "saGjUHAAwk70g3wf188h4WbBBdOndR_mlu3gbhlf5M120cVQA7JHDguBLGSVDx2XfdMfcs64_h8FxFGmQfWUktEVIjzBqDCQ3Ywy"
                + "lRjDYXRJ3VyC_NVGAnUQIKUZBwo5t0JW5vb2UPYxOQgQNQP-EwJ3zwflTQWRn8aZzlNcGSM0UBmWQRM3E7twyxnNd1G_aW0KST_V"
                + "QUHIbsPZA9Iob4X_6kQSaiRF4BmfyH5-l-5PmUU_Rw"
        ),
        (
            .ps512,
            "OoIEG82K5O4qjY9doIp3mEbKeDZuEIXDiwQECLZKbX0tmoU-Bc2G8IHUfx3cE0h44WWvDBGeemJFk7UuNIyMZALDKeJe6f42NxEl"
                + "0OSX77exaivUq-9h3n4lig2HFMWEn8mtK76bv_ne6qV7JhthLbv3sSGna60S4mXWB4Vgy1lM4pURoWBj3vRdmbpvU7lRqUUBMCoJ"
                + "M1ZMYigHi3erH-bxvVDRJenVS2gJghSyWDMvl7YOe1p2ZicAtVxhk62IFRMkng0mmWFgmsMxXc6IxKYvxUb8YCO1wOsIVblVlv-g"
                + "sqQF2Ow5DGp86mP3kUA3Qgxsl65vKmx2ivoYYhZpPg"
        ),
        (
            .es256,
            "thDN8_urqyvZjuflBkE521A88nO6LECljyIZkYnWvKITbYITzkB1CnTeDPwDJcHWsDZdqqx14j71HVLsmbGx8Q"
        ),
        (
            .es384,
            "vvwCU9JBE2yEBEq-aIRGPen9HbOJ31Ds4Sittq2DYA4-hvutynA6jrIdlkymvAWkizlS09itYYKAZbECsnAC-OEndJTYmdc_vN_o"
                + "aiY2RR5ba51TFpWrXXfQLUzW8cmw"
        ),
        (
            .es512,
            "AFxLF8tufN4Aic8QeZqNqdhrbryIzm7PJaeUymjeGPUxZP2KqCyPKNOfLZglE2XB06mJb0Y0pfDJmnO1ObOiPMmEAIJf6eyY4DzA"
                + "XLba-nLc-gddQjJMcWARckd3uwOeCXrUHx6TZjmTLacsD4_tWQXuFyRcZlyJwhg2w9x-VHJ-d0_P"
        ),
        (
            .edDSA,
            "3huWO0b333AHadrWhZrSw1UJ1aLAJeXq5dto0_wiQ8Rqt56SDR85oWnkL7b3NQ9C2LyoQVVj8dtskOJPKYIGBg"
        ),
    ]

    private static let modulus =
        "ntCQFtdLMZTvJToffj3EzE_UsuKMECNlIxDDmmZQp69PhyRgCEKwg8JX4qnP5ZnG9aPjXYV2nyeykyY3_vqfhrpOAZ8FZhbLom_G"
        + "pZTaIEBYwjOpb-BjFi3flR4XCjbWOwHXYTB2KXGkp1DD7rjYXBA30ULPLR5tOgHxZXhDkZEooKflRfyc92L8wXKYqxBJUoD8zzMp"
        + "_l_l7yt83JdxKT6LR7mrT5nK2LkOm52E95MdqOcbbk_kGbsD7m65UD0S9G7OATAVlcwJWL4FKGN9nuW4RVqmK-IdI_RcoJR8ZHTS"
        + "_9O-nuXJauKg1Nfv8G9m__hL_q9wez7PlsEnCCO2Hw"
}
