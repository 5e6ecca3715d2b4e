import { isIPv6 } from 'node:net';

/** Prefixes of an embedded IPv4 address: the first six of the eight groups. */
const PREFIXES = [
  // IPv4-mapped: ::ffff:0:0/96.
  [0, 0, 0, 0, 0, 0xffff],
  // NAT64, the well-known prefix: 64:ff9b::/96. In networks without IPv4 all names resolve to it.
  [0x64, 0xff9b, 0, 0, 0, 0],
];

/** Returns the IPv4 address embedded in an IPv6 address (IPv4-mapped, NAT64), or undefined. */
export function embeddedIpv4(address: string): string | undefined {
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
