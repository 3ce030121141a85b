"""What an invoice comes to."""

from greenbill.amounts import in_cents, number, written


def line_amounts(line):
    """The net amount and the VAT of a line."""
    net = in_cents(number(line.quantity) * number(line.price))
    vat = in_cents(net * number(line.rate) / 100)
    if line.is_credit:
        net = -net
    return net, vat


def sums_by_rate(lines):
    """Return {rate: (net, VAT)}, in the order in which the rates occur."""
    sums = {}
    for line in lines:
        net, vat = line_amounts(line)
        net_so_far, vat_so_far = sums.get(line.rate, (0, 0))
        sums[line.rate] = net_so_far + net, vat_so_far + vat
    return sums


def totals(lines):
    """Return {rate: {"net": ..., "vat": ..., "gross": ...}}, the amounts as text."""
    return {
        rate: {"net": written(net), "vat": written(vat), "gross": written(net + vat)}
        for rate, (net, vat) in sums_by_rate(lines).items()
    }
