"""Why the gate rejects a family: a code, and the sentence that goes with it."""

from enum import StrEnum
from typing import NamedTuple


class Reason(StrEnum):
    """A reason for rejection; the codes are stable, since rejections are recorded under them."""

    sentence: str

    def __new__(cls, code: str, sentence: str) -> "Reason":
        """A member that is its code and carries its sentence."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.sentence = sentence
        return member

    # What can be read off the files.
    MANIFEST = "manifest", "The family's files cannot be read as a family."
    CANARY_MISSING = "canary_missing", "A hidden file does not hold the family's canary."
    REPOSITORY_TOO_SMALL = "repository_too_small", "The starting tree is too small to be a repository."
    STANDARD_NAME = "standard_name", "A module bears the name of a standard library module."
    TOO_FEW_FIXES = "too_few_fixes", "There are too few known fixes to test the oracle with."
    SAME_FIX_TWICE = "same_fix_twice", "Two known fixes are the same code."
    DUPLICATE_NAME = "duplicate_name", "A name is used for two known fixes."
    NOT_EDITABLE = "not_editable", "A known fix changes a file that an agent may not change."
    TOO_FEW_TRIALS = "too_few_trials", "The oracle has too few trials."
    PREDICTION_MISSING = "prediction_missing", "A variant has no predicted solve rate."
    ORACLE_VISIBLE = "oracle_visible", "Something of the oracle is in what an agent can see."
    # What the judge shows.
    ORACLE_FAULT = "oracle_fault", "The generator, the reference or the driver's data cannot be used."
    ORACLE_BY_CHANCE = "oracle_by_chance", "The oracle gives other trials or answers when it is asked again."
    HIDDEN_OVERLAP = "hidden_overlap", "A hidden trial is one of the visible cases."
    TAGS_TOO_RARE = "tags_too_rare", "Too few trials carry a tag."
    # What the rooms show.
    UNTOUCHED_GREEN = "untouched_green", "A1: the untouched tree passes the visible suite."
    UNTOUCHED_AGREES = "untouched_agrees", "A1: the untouched tree agrees with the oracle."
    CORRECT_RED = "correct_red", "A2: a correct fix does not pass the visible suite."
    CORRECT_DISAGREES = "correct_disagrees", "A2: a correct fix disagrees with the oracle."
    ORACLE_SUSPECT = "oracle_suspect", "Two correct fixes disagree with the oracle on the same trial."
    VERDICTS_DIFFER = "verdicts_differ", "A3: the same tree was not answered or judged alike every time."
    NETWORK_ON = "network_on", "A4: a network can be reached."
    TOO_SLOW = "too_slow", "A5: a verification took longer than its bound."
    LAZY_RED = "lazy_red", "A lazy fix does not pass the visible suite."
    LAZY_RIGHT = "lazy_right", "A lazy fix agrees with the oracle."
    WRONG_GREEN = "wrong_green", "A fix that should fail the visible suite passes it."
    SIGNATURE_MISSING = "signature_missing", "A lazy fix has no recorded signature for this oracle."
    SIGNATURE_DIFFERS = "signature_differs", "A lazy fix does not give its recorded signature."
    TAGS_WRONG = "tags_wrong", "The untouched tree contradicts the tags of the trials."
    TEST_UNMIRRORED = "test_unmirrored", "No fixed case mirrors a visible test."
    FIXED_CASES_DIFFER = "fixed_cases_differ", "pytest and the fixed cases judge a known fix differently."
    # What fresh trials show.
    FRESH_DISAGREEMENT = "fresh_disagreement", "A correct fix disagrees with the oracle on a fresh trial."
    DETECTION_WEAK = "detection_weak", "A fresh seed would too often miss a lazy fix."


class Finding(NamedTuple):
    """One reason to reject one family."""

    family: str
    reason: Reason
    where: str
    """The file, known fix or trial that it is about."""
    detail: str

    def __str__(self) -> str:
        return f"{self.family}: {self.reason.value}: {self.where}: {self.detail}"
