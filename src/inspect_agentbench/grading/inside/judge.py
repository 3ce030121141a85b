"""Runs in a judge: makes the fixed cases and the trials, and computes the right answers.

Standard library only; its source is handed to `python3 -c`. No candidate code ever comes here.
Standard input holds one length-prefixed JSON request, standard output one length-prefixed reply:

    {"mode": "make", "wire", "oracle", "variant", "seed", "trials"}
        -> {"fixed": [case...], "trials": [case...]}
    {"mode": "check", "wire", "oracle", "items": [{"steps", "answers"}...]}
        -> {"accepted": [[bool...]...]}

A case is {"id", "test", "tags", "group", "steps", "answers"}; inputs and answers are spelled by wire.py.
A fault of the oracle comes back as {"fault": text}.
"""

import base64
import json
import os
import random
import struct
import sys
import traceback

LENGTH = struct.Struct(">I")
HANDSHAKE = b"agentbench-judge-1\n"


def load(source, name):
    namespace = {"__name__": name}
    exec(compile(source, name, "exec"), namespace)
    return namespace


def read_exactly(count):
    data = sys.stdin.buffer.read(count)
    if len(data) != count:
        raise SystemExit("the request ended early")
    return data


class Judge:
    def __init__(self, request):
        self.request = request
        self.wire = load(request["wire"], "wire")
        self.oracle = load(request["oracle"], "oracle")

    def make(self):
        fixed = self.oracle["fixed_cases"](self.request["variant"])
        numbers = range(self.request["trials"])
        return {
            "fixed": [self.case(f"fixed-{n}", case) for n, case in enumerate(fixed)],
            "trials": [self.case(str(number), self.trial(number)) for number in numbers],
        }

    def trial(self, number):
        return self.oracle["trial"](random.Random(f"{self.request['seed']}:{number}"), number)

    def case(self, name, case):
        steps = case["steps"]
        if not steps:
            raise ValueError(f"case {name} has no step")
        answers = self.oracle["answers"](steps)
        if len(answers) != len(steps):
            raise ValueError(f"case {name} has {len(steps)} steps but {len(answers)} answers")
        return {
            "id": name,
            "test": case.get("test"),
            "tags": list(case.get("tags", ())),
            "group": case.get("group"),
            "steps": [self.spell(step) for step in steps],
            "answers": [self.wire["encode"](answer) for answer in answers],
        }

    def spell(self, step):
        unknown = set(step) - {"write", "remove", "input", "read"}
        if unknown:
            raise ValueError(f"a step has unknown keys: {sorted(unknown)}")
        spelled = {"input": self.wire["encode"](step.get("input"))}
        if "write" in step:
            files = step["write"].items()
            spelled["write"] = {path: base64.b64encode(content).decode("ascii") for path, content in files}
        for key in ("remove", "read"):
            if key in step:
                spelled[key] = list(step[key])
        return spelled

    def check(self):
        return {"accepted": [self.accept(item) for item in self.request["items"]]}

    def accept(self, item):
        """One truth value for each step; an answer that the check cannot take is not accepted."""
        decode = self.wire["decode"]
        steps = [self.unspell(step) for step in item["steps"]]
        try:
            verdicts = self.oracle["accept"](steps, [decode(answer) for answer in item["answers"]])
        except Exception:
            return [False] * len(steps)
        return [verdict is True for verdict in verdicts]

    def unspell(self, step):
        plain = dict(step, input=self.wire["decode"](step["input"]))
        if "write" in step:
            plain["write"] = {path: base64.b64decode(content) for path, content in step["write"].items()}
        return plain


def main():
    out = os.dup(1)
    os.dup2(2, 1)
    os.write(out, HANDSHAKE)
    request = json.loads(read_exactly(LENGTH.unpack(read_exactly(LENGTH.size))[0]))
    try:
        judge = Judge(request)
        reply = judge.make() if request["mode"] == "make" else judge.check()
    except Exception:
        reply = {"fault": traceback.format_exc(limit=-3)}
    data = json.dumps(reply).encode("ascii")
    with os.fdopen(out, "wb") as file:
        file.write(LENGTH.pack(len(data)) + data)


if __name__ == "__main__":
    main()
