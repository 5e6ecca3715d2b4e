import { parse } from 'tldts';

/**
 * Returns the registered domain of a host, and the public suffix it is registered under; NULL if the host is not in a
 * domain, as an address or a single name is not.
 * @param ignoreShared treats hosting providers, such as `github.io`, like other domains.
 */
export function registeredDomain(
  host: string,
  ignoreShared: boolean,
): { domain: string | null; tld: string | null } {
  const found = parse(host, { allowPrivateDomains: !ignoreShared, extractHostname: false });
  if (found.isIp === true || !host.replace(/\.$/, '').includes('.')) return { domain: null, tld: null };
  return { domain: found.domain, tld: found.publicSuffix };
}
