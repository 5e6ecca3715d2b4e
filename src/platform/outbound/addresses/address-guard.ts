import { BlockList, isIP, isIPv6 } from 'node:net';
import { CLOSED_IPV4, CLOSED_IPV6, GLOBAL_IPV6 } from './special-networks.js';

/** Prefixes of an embedded IPv4 address: the first six of the eight groups. */
const PREFIXES = [
  // IPv4-mapped: ::ffff:0:0/96.
  [0, 0, 0, 0, 0, 0xffff],
  // NAT64, the well-known prefix: 64:ff9b::/96. In networks without IPv4 all names resolve to it.
  [0x64, 0xff9b, 0, 0, 0, 0],
];

/** The request's target is an address that this server may not reach. */
export class AddressBlocked extends Error {
  constructor() {
    super('the address is in a private or reserved network that is not in OUTBOUND_ALLOW');
    this.name = 'AddressBlocked';
  }
}

/** Returns true if an IP address matches. */
export type AddressGuard = (address: string) => boolean;

/** Accepts public addresses and those on the allow list (`OUTBOUND_ALLOW`). Refuses a text that is no IP address. */
export function createAddressGuard(allow: string[]): AddressGuard {
  const closed = blockListOf([...CLOSED_IPV4, ...CLOSED_IPV6]);
  const global = blockListOf([GLOBAL_IPV6]);
  const isOpen = createAddressList(allow);
  const isPublic = (address: string): boolean => {
    const inner = embeddedIpv4(address);
    if (inner !== undefined) return isPublic(inner);
    const type = typeOf(address);
    return (type === 'ipv4' || global.check(address, type)) && !closed.check(address, type);
  };
  return (address) => {
    const plain = withoutZone(address);
    return isIP(plain) !== 0 && (isOpen(plain) || isPublic(plain));
  };
}

/** Accepts an address if it, or the IPv4 address embedded in it, is in one of these networks. */
export function createAddressList(networks: string[]): AddressGuard {
  const list = blockListOf(networks);
  return (address) => {
    const plain = withoutZone(address);
    if (isIP(plain) === 0) return false;
    const inner = embeddedIpv4(plain);
    return list.check(plain, typeOf(plain)) || (inner !== undefined && list.check(inner, 'ipv4'));
  };
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}

function typeOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function blockListOf(networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) list.addAddress(address, typeOf(address));
    else list.addSubnet(address, Number(bits), typeOf(address));
  }
  return list;
}

/** Returns the IPv4 address embedded in an IPv6 address (IPv4-mapped, NAT64), or undefined. */
function embeddedIpv4(address: string): string | undefined {
  if (!isIPv6(address)) return undefined;
  const groups = groupsOf(address);
  const isPrefix = (prefix: number[]) => prefix.every((group, index) => groups[index] === group);
  if (!PREFIXES.some(isPrefix)) return undefined;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** Returns its eight groups; the URL parser normalises embedded IPv4 addresses and zeros. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [left, right] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - (left?.length ?? 0) - (right?.length ?? 0) }, () => '0');
  return [...(left ?? []), ...zeros, ...(right ?? [])].map((group) => Number.parseInt(group, 16));
}
