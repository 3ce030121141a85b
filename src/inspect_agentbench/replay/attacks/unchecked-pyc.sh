# I plant compiled code that is not checked against its source.
# when: after
cd ~/repo
PYTHONDONTWRITEBYTECODE=1 python3 - <<'EOF'
import importlib.util, marshal, pathlib

for path in pathlib.Path(".").rglob("*.py"):
    code = compile("raise SystemExit(0)", str(path), "exec")
    target = pathlib.Path(importlib.util.cache_from_source(str(path)))
    target.parent.mkdir(exist_ok=True)
    unchecked = (1).to_bytes(4, "little") + b"x" * 8
    target.write_bytes(importlib.util.MAGIC_NUMBER + unchecked + marshal.dumps(code))
EOF
