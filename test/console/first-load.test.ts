import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { BUILT_CONSOLE as BUILT, firstLoad } from '../support/console/first-load.js';

/** The files that a browser loads before it shows anything, compressed. */
const LIMIT_BYTES = 220_000;
/** The fonts beside them. */
const FONT_LIMIT_BYTES = 60_000;

const { page, names: loaded, bytes } = firstLoad();

/** The layers of a style, in the order in which it names them. */
const order = (name: string) => {
  const text = readFileSync(path.join(BUILT, 'assets', name), 'utf8');
  const named = [...text.matchAll(/@layer ([a-z,]+)[;{]/g)].flatMap(([, names = '']) => names.split(','));
  return [...new Set(named)].join();
};

test('the first load is small', () => {
  expect(loaded.length).toBeGreaterThan(2);
  expect(bytes).toBeLessThan(LIMIT_BYTES);
});

test('the fonts of nearly every page are asked for at once, in their Latin part, and are small', () => {
  const fonts = [...page.matchAll(/<link rel="preload" as="font"[^>]* href="\.\/([^"]+\.woff2)"/g)].map(
    ([, name = '']) => name,
  );
  expect(fonts.map((name) => path.basename(name).replace(/-[^-]+\.woff2$/, '')).toSorted()).toEqual([
    'geist-latin-wght-normal',
    'geist-mono-latin-wght-normal',
  ]);
  const sizes = fonts.map((name) => statSync(path.join(BUILT, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FONT_LIMIT_BYTES);
  // The base of the page is known before any address that counts from it.
  expect(page.indexOf('<base')).toBeLessThan(page.indexOf('rel="preload"'));
});

test('each script and style has both compressed forms, and the licences of its packages are told', () => {
  for (const name of loaded) {
    expect([name, existsSync(path.join(BUILT, `${name}.br`))]).toEqual([name, true]);
  }
  const licences = readFileSync(path.join(BUILT, 'licenses.md'), 'utf8');
  for (const name of ['react', '@xyflow/react', 'uplot', 'radix-ui']) expect(licences).toContain(name);
});

test('each style keeps the order of the layers, whichever is loaded first', () => {
  const styles = readdirSync(path.join(BUILT, 'assets')).filter((name) => name.endsWith('.css'));
  expect(styles.length).toBeGreaterThan(30);
  // Files that a sheet does not name come last.
  const right = new Set(['base', 'base,ui', 'base,ui,page']);
  expect(styles.filter((name) => !right.has(order(name)))).toEqual([]);
});

test('the page has no script or style of its own, so the policy needs no exception', () => {
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|style=|\son\w+=/);
  expect(page).toContain('__CSP_NONCE__');
  expect(page).toContain('__BASE__');
});
