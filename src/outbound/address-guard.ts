import { BlockList, isIP } from 'node:net';

/** Networks that are not the public internet: loopback, private, link-local, shared, test, multicast, reserved. */
const CLOSED_NETWORKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** A request would have gone to an address that this server may not reach. */
export class AddressBlocked extends Error {
  constructor() {
    super('the address is in a private or reserved network');
    this.name = 'AddressBlocked';
  }
}

/** Says of an IP address whether requests may go there: public ones, and those on the allow list. */
export type AddressGuard = (address: string) => boolean;

/** A guard with an allow list of addresses and CIDRs (`OUTBOUND_ALLOW`). What is no IP address is refused. */
export function createAddressGuard(allow: string[]): AddressGuard {
  const closed = blockListOf(CLOSED_NETWORKS);
  const open = blockListOf(allow);
  return (address) => {
    const plain = address.replace(/%.*$/, '');
    const family = isIP(plain);
    if (family === 0) return false;
    const type = family === 4 ? 'ipv4' : 'ipv6';
    return open.check(plain, type) || !closed.check(plain, type);
  };
}

function blockListOf(networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const type = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return list;
}
