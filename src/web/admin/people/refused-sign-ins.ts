import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { AuditTrail, SignInCandidate } from '../../../people/face.js';
import { addressKey } from '../../../platform/http/address/address-key.js';
import { actorOf, recordDeed } from './people-audit.js';

const HOUR_MS = 60 * 60_000;
const MAX_NOTED = 10_000;
/** Most addresses within an hour that are noted for one account. */
const MAX_ADDRESSES = 20;

export type RefusedSignIns = ReturnType<typeof createRefusedSignIns>;

/**
 * Creates what notes wrong passwords in the audit log of the account's tenant: one entry an hour for an account and an
 * address, and a bounded number for an account, so that guesses do not fill the log.
 */
export function createRefusedSignIns(audit: Pick<AuditTrail, 'record'>) {
  const noted = new LRUCache<number, Set<string>>({ max: MAX_NOTED, ttl: HOUR_MS });
  const isNew = (userId: number, address: string): boolean => {
    const known = noted.get(userId) ?? new Set<string>();
    if (known.has(address) || known.size >= MAX_ADDRESSES) return false;
    if (known.size === 0) noted.set(userId, known);
    known.add(address);
    return true;
  };
  return {
    /** Notes a wrong password in the background: the response takes as long as for an unknown account. */
    note(people: readonly SignInCandidate[], exchange: { req: Request; res: Response }): void {
      for (const person of people) {
        if (!isNew(person.userId, addressKey(exchange.req.ip))) continue;
        const response = { id: person.userId };
        const deed = { actor: actorOf(person), action: 'session.refused', response, status: 401 };
        void recordDeed(audit, deed, exchange);
      }
    },
  };
}
