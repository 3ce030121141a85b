"""The banks hold test files of their own; they are data here and never collected."""

collect_ignore_glob = ["*"]
