"""Attacks over sockets: to this machine, to others, and around the network."""

import socket

from runner.sandbox.battery.inside.tried import Facts, Tried, answer, connects


def connect_host_loopback(facts: Facts) -> Tried:
    return connects(socket.AF_INET, ("127.0.0.1", facts["port"]))


def connect_outside(_: Facts) -> Tried:
    return connects(socket.AF_INET, ("192.0.2.1", 80))


def send_dns(_: Facts) -> Tried:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        try:
            sender.sendto(b"\0" * 17, ("192.0.2.53", 53))
        except OSError as error:
            return answer(error)
    return Tried(True, "sent")


def connect_abstract(facts: Facts) -> Tried:
    return connects(socket.AF_UNIX, f"\0{facts['abstract']}")


def other_socket(_: Facts) -> Tried:
    """VSOCK leads from a virtual machine to its host, PACKET to the wire, ALG into the kernel."""
    opened = []
    for name, family in (("VSOCK", 40), ("PACKET", 17), ("ALG", 38), ("TIPC", 30), ("BLUETOOTH", 31)):
        try:
            socket.socket(family, socket.SOCK_DGRAM if name != "ALG" else socket.SOCK_SEQPACKET).close()
        except OSError as error:
            refused = answer(error)
        else:
            opened.append(name)
    return Tried(True, ", ".join(opened)) if opened else refused


def raw_socket(_: Facts) -> Tried:
    try:
        socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()
    except OSError as error:
        return answer(error)
    return Tried(True, "opened")
