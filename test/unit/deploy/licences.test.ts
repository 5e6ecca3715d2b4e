import { fileOf } from '../../support/deploy/deployed.js';

interface LockedPackage {
  version: string;
  license?: string;
  resolved?: string;
  integrity?: string;
}

/** Licences under which a package may be given on with Fabula; each asks for its text and its notice at most. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Fonts, which are not sold by themselves.
  'OFL-1.1',
]);

/** Licences of packages that are in no bundle of the server: they build, test, or run in a browser. */
const ALLOWED_FOR_DEVELOPMENT = new Set([
  ...ALLOWED,
  '(MIT OR CC0-1.0)',
  'Apache-2.0 AND MIT',
  'CC-BY-4.0',
  'MIT OR Apache-2.0',
  'MPL-2.0',
  'PSF-2.0',
  'Python-2.0',
  // The author gave all rights away.
  'Unlicense',
]);

/** Packages for other systems, whose entry in the lock file has no licence: they belong to one that has. */
const PARTS_FOR_SYSTEMS =
  /^node_modules\/(@msgpackr-extract|@biomejs|@oxlint|@oxlint-tsgolint|@swc|@esbuild|@typescript|@napi-rs|@oxc-\w+|@unrs|@rollup|lefthook)[/-]/;

const lock = JSON.parse(fileOf('package-lock.json')) as { packages: Record<string, LockedPackage> };
const packages = Object.entries(lock.packages).filter(([name]) => name !== '');
const bundled = new Set(
  (JSON.parse(fileOf('dist/packages.json')) as { name: string; version: string }[]).map(
    ({ name, version }) => `${name}@${version}`,
  ),
);
const isBundled = ([place, { version }]: [string, LockedPackage]) =>
  bundled.has(`${place.split('node_modules/').at(-1)}@${version}`);

function outside(allowed: ReadonlySet<string>, found: typeof packages): [string, string | undefined][] {
  return found
    .filter(([name, { license }]) => !(license === undefined && PARTS_FOR_SYSTEMS.test(name)))
    .filter(([, { license }]) => license === undefined || !allowed.has(license))
    .map(([name, { license }]) => [name, license]);
}

test('every package inside the bundles has an allowed licence', () => {
  expect(bundled.size).toBeGreaterThan(100);
  expect(outside(ALLOWED, packages.filter(isBundled))).toEqual([]);
});

test('every other package has a licence that is allowed for development', () => {
  expect(outside(ALLOWED_FOR_DEVELOPMENT, packages)).toEqual([]);
});

test('every package comes from the registry, with a digest', () => {
  for (const [name, { integrity, resolved }] of packages) {
    expect([name, integrity]).toEqual([name, expect.stringMatching(/^sha512-/)]);
    if (resolved !== undefined) expect(resolved).toMatch(/^https:\/\/registry\.npmjs\.org\//);
  }
});
