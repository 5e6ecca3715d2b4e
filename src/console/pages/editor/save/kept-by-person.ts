import { countPayloads, forgetAllPayloads } from '../sample/payload-store.js';
import { forgetAllRules } from '../trial/rule-store.js';
import { countWork, forgetAllWork } from './journal.js';

/** What a browser keeps of a person's work in the editor. */
export interface KeptByPerson {
  /** Tabs whose changes are not saved. */
  tabs: number;
  /** Payloads that were saved under a name. */
  payloads: number;
}

/** Counts what this browser keeps of a person's work that would be missed. */
export async function keptByPerson(owner: string): Promise<KeptByPerson> {
  try {
    const [tabs, payloads] = await Promise.all([countWork(owner), countPayloads(owner)]);
    return { tabs, payloads };
  } catch {
    // A browser that lets pages store nothing keeps nothing.
    return { tabs: 0, payloads: 0 };
  }
}

/** Forgets all that this browser keeps of a person's work: it may hold secrets. */
export async function forgetPerson(owner: string): Promise<void> {
  await Promise.allSettled([forgetAllWork(owner), forgetAllPayloads(owner), forgetAllRules(owner)]);
}
