/// Small files that pass, for tests that spoil them.
enum Samples {
    /// Two cases of our own format that need no key: one token, one key set.
    static let own = """
        {
          "format": "postern-vectors/1",
          "title": "A sample",
          "keySets": {"none": {"keys": []}, "text": "{"},
          "cases": [
            {
              "id": "sample-token",
              "rule": "a token has three segments",
              "attacks": [1],
              "provider": {"name": "apple", "audiences": ["com.example.app"]},
              "keys": "none",
              "token": "a.b",
              "nonce": {"rule": "hashed", "value": "raw"},
              "at": 1790000000,
              "expect": {"verdict": "refused", "code": "token_malformed"}
            },
            {
              "id": "sample-set",
              "rule": "an empty set is a set",
              "keySet": "none",
              "expect": {"usable": 0, "skipped": {}}
            }
          ]
        }
        """

    /// The first test of RFC 8032 §7.1 in the form of Wycheproof.
    static let wycheproof = """
        {
          "algorithm": "EDDSA",
          "schema": "eddsa_verify_schema_v1.json",
          "numberOfTests": 1,
          "header": [],
          "notes": {},
          "testGroups": [
            {
              "type": "EddsaVerify",
              "source": {"name": "sample", "version": "1"},
              "publicKey": {
                "type": "EDDSAPublicKey",
                "curve": "edwards25519",
                "keySize": 255,
                "pk": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
              },
              "publicKeyDer": "",
              "publicKeyPem": "",
              "tests": [
                {
                  "tcId": 1,
                  "comment": "",
                  "flags": [],
                  "msg": "",
                  "sig": "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
                  "result": "valid"
                }
              ]
            }
          ]
        }
        """

    /// FIPS 180's digest of "abc".
    static let digests = """
        # A sample

        [L = 32]

        Len = 24
        Msg = 616263
        MD = ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
        """
}
