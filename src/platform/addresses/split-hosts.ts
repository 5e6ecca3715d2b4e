import { AddressError } from './address-options.js';

/** More nodes than any cluster of MySQL has: nine in group replication, rarely more than seven in Galera. */
const MOST_HOSTS = 16;

/**
 * Splits an address that lists several hosts (`mysql://user:password@a,b:3307,c/name`) into one address for each, in their
 * order. An address with one host is returned as it is.
 * @throws AddressError for an empty place in the list, or too many hosts.
 */
export function splitHosts(text: string): string[] {
  const [, scheme = '', authority = '', rest = ''] = /^([a-z\d+.-]+:\/\/)([^/?#]*)(.*)$/is.exec(text) ?? [];
  const hostsFrom = authority.lastIndexOf('@') + 1;
  const hosts = authority.slice(hostsFrom).split(',');
  if (hosts.length === 1) return [text];
  if (hosts.includes('')) throw new AddressError('has an empty place in its list of hosts');
  if (hosts.length > MOST_HOSTS) throw new AddressError(`has more than ${MOST_HOSTS} hosts`);
  const account = authority.slice(0, hostsFrom);
  return hosts.map((host) => `${scheme}${account}${host}${rest}`);
}
