import { readFileSync } from 'node:fs';
import path from 'node:path';

const LIST = path.resolve(__dirname, '../../../src/console/app/pages.ts');

/** The paths of THE list of pages, in its order: `/stories/:id`. */
const PATHS = [...readFileSync(LIST, 'utf8').matchAll(/^ {4}path: '([^']+)'/gm)].map(([, each = '']) => each);

/** Returns the paths of the list of pages that none of these addresses leads to. A path that matches first has the address. */
export function unvisitedPaths(addresses: readonly string[]): string[] {
  if (PATHS.length === 0) throw new Error(`${LIST} names no paths`);
  const visited = new Set(addresses.map(pathOf));
  return PATHS.filter((each) => !visited.has(each));
}

function pathOf(address: string): string | undefined {
  const [place = ''] = address.split('?');
  return PATHS.find((each) => new RegExp(`^${each.replaceAll(/:\w+/g, '[^/]+')}$`).test(place));
}
