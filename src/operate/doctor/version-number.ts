/** Returns true if the version that a server reports (`10.6.12-MariaDB`) is older than `least` (`10.6`). */
export function isOlder(version: string, least: string): boolean {
  const [theirs, needed] = [numbersOf(version), numbersOf(least)];
  const at = needed.findIndex((part, index) => part !== (theirs[index] ?? 0));
  return at !== -1 && (theirs[at] ?? 0) < (needed[at] ?? 0);
}

function numbersOf(version: string): number[] {
  return (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
}
