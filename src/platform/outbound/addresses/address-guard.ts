import { BlockList, isIP } from 'node:net';
import { embeddedIpv4 } from './embedded-ipv4.js';
import { CLOSED_IPV4, CLOSED_IPV6, GLOBAL_IPV6 } from './special-networks.js';

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
