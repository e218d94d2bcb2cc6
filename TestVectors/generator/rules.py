"""Switches for the model's sub-rules.

Each sub-rule of the model asks here for its value. Normally it gets the first one; a mutant gets
another (the rule left out, or done in a way seen in the wild). A mutant that changes no outcome of
any case shows a sub-rule that the vectors do not test.
"""

import unicodedata


class Rules:
    def __init__(self, mutant=None):
        self.mutant, self.seen = mutant, set()

    def pick(self, name, normal, *others):
        for index, other in enumerate(others):
            self.seen.add((name, index))
            if self.mutant == (name, index):
                return other
        return normal

    def on(self, name):
        return self.pick(name, True, False)

    def same(self, name, left, right):
        """Equality of text by its bytes; the mutants take canonical equivalents and other case for equal."""
        how = self.pick(name, "bytes", "canonical", "folded")
        if how == "bytes":
            return left == right
        left, right = unicodedata.normalize("NFC", left), unicodedata.normalize("NFC", right)
        return left == right if how == "canonical" else left.lower() == right.lower()
