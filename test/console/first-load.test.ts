import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BUILT_CONSOLE as BUILT, firstLoad } from '../support/console/first-load.js';

/** The files that a browser loads before it shows anything, compressed. */
const LIMIT_BYTES = 220_000;

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
