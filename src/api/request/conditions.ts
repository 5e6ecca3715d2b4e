import type { Request } from 'express';
import { PreconditionFailed } from '../../platform/errors.js';
import type { AnyRoute } from '../route.js';

/** Headers by which a client makes a write depend on what is stored (RFC 9110 §13.1). */
const CONDITIONS = ['If-Match', 'If-None-Match', 'If-Unmodified-Since'];

/**
 * Refuses a write under a condition that its route does not compare: done all the same, it would overwrite what the client
 * wanted to spare. `If-Match: *` asks that the thing exists, which every route checks. @throws PreconditionFailed
 */
export function refuseConditions(route: AnyRoute<never>, request: Pick<Request, 'get'>): void {
  if (route.method === 'get') return;
  const refused = CONDITIONS.filter((name) => {
    const value = request.get(name);
    if (value === undefined) return false;
    return name !== 'If-Match' || (value.trim() !== '*' && route.honoursIfMatch !== true);
  });
  if (refused.length === 0) return;
  throw new PreconditionFailed(refused.map((name) => ({ message: messageOf(route, name), details: name })));
}

function messageOf({ method, path, honoursIfMatch }: AnyRoute<never>, name: string): string {
  const known =
    honoursIfMatch === true ? 'only "If-Match" is supported here' : 'there is no version to compare';
  return `"${name}" is not supported by ${method.toUpperCase()} ${path}: ${known}. Remove it and try again; nothing was changed`;
}
