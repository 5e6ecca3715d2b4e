import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** The console as it is built. */
export const BUILT_CONSOLE = path.resolve(__dirname, '../../../dist/console');

/** The page that a browser loads first, the scripts and styles it names, and their bytes, compressed. */
export function firstLoad(): { page: string; names: string[]; bytes: number } {
  const page = readFileSync(path.join(BUILT_CONSOLE, 'index.html'), 'utf8');
  const names = [...page.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].map(([, name = '']) => name);
  const sizes = names.map((name) => statSync(path.join(BUILT_CONSOLE, `${name}.gz`)).size);
  return { page, names, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
