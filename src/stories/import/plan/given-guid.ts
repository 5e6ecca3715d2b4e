import { randomBytes } from 'node:crypto';
import type { ExportAgent } from '../../export/export-form.js';

/** A guid as this server makes them. An export may have other texts. */
const GUID = /^[0-9a-f]{32}$/;

/** Returns what gives a new action its guid: that of its form if no action has it (`taken`), else one of its own. */
export function givenGuid(taken: ReadonlySet<string>): (agent?: ExportAgent) => string {
  return (agent) => {
    const guid = agent?.guid;
    if (typeof guid === 'string' && GUID.test(guid) && !taken.has(guid)) return guid;
    return randomBytes(16).toString('hex');
  };
}
