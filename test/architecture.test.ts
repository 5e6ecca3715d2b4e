import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..');
const MAX_LINES = 300;
/** What everything may import: contracts, and work on text that knows nothing of ours. */
const PLAIN = ['src/errors', 'src/json', 'src/text'];
/** What every layer but the agents may import besides. */
const SURROUNDINGS = ['src/config', 'src/logger'];

interface SourceFile {
  /** From the root, with slashes: `src/http/route.ts`. */
  name: string;
  text: string;
  /** The text without comments, which may speak of anything. */
  code: string;
  imports: Import[];
}

interface Import {
  /** From the root without extension (`src/errors`), or the package's name. */
  target: string;
  typeOnly: boolean;
}

function filesUnder(folder: string): SourceFile[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readSource(`${folder}/${name.replaceAll('\\', '/')}`));
}

function readSource(name: string): SourceFile {
  const text = readFileSync(path.join(ROOT, name), 'utf8');
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  return { name, text, code, imports: importsOf(name, code) };
}

function importsOf(name: string, code: string): Import[] {
  const statements = code.matchAll(/(?:^|\n)(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/g);
  const calls = code.matchAll(/\b(?:import|require)\('([^']+)'\)/g);
  return [
    ...[...statements].map(([, type, target = '']) => ({ target, typeOnly: type !== undefined })),
    ...[...calls].map(([, target = '']) => ({ target, typeOnly: false })),
  ].map(({ target, typeOnly }) => ({ target: resolved(name, target), typeOnly }));
}

function resolved(from: string, target: string): string {
  if (!target.startsWith('.')) return target;
  return path.posix.join(path.posix.dirname(from), target).replace(/\.js$/, '');
}

const src = filesUnder('src');
const workers = filesUnder('workers');
const product = [...src, ...workers];

/** Where statements are written: stores and the database layer. */
const HOLDS_SQL = /-store\.ts$|^src\/db\//;

/** Every `file → import` of `files` that the rule does not allow. */
function wrongImports(files: SourceFile[], allowed: (found: Import, file: SourceFile) => boolean): string[] {
  return files.flatMap((file) =>
    file.imports.filter((found) => !allowed(found, file)).map(({ target }) => `${file.name} → ${target}`),
  );
}

function named(files: SourceFile[], wrong: (file: SourceFile) => boolean): string[] {
  return files.filter(wrong).map(({ name }) => name);
}

const within = (target: string, folder: string) => target === folder || target.startsWith(`${folder}/`);

describe('who may import whom', () => {
  it('src never imports workers, tests or bin', () => {
    const foreign = ['workers', 'test', 'bin'];
    expect(wrongImports(src, ({ target }) => !foreign.some((folder) => within(target, folder)))).toEqual([]);
  });

  it('workers and what they run never import http', () => {
    const files = [
      ...workers,
      ...src.filter(({ name }) => /^src\/(engine|events|queues|agents|templates)\//.test(name)),
    ];
    expect(wrongImports(files, ({ target }) => !within(target, 'src/http') && target !== 'express')).toEqual(
      [],
    );
  });

  it('agents import errors, plain values and their own folder; of what they are given, the types only', () => {
    const agents = src.filter(({ name }) => name.startsWith('src/agents/'));
    const free = [...PLAIN, 'src/agents'];
    const contracts = ['src/outbound', 'src/queues', 'src/templates', 'src/stories/story-graph'];
    expect(
      wrongImports(agents, ({ target, typeOnly }) => {
        if (!within(target, 'src')) return true;
        return [...free, ...(typeOnly ? contracts : [])].some((folder) => within(target, folder));
      }),
    ).toEqual([]);
  });

  it('agents import no database, queue or web framework', () => {
    const agents = src.filter(({ name }) => name.startsWith('src/agents/'));
    const forbidden = new Set(['mysql2', 'knex', 'bullmq', 'ioredis', 'express']);
    expect(wrongImports(agents, ({ target }) => !forbidden.has(target))).toEqual([]);
  });

  it('only routes, http and the application that mounts them touch http/route', () => {
    const others = src.filter(({ name }) => !/-routes\.ts$|^src\/http\/|^src\/(app|server)\.ts$/.test(name));
    expect(wrongImports(others, ({ target }) => target !== 'src/http/route')).toEqual([]);
  });

  it('features do not import the web layer, but for their routes', () => {
    const features = src.filter(({ name }) =>
      /^src\/(auth|tenants|folders|stories|credentials|resources)\//.test(name),
    );
    const services = features.filter(({ name }) => !name.endsWith('-routes.ts'));
    expect(
      wrongImports(services, ({ target }) => !within(target, 'src/http') && target !== 'express'),
    ).toEqual([]);
  });

  it('what everything may import knows nothing of the layers above', () => {
    const leaves = src.filter(({ name }) =>
      [...PLAIN, ...SURROUNDINGS].some((leaf) => within(name.replace(/\.ts$/, ''), leaf)),
    );
    expect(leaves.length).toBeGreaterThanOrEqual(PLAIN.length + SURROUNDINGS.length);
    const known = ({ target }: Import) =>
      !within(target, 'src') || [...PLAIN, 'src/config'].some((leaf) => within(target, leaf));
    expect(wrongImports(leaves, known)).toEqual([]);
  });
});

describe('what is done in one place only', () => {
  it('only config.ts reads process.env', () => {
    const reads = /process\s*\.\s*env\b|process\[|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/;
    expect(named(product, ({ name, code }) => name !== 'src/config.ts' && reads.test(code))).toEqual([]);
  });

  it('only stores and src/db hold SQL; asking whether the database is there (SELECT 1) is none', () => {
    const sql =
      /['"`]\s*(?:SELECT\s(?!1['"`])|INSERT\s+(?:IGNORE\s+)?INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+(?:\w+\s+)?FROM\s)/;
    const others = product.filter(({ name }) => !HOLDS_SQL.test(name));
    expect(named(others, ({ code }) => sql.test(code))).toEqual([]);
  });

  it('only stores and src/db build queries with knex', () => {
    const query = /\b(?:knex|trx)\s*(?:<[^>]*>)?\(|\b(?:knex|trx)\.raw\(/;
    const others = product.filter(({ name }) => !HOLDS_SQL.test(name));
    expect(named(others, ({ code }) => query.test(code))).toEqual([]);
  });

  it('only the logger and the command line write to the console', () => {
    const writes = /\bconsole\.\w+\(/;
    expect(named(product, ({ name, code }) => !name.startsWith('src/cli/') && writes.test(code))).toEqual([]);
  });
});

describe('the layout', () => {
  it('has no folder for things without a place', () => {
    expect(
      named(product, ({ name }) => /(?:^|\/)(?:utils?|helpers?|common|lib|misc|shared)\//.test(name)),
    ).toEqual([]);
  });

  it('has every file name once, but for the lists called index.ts and commands, which are called as they are typed', () => {
    const files = src.filter(
      ({ name }) => !name.startsWith('src/cli/commands/') && !name.endsWith('/index.ts'),
    );
    const names = files.map(({ name }) => path.posix.basename(name));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('names files in kebab-case', () => {
    expect(
      named(product, ({ name }) => !/^[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/.test(path.posix.basename(name))),
    ).toEqual([]);
  });

  it(`has no file over ${MAX_LINES} lines`, () => {
    expect(named(product, ({ text }) => text.split('\n').length > MAX_LINES + 1)).toEqual([]);
  });

  it('leaves no note of work undone', () => {
    expect(named(product, ({ text }) => /\b(?:TODO|FIXME|XXX|HACK)\b/.test(text))).toEqual([]);
  });
});
