"""Evidence about an episode: the path log."""
