import { type CST, Parser } from 'yaml';

/**
 * Whether a YAML text nests deeper than this. Ask before it is read: reading goes down by recursion, and V8 ends the whole
 * process if it compiles a pattern where the stack is nearly used up.
 */
export function isYamlDeeperThan(text: string, most: number): boolean {
  let level: (CST.Token | null | undefined)[] = [...new Parser().parse(text)];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap(partsOf);
  }
  return false;
}

function partsOf(token: CST.Token | null | undefined): (CST.Token | null | undefined)[] {
  if (token === null || token === undefined) return [];
  if (token.type === 'document') return [token.value];
  return 'items' in token ? token.items.flatMap(({ key, value }) => [key, value]) : [];
}
