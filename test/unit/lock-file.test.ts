import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Entry {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
}

const ROOT = path.resolve(__dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as unknown;
const lock = read('package-lock.json') as { packages: Record<string, Entry> };
const entries = Object.entries(lock.packages).filter(([name]) => name !== '');
const manifest = read('package.json') as Record<'dependencies' | 'devDependencies', Record<string, string>>;

describe('the lock file', () => {
  test('has a digest for every package, those of other platforms too', () => {
    expect(entries.length).toBeGreaterThan(100);
    const without = entries.filter(
      ([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''),
    );
    expect(without.map(([name]) => name)).toEqual([]);
  });

  test('names no host but the public registry, no link and no repository', () => {
    const elsewhere = entries.filter(
      ([, { resolved, link }]) =>
        link === true || (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')),
    );
    expect(elsewhere.map(([name]) => name)).toEqual([]);
  });

  test('fits package.json, which names exact versions', () => {
    const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(wanted.map(([name]) => [name, lock.packages[`node_modules/${name}`]?.version])).toEqual(wanted);
  });
});
