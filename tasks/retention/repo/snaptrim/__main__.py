import sys

from snaptrim.command import main

sys.exit(main())
