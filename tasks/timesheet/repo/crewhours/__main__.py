import sys

from crewhours.command import main

sys.exit(main())
