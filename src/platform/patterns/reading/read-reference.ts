import type { GroupList } from './group-list.js';
import { PatternError } from '../pattern-error.js';
import type { PatternNode } from './pattern-node.js';
import type { PatternScanner } from './pattern-scanner.js';

/**
 * Reads a reference to a group (`\1`, `\k<name>`) or a call of one (`\g<name>`), after its backslash.
 * Returns undefined if there is none; nothing was read then.
 */
export function readReference(
  scanner: PatternScanner,
  groups: GroupList,
  options: { ignoreCase: boolean },
): PatternNode | undefined {
  const number = numberHere(scanner, groups);
  if (number !== undefined) return groups.refer(number, options);
  const [, letter, angled, quoted] = scanner.takes(/([kg])(?:<([^>]*)>|'([^']*)')/y) ?? [];
  const name = angled ?? quoted;
  if (name === undefined) return undefined;
  if (name === '') throw new PatternError('group name is empty');
  if (letter === 'g') return groups.call(name);
  if (/.[+-]\d+$/.test(name)) throw new PatternError(`the level of a reference, <${name}>, is not supported`);
  return groups.refer(name, options);
}

/** `\12` is a reference if it has one digit, or so many groups have come; otherwise an octal number. */
function numberHere(scanner: PatternScanner, groups: GroupList): string | undefined {
  const [digits] = scanner.takes(/[1-9]\d*/y) ?? [];
  if (digits === undefined) return undefined;
  if (digits.length === 1 || Number(digits) <= groups.count) return digits;
  scanner.at -= digits.length;
  return undefined;
}
