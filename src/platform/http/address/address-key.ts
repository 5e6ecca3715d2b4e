import { isIPv6 } from 'node:net';

const GROUPS = 8;
/** Length of the network prefix of an IPv6 address: the owner of one address usually owns its whole /64. */
const NETWORK_GROUPS = 4;
/** Length of the prefix that one customer of a provider may have. */
const SITE_GROUPS = 3;

/**
 * Returns the key under which limits count an address: the IPv4 address, or the /64 of an IPv6 address.
 * An IPv4 address written as IPv6 (`::ffff:192.0.2.1`) counts as the IPv4 address.
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  return `${groupsOf(address).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/**
 * Returns the network of an address, in which one sender may have many: the /24 of an IPv4 address, or the /48 of an IPv6
 * address.
 */
export function networkKey(address: string | undefined): string {
  const key = addressKey(address);
  if (!key.endsWith('::/64')) return key.replace(/\.\d+$/, '.0/24');
  return `${key.slice(0, -'::/64'.length).split(':').slice(0, SITE_GROUPS).join(':')}::/48`;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [plain = ''] = address.toLowerCase().split('%', 1);
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, GROUPS - before.length - after.length);
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...after];
  return groups.map((group) => group.replace(/^0+(?=.)/, ''));
}
