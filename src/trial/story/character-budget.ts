import { stringifyJson } from '../../platform/json/exact-number.js';

/** Bounds the characters of a response. */
export interface CharacterBudget {
  /** Returns the value if there is room for it, otherwise null; `part` is then named as left out. */
  fit<Value>(part: string, value: Value): Value | null;
  /** Returns the names of the parts of which something was left out. */
  leftOut(): string[];
}

/** Creates a budget of this many characters of JSON. */
export function createCharacterBudget(characters: number): CharacterBudget {
  let left = characters;
  const leftOut = new Set<string>();
  return {
    fit(part, value) {
      const length = stringifyJson(value).length;
      if (length <= left) {
        left -= length;
        return value;
      }
      leftOut.add(part);
      return null;
    },
    leftOut: () => [...leftOut],
  };
}
