import sys

from logtail.cli import main

sys.exit(main())
