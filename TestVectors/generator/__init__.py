"""The maker of the test vectors; run it through ../generate.py."""
