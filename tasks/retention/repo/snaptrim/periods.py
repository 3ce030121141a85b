"""The day, week and month of a moment by a site's clock, as labels."""

from datetime import timedelta


def site_time(moment, utc_offset_minutes):
    """What the site's clock shows at a moment given in UTC."""
    return moment - timedelta(minutes=utc_offset_minutes)


def day_label(local):
    """Such as 2026-01-05."""
    return f"{local:%Y-%m-%d}"


def week_label(local):
    """Such as 2026-W02."""
    return f"{local:%Y}-W{local.isocalendar().week:02}"


def month_label(local):
    """Such as 2026-01."""
    return f"{local:%m}"


LABELS = {"daily": day_label, "weekly": week_label, "monthly": month_label}
