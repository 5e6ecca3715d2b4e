import type { KnownAction } from '../story/story-trial.js';

/** Finds the action of a past run that an action of a tried story continues. */
export type PastActionOf = (agentId: number) => number | undefined;

/**
 * Pairs actions: by id and guid first, then by the guids in the exports that they came from, as an import does. Each is
 * paired at most once.
 */
export function pairActions(tried: KnownAction[], past: KnownAction[]): Map<number, number> {
  const pairs = new Map<number, number>();
  const free = new Set(past);
  const pass = (keyOfTried: KeyOf, keyOfPast: KeyOf): void => {
    const byKey = new Map([...free].map((action) => [keyOfPast(action), action]));
    for (const action of tried) {
      const key = keyOfTried(action);
      const found = key === undefined ? undefined : byKey.get(key);
      if (found === undefined || pairs.has(action.id) || !free.delete(found)) continue;
      pairs.set(action.id, found.id);
    }
  };
  pass(guidOf, guidOf);
  pass(exportGuidOf, guidOf);
  pass(guidOf, exportGuidOf);
  pass(exportGuidOf, exportGuidOf);
  return pairs;
}

type KeyOf = (action: KnownAction) => string | undefined;

const guidOf: KeyOf = ({ guid }) => guid;
const exportGuidOf: KeyOf = ({ exportGuid }) => exportGuid;
