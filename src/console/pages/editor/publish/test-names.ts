import type { StoryDifference } from '../../../../../clients/typescript/api.js';

/** Returns how paths of differences name a test: `["High opens a ticket"]`, or a word. */
export function testOf(path: string): string {
  return /^\["(?:[^"\\]|\\.)*"\]|^[\w-]+/.exec(path)?.[0] ?? path;
}

/** Returns the name of the test that such a path begins with. */
export function testName(path: string): string {
  const part = testOf(path);
  try {
    return part.startsWith('[') ? String((JSON.parse(part) as unknown[])[0]) : part;
  } catch {
    return part;
  }
}

/** Returns the names of the tests that a draft takes away, and of those that it writes otherwise. */
export function lostTests(differences: readonly StoryDifference[]): { removed: string[]; changed: string[] } {
  const removed = new Set<string>();
  const changed = new Set<string>();
  for (const { kind, change, path } of differences) {
    if (kind !== 'test' || path === null) continue;
    const isWhole = testOf(path) === path;
    if (isWhole && change === 'removed') removed.add(testName(path));
    if (!isWhole || change === 'changed') changed.add(testName(path));
  }
  return { removed: [...removed], changed: [...changed] };
}
