import { eventually } from '../eventually.js';
import type { TestFabula } from '../fabula.js';

/** Returns the key of the first entry of the inbox about failures, once it is there: the inbox is read every few seconds. */
export async function keyOfFailures(fabula: TestFabula): Promise<string> {
  return eventually(async () => {
    const listed = await fabula.api('GET', '/api/v1/inbox?kind=failures');
    return ((await listed.json()) as { entries: { key: string }[] }).entries[0]?.key;
  });
}
