"""Where IP begins in a captured frame, for oracle.py: by the registry of link
types of tcpdump.org, RFC 1042, 1201, 1662, 2427, 2516, 3032, 4448, IEEE 802.5
and 802.11.
"""
import struct


def strip_ether(data, at, wire):
    """From an EtherType."""
    while at + 2 <= len(data):
        kind = struct.unpack_from(">H", data, at)[0]
        at += 2
        if kind in (0x8100, 0x88a8, 0x9100):
            at += 2
        elif kind == 0x8926:
            at += 4
        elif kind == 0x8864:
            return strip_pppoe(data, at, wire)
        elif kind in (0x8847, 0x8848):
            return strip_mpls(data, at, wire)
        elif kind <= 1500:
            return strip_llc(data, at, wire)
        else:
            return (at, wire) if kind in (0x0800, 0x86dd) else None
    return None


def vlans(data):
    """The identifiers in the tags of an Ethernet frame; 0 is a priority."""
    found, at = [], 12
    while data[at:at + 2] in (b"\x81\0", b"\x88\xa8", b"\x91\0"):
        found.append(int.from_bytes(data[at + 2:at + 4], "big") & 0xfff)
        at += 4
    return tuple(number for number in found if number)


def strip_llc(data, at, wire):
    if data[at:at + 3] == b"\x06\x06\x03":
        return at + 3, wire
    if data[at:at + 6] == b"\xaa\xaa\x03\0\0\0":
        return strip_ether(data, at + 6, wire)
    return None


def strip_mpls(data, at, wire):
    while at + 4 <= len(data) and not data[at + 2] & 1:
        at += 4
    at += 4
    if at < len(data) and data[at] >> 4 == 0:
        return strip_ether(data, at + 16, wire)
    return at, wire


def strip_ppp(data, at, wire):
    for byte in (255, 3):
        at += data[at:at + 1] == bytes([byte])
    size = 1 if data[at:at + 1] and data[at] & 1 else 2
    protocol = int.from_bytes(data[at:at + size], "big")
    if protocol == 0x0281:
        return strip_mpls(data, at + size, wire)
    return (at + size, wire) if protocol in (0x21, 0x57) else None


def strip_pppoe(data, at, wire):
    if at + 6 > len(data):
        return None
    length = struct.unpack_from(">H", data, at + 4)[0]
    return strip_ppp(data, at + 6, min(wire, at + 6 + length))


def strip_serial(data, at, wire):
    if data[at:at + 1] in (b"\x0f", b"\x8f"):
        return strip_ether(data, at + 2, wire)
    return strip_ppp(data, at, wire)


def strip_frame_relay(data, at, wire):
    while at < len(data) and not data[at] & 1:
        at += 1
    at += 1
    if data[at:at + 1] != b"\x03":
        return strip_ether(data, at, wire)
    at += 1
    at += data[at:at + 1] == b"\0"
    if data[at:at + 1] == b"\x80":
        return strip_ether(data, at + 4, wire)
    return (at + 1, wire) if data[at:at + 1] in (b"\xcc", b"\x8e") else None


def strip_wireless(data, at, wire):
    if at + 24 > len(data):
        return None
    control = struct.unpack_from("<H", data, at)[0]
    size = 24 + 6 * (control & 0x300 == 0x300)
    if control & 0x80:
        if data[at + size:at + size + 1] > b"\x7f":
            return None
        size += 2 + 4 * (control >= 0x8000)
    if control & 0xf != 8 or control & 0x4040:
        return None
    return strip_llc(data, at + size, wire)


def strip_prism(data, at, wire):
    order = ">" if data[:2] == b"\x80\x21" or data[4] == 0 else "<"
    return strip_wireless(data, at + struct.unpack_from(order + "I", data,
                                                        4)[0], wire)


def strip_nflog(data, at, wire):
    at += 4
    while at + 4 <= len(data):
        order = "<" if data[at + 3] == 0 else ">"
        length, kind = struct.unpack_from(order + "2H", data, at)
        if kind == 9:
            return at + 4, max(wire, 65535)
        at += (length + 3) // 4 * 4 or 4
    return None


def strip_typed(data, at, after, wire):
    """An EtherType that does not stand right before its packet."""
    place = strip_ether(data[at:at + 2] + data[after:], 0, wire)
    return place and (place[0] - 2 + after, place[1])


def strip_token_ring(data, at, wire):
    routed = data[8:9] > b"\x7f"
    return strip_llc(data, 14 + (data[14] & 31 if routed else 0), wire) \
        if data[1] >> 6 == 1 else None


def strip_arcnet(data, at, wire):
    if data[at] == 240:
        return at + 1, wire
    size = 8 if data[at + 1] == 255 else 4
    split = data[at + size - 3]
    return (at + size, wire) if data[at] in (212, 196) and not split else None


def strip_clip(data, at, wire):
    return strip_llc(data, at, wire) if data[:1] == b"\xaa" else (at, wire)


def strip_docsis(data, at, wire):
    return None if data[0] >> 6 else strip_ether(
        data, 18 + (data[1] if data[0] & 1 else 0), wire)


JUNIPER = {167: 1, 178: 1, 179: 9, 180: 107, 181: 104}


def strip_juniper(link, data, wire):
    at = 4
    if data[3] & 0x80:
        at += 2 + struct.unpack_from(">H", data, 4)[0]
    if data[3] & 2:
        return at + 4, wire
    place = strip_link(JUNIPER[link], data[at:], wire - at)
    return place and (place[0] + at, place[1] + at)


FIXED = {0: 4, 8: 16, 12: 0, 14: 0, 101: 0, 108: 4, 109: 12, 226: 24,
         228: 0, 229: 0}
ETHER = {1: 12, 104: 2, 113: 14, 138: 16, 240: 16, 241: 24, 259: 20, 274: 20,
         281: 16, 282: 16, 284: 16, 285: 20}
LLC = {10: 13, 11: 0, 100: 0, 122: 16, 123: 4}
OTHER = {9: strip_ppp, 50: strip_serial, 51: strip_pppoe, 107:
         strip_frame_relay, 119: strip_prism, 163: strip_prism, 219: strip_mpls,
         105: strip_wireless, 239: strip_nflog, 106: strip_clip,
         143: strip_docsis, 6: strip_token_ring}


def strip_link(link, data, wire):
    """Where IP begins and the frame ends; None: there is no IP."""
    if link in FIXED:
        return FIXED[link], wire
    if link in ETHER:
        return strip_ether(data, ETHER[link], wire)
    if link in LLC:
        return strip_llc(data, LLC[link], wire)
    if link in OTHER:
        return OTHER[link](data, 0, wire)
    if len(data) < 40:
        return None
    if link == 276:
        return strip_typed(data, 0, 20, wire)
    if link == 242:
        return strip_typed(data, 40, 44, wire)
    if link == 99:
        return strip_typed(data, 6, 44, wire)
    if link in (7, 129):
        return strip_arcnet(data, 2 if link == 7 else 4, wire)
    if link in JUNIPER:
        return strip_juniper(link, data, wire)
    if link == 117:
        return (data[0] + 3) // 4 * 4, wire
    if link in (166, 204):
        return strip_ppp(data, 1, wire)
    if link == 127:
        return strip_wireless(data, struct.unpack_from("<H", data, 2)[0],
                              wire)
    if link in (149, 192, 258):
        size, inner = struct.unpack_from("<2xHI" if link == 192 else "<I4xI",
                                         data, 0)
        place = strip_link(inner, data[size:], wire - size)
        return place and (place[0] + size, place[1] + size)
    return None


# ---- tunnels ---------------------------------------------------------------

def strip_gre(data, at, wire):
    flags, kind = struct.unpack_from(">2H", data, at)
    extra = 4 * bin(flags & 0xb000).count("1")
    if flags & 7 == 1:
        at += 8 + 4 * bool(flags & 0x1000) + 4 * bool(flags & 0x80)
        return strip_ppp(data, at, wire)
    if flags & 0x4007:
        return None
    if kind == 0x88be:
        return strip_ether(data, at + 16 + extra + 8 * bool(flags & 0x1000),
                           wire)
    if kind == 0x6558:
        return strip_ether(data, at + 16 + extra, wire)
    return strip_ether(data, at + 2, wire) if not extra else strip_typed(
        data, at + 2, at + 4 + extra, wire)


def strip_udp(data, at, wire):
    port = struct.unpack_from(">H", data, at + 2)[0]
    at += 8
    if port == 4789 and data[at:at + 4] == b"\x08\0\0\0":
        return strip_ether(data, at + 20, wire)
    if port == 6081 and at < len(data) and data[at] < 64:
        after = at + 8 + 4 * data[at]
        if data[at + 2:at + 4] == b"\x65\x58":
            return strip_ether(data, after + 12, wire)
        return strip_typed(data, at + 2, after, wire)
    if port == 2152 and data[at:at + 1] and data[at] >> 4 == 3 and \
            data[at + 1:at + 2] == b"\xff":
        return strip_gtp(data, at, wire)
    return None


def strip_gtp(data, at, wire):
    flags = data[at]
    following = data[at + 11] if flags & 7 else 0
    at += 12 if flags & 7 else 8
    while flags & 4 and following:
        if at >= len(data) or not data[at]:
            return None
        at += 4 * data[at]
        following = data[at - 1] if at <= len(data) else 0
    return at, wire


def strip_tunnel(protocol, data, at, wire):
    """Where the inner IP begins and ends; None: it is no tunnel."""
    if protocol in (4, 41):
        return at, wire
    try:
        if protocol == 47:
            return strip_gre(data, at, wire)
        if protocol == 17:
            return strip_udp(data, at, wire)
    except (struct.error, IndexError):
        pass
    return None
