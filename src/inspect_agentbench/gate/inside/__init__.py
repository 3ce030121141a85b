"""Programs that run in containers: standard library only, sent by source."""
