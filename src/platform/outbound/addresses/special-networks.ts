/*
 * Networks that requests of stories may not reach: IANA's registries of special-purpose addresses, addresses that are
 * not unicast, and addresses where clouds serve secrets to their machines (decision 0027).
 */

/** IPv4: all of IANA's special-purpose blocks, multicast, and cloud services behind addresses that look public. */
export const CLOSED_IPV4 = [
  // "This network".
  '0.0.0.0/8',
  // Private use.
  '10.0.0.0/8',
  // Shared between a provider and its customers; Alibaba's metadata.
  '100.64.0.0/10',
  // Loopback.
  '127.0.0.0/8',
  // Link-local; the metadata of most clouds.
  '169.254.0.0/16',
  // Azure's WireServer: agent settings and keys of the machine.
  '168.63.129.16/32',
  // Private use.
  '172.16.0.0/12',
  // IETF protocol assignments: DS-Lite, dummy address, anycast, NAT64 discovery; Oracle's metadata.
  '192.0.0.0/24',
  // Documentation.
  '192.0.2.0/24',
  // AS112.
  '192.31.196.0/24',
  // Automatic multicast tunnelling.
  '192.52.193.0/24',
  // 6to4 relays.
  '192.88.99.0/24',
  // Private use.
  '192.168.0.0/16',
  // AS112, direct delegation.
  '192.175.48.0/24',
  // Benchmarking.
  '198.18.0.0/15',
  // Documentation.
  '198.51.100.0/24',
  '203.0.113.0/24',
  // Multicast.
  '224.0.0.0/4',
  // Reserved, and limited broadcast.
  '240.0.0.0/4',
];

/** The only part of IPv6 that is allocated for global unicast addresses. */
export const GLOBAL_IPV6 = '2000::/3';

/** Special networks within `GLOBAL_IPV6`. */
export const CLOSED_IPV6 = [
  // IETF protocol assignments: Teredo, anycast, benchmarking, AMT, AS112, ORCHID (both), drone identifiers.
  '2001::/23',
  // Documentation.
  '2001:db8::/32',
  // 6to4: any IPv4 address, also a private one, behind whatever relay there is.
  '2002::/16',
  // AS112, direct delegation.
  '2620:4f:8000::/48',
  // The former 6bone.
  '3ffe::/16',
  // Documentation.
  '3fff::/20',
];
