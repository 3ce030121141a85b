"""What a day comes down to."""

# kW of one m³ of water an hour that cools down by one degree
KW_PER_CUBIC_METRE_AND_DEGREE = 1.163


def digest(stations: dict) -> dict:
    """Count, lowest, highest and last value of each channel."""
    return {
        station: {channel: digest_of(values) for channel, values in channels.items()}
        for station, channels in stations.items()
    }


def digest_of(values: list[float]) -> dict:
    return {"count": len(values), "lowest": min(values), "highest": max(values), "last": values[-1]}


def heat(stations: dict) -> dict:
    """The output in kW of each station that has all it takes."""
    return {
        station: output_kw(channels)
        for station, channels in stations.items()
        if channels.keys() >= {"flow", "supply", "return"}
    }


def output_kw(channels: dict) -> float:
    flow, supply, back = (channels[name][-1] for name in ("flow", "supply", "return"))
    return KW_PER_CUBIC_METRE_AND_DEGREE * flow * (supply - back)
