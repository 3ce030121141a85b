"""The bank: manifests, finding families, hashing. Knows nobody but the vocabulary."""

from .bank import Bank, Survey, default_bank, load_bank, survey_bank
from .family import FIX_KINDS, Family, FixKind, KnownFix, Variant
from .hashing import TreeFile, read_tree, tree_hash
from .locate import BANK_VARIABLE, data_root, default_bank_root
from .manifest import Comparison, FamilyManifest, OracleSettings, Problem, Tolerance
from .record import read_record
from .select import bank_reference, family_names, open_bank
from .syntax import parse_python

__all__ = [
    "BANK_VARIABLE",
    "FIX_KINDS",
    "Bank",
    "Comparison",
    "Family",
    "FamilyManifest",
    "FixKind",
    "KnownFix",
    "OracleSettings",
    "Problem",
    "Survey",
    "Tolerance",
    "TreeFile",
    "Variant",
    "bank_reference",
    "data_root",
    "default_bank",
    "default_bank_root",
    "family_names",
    "load_bank",
    "open_bank",
    "parse_python",
    "read_record",
    "read_tree",
    "survey_bank",
    "tree_hash",
]
