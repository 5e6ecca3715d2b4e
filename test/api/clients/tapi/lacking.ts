import { findMissingEndpoint } from '../../../../src/api/routing/missing-endpoints.js';
import type { ClientCall } from '../../../support/clients.js';

/** Calls of endpoints that Fabula lacks, with the reason that it answers. `base`: `/api/v2` for cases. */
export function lacking(base: '/api/v1' | '/api/v2', calls: readonly string[]): ClientCall[] {
  return calls.map((call) => {
    const [method = '', path = ''] = call.split(' ');
    const url = base + path.replaceAll(/\{\w+\}/g, '1');
    const reason = findMissingEndpoint(method, url)?.reason;
    if (reason === undefined) throw new Error(`${call} is not among the missing endpoints`);
    return { call, path: () => url, status: 404, reads: ['errors.0.message'], not: reason };
  });
}
