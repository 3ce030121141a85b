import sys

from greenbill.command import main

sys.exit(main())
