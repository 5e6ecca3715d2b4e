import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { AddressBlocked } from './address-guard.js';
import type { HopRules } from './hop-rules.js';
import type { NameLookup } from './name-lookup.js';

/** The rules for connections, and the resolver of names. */
export interface ConnectionGuard {
  rules: HopRules;
  names: NameLookup;
}

/** Returns a look-up for `net.connect` that resolves a name to its allowed addresses; it is not called for addresses. */
export function guardedLookup(guard: ConnectionGuard): LookupFunction {
  const lookup = callbackify((name: string) => openAddresses(name, guard));
  return (hostname, options, callback) => {
    lookup(hostname, (error, open) => {
      const [first] = open ?? [];
      if (error !== null || first === undefined) callback(error, '', 0);
      else if (options.all === true) callback(null, open);
      else callback(null, first.address, first.family);
    });
  };
}

/** Returns at least one. */
async function openAddresses(name: string, { rules, names }: ConnectionGuard): Promise<LookupAddress[]> {
  const addresses = await names(name);
  const refusals = addresses.map(({ address }) => rules.refusalOfAddress(address));
  const open = addresses.filter((_, index) => refusals[index] === undefined);
  if (open.length === 0) throw refusals[0] ?? new AddressBlocked();
  return open;
}
