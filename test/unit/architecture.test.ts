import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

/** THE list of rooms of `src`, from the top down (ARCHITECTURE.md): imports run down only, types included. */
const ROOMS = [
  'console',
  'app',
  'operate',
  'trial',
  'web',
  'observe',
  'engine',
  'stories',
  'data',
  'people',
  'api',
  'agents',
  'language',
  'config',
  'platform',
];

/** The room whose files are imported one by one, as those of a library; each other room has a face (decision 0106). */
const LIBRARY = 'platform';

/** The rooms of the console, and those that each may import, types and what is loaded later included. */
const CONSOLE_ROOMS: Record<string, string[]> = {
  'src/console/main': ['src/console/app', 'src/console/styles'],
  'src/console/app': [
    'src/console/pages',
    'src/console/api',
    'src/console/ui',
    'src/console/keys',
    'src/console/text',
  ],
  'src/console/pages': [
    'src/console/inspector',
    'src/console/canvas',
    'src/console/story-model',
    'src/console/request-import',
    'src/console/api',
    'src/console/ui',
    'src/console/keys',
    'src/console/text',
  ],
  'src/console/inspector': ['src/console/story-model', 'src/console/ui', 'src/console/text'],
  'src/console/canvas': ['src/console/story-model', 'src/console/ui', 'src/console/keys', 'src/console/text'],
  'src/console/api': ['src/console/text'],
  'src/console/ui': ['src/console/keys', 'src/console/text'],
  'src/console/keys': ['src/console/text'],
  'src/console/story-model': ['src/console/text'],
  'src/console/request-import': ['src/console/text'],
  'src/console/text': [],
};

interface SourceFile {
  /** From the root, with slashes: `src/api/route.ts`. */
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
  /** Loaded when it is first needed. */
  lazy: boolean;
}

function filesUnder(folder: string): SourceFile[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
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
    ...[...statements].map(([, type, target = '']) => ({
      target,
      typeOnly: type !== undefined,
      lazy: false,
    })),
    ...[...calls].map(([, target = '']) => ({ target, typeOnly: false, lazy: true })),
  ].map((found) => ({ ...found, target: resolved(name, found.target) }));
}

function resolved(from: string, target: string): string {
  if (!target.startsWith('.')) return target;
  return path.posix.join(path.posix.dirname(from), target).replace(/\.js$/, '');
}

const src = filesUnder('src');
const workers = filesUnder('workers');
const product = [...src, ...workers];

const TABLES = new Set(
  filesUnder('migrations').flatMap(({ text }) =>
    [...text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?`?(\w+)/g)].map(([, table = '']) => table),
  ),
);
/** Only retention, or the table's own room, deletes; reading is free. */
const WRITES = /\b(?:INSERT (?:IGNORE )?INTO|UPDATE)\s+(\w+)/g;
/** Tables that several rooms write, with those rooms. */
const WRITTEN_BY_SEVERAL: Record<string, string[]> = {
  // When it was used last is noted by who looks it up.
  api_keys: ['src/api/auth', 'src/people/keys'],
  // Attached from either side.
  case_records: ['src/data/cases', 'src/data/records'],
  // Things of a deleted folder stand in no folder afterwards.
  credentials: ['src/data/credentials', 'src/data/folders'],
  resources: ['src/data/folders', 'src/data/resources'],
  stories: ['src/data/folders', 'src/stories'],
  // That somebody was told of skipped starts is noted by who tells them.
  schedules: ['src/operate/monitoring', 'src/stories'],
  // Facts of the installation.
  settings: ['src/data/credentials', 'src/operate/cli', 'src/platform/mysql'],
  // A key that credentials brought along has a user of its own, who goes with it.
  users: ['src/people/keys', 'src/people/users'],
};

/** Files that write statements: stores and the database layer. */
const HOLDS_SQL = /-store\.ts$|^src\/platform\/mysql\//;

/** Writers of tables: a room, or a part of those that hold many kinds of thing (`src/data/cases`). */
const writerOf = (name: string): string =>
  name
    .split('/')
    .slice(0, ['data', 'people', 'api', 'operate', 'platform'].includes(roomOf(name)) ? 3 : 2)
    .join('/');

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

const isConsole = (name: string) => within(name, 'src/console');

/** The room of a file; the server and the files of `workers` belong to the application. */
const roomOf = (name: string): string =>
  name.startsWith('src/server') || within(name, 'workers') ? 'app' : (name.split('/')[1] ?? '');

const consoleRoomOf = (name: string): string =>
  Object.keys(CONSOLE_ROOMS).find((room) => within(name.replace(/\.tsx?$/, ''), room)) ?? '';

/** The files of a circle of imports, if there is one. */
function circleIn(files: SourceFile[]): string[] {
  const imports = new Map(files.map((file) => [file.name.replace(/\.tsx?$/, ''), file.imports]));
  const done = new Set<string>();
  const walk = (name: string, above: string[]): string[] => {
    if (above.includes(name)) return [...above.slice(above.indexOf(name)), name];
    if (done.has(name)) return [];
    for (const { target } of imports.get(name) ?? []) {
      const circle = imports.has(target) ? walk(target, [...above, name]) : [];
      if (circle.length > 0) return circle;
    }
    done.add(name);
    return [];
  };
  for (const name of imports.keys()) {
    const circle = walk(name, []);
    if (circle.length > 0) return circle;
  }
  return [];
}

const runsDown = (from: string, to: string) => ROOMS.indexOf(from) <= ROOMS.indexOf(to);

describe('who may import whom', () => {
  it('every file has a room, and every room but the library and the console a face', () => {
    expect([...new Set(product.map(({ name }) => roomOf(name)))].toSorted()).toEqual(ROOMS.toSorted());
    const faces = product.filter(({ name }) => /^src\/\w+\/face\.ts$/.test(name));
    expect(faces.map(({ name }) => roomOf(name)).toSorted()).toEqual(
      ROOMS.filter((room) => room !== LIBRARY && room !== 'console').toSorted(),
    );
  });

  it('imports run down', () => {
    expect(
      wrongImports(
        product,
        ({ target }, { name }) => !within(target, 'src') || runsDown(roomOf(name), roomOf(target)),
      ),
    ).toEqual([]);
  });

  it('other rooms import the face of a room only; code that is loaded later is named by its file', () => {
    expect(
      wrongImports(product, ({ target, lazy }, { name }) => {
        const room = roomOf(target);
        const isFree = !within(target, 'src') || lazy || room === roomOf(name) || room === LIBRARY;
        return isFree || target === `src/${room}/face`;
      }),
    ).toEqual([]);
  });

  it('no file imports the face of its own room', () => {
    expect(wrongImports(src, ({ target }, { name }) => target !== `src/${roomOf(name)}/face`)).toEqual([]);
  });

  it('no imports run in a circle, types and what is loaded later included', () => {
    expect(circleIn(product)).toEqual([]);
  });

  it('src never imports tests or bin', () => {
    const foreign = ['test', 'bin'];
    expect(wrongImports(product, ({ target }) => !foreign.some((folder) => within(target, folder)))).toEqual(
      [],
    );
  });

  it('the console and the server import nothing of each other', () => {
    expect(
      wrongImports(
        product,
        ({ target }, { name }) => !within(target, 'src') || isConsole(target) === isConsole(name),
      ),
    ).toEqual([]);
  });

  it('rooms of the console import those that are listed', () => {
    const files = src.filter(({ name }) => isConsole(name));
    expect(named(files, ({ name }) => consoleRoomOf(name) === '')).toEqual([]);
    expect(
      wrongImports(files, ({ target }, { name }) => {
        const rooms = [consoleRoomOf(name), ...(CONSOLE_ROOMS[consoleRoomOf(name)] ?? [])];
        return !isConsole(target) || rooms.some((room) => within(target, room));
      }),
    ).toEqual([]);
  });

  it('no file stands at the top of src but the server', () => {
    expect(named(src, ({ name }) => name.split('/').length === 2)).toEqual(['src/server.ts']);
  });

  it('what executes knows no web framework', () => {
    const files = [...workers, ...src.filter(({ name }) => /^src\/(engine|agents|language)\//.test(name))];
    expect(wrongImports(files, ({ target }) => target !== 'express')).toEqual([]);
  });

  it('agents import errors, plain values and their own folder; of what they are given, the types only', () => {
    const agents = src.filter(({ name }) => name.startsWith('src/agents/'));
    const free = ['errors', 'headers', 'json', 'patterns', 'runtime', 'secrets', 'text', 'time'].map(
      (part) => `src/platform/${part}`,
    );
    const contracts = ['src/platform/outbound', 'src/language'];
    expect(
      wrongImports(agents, ({ target, typeOnly }) => {
        if (!within(target, 'src')) return true;
        return [...free, 'src/agents', ...(typeOnly ? contracts : [])].some((folder) =>
          within(target, folder),
        );
      }),
    ).toEqual([]);
  });

  it('agents import no database, queue or web framework', () => {
    const agents = src.filter(({ name }) => name.startsWith('src/agents/'));
    const forbidden = new Set(['mysql2', 'knex', 'bullmq', 'ioredis', 'express']);
    expect(wrongImports(agents, ({ target }) => !forbidden.has(target))).toEqual([]);
  });

  it('only files of routes declare routes', () => {
    const others = product.filter(({ name }) => !/-routes\.ts$|^src\/api\//.test(name));
    expect(named(others, ({ code }) => /\bdefineRoute\b/.test(code))).toEqual([]);
  });

  it('the library knows no noun of the product', () => {
    const library = src.filter(({ name }) => roomOf(name) === LIBRARY);
    const nouns = /(?:^|[-/])(?:story|stories|webhook|record|tenant|team|trial|dead-letter)s?[-.]/;
    expect(named(library, ({ name }) => nouns.test(name.replace('src/platform/', '')))).toEqual([]);
  });
});

describe('what is done in one place only', () => {
  it('only config/config.ts reads process.env', () => {
    const reads = /process\s*\.\s*env\b|process\[|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/;
    expect(named(product, ({ name, code }) => name !== 'src/config/config.ts' && reads.test(code))).toEqual(
      [],
    );
  });

  it('only stores and src/platform/mysql hold SQL; asking whether the database is there (SELECT 1) is none', () => {
    const sql =
      /['"`]\s*(?:SELECT\s(?!1['"`])|INSERT\s+(?:IGNORE\s+)?INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+(?:\w+\s+)?FROM\s)/;
    const others = product.filter(({ name }) => !HOLDS_SQL.test(name));
    expect(named(others, ({ code }) => sql.test(code))).toEqual([]);
  });

  it('each table is written by one room, but for what is listed', () => {
    const writers = new Map<string, Set<string>>();
    for (const { name, code } of product) {
      for (const [, table = ''] of code.matchAll(WRITES)) {
        if (!TABLES.has(table) || within(name, 'src/engine/retention')) continue;
        writers.set(table, (writers.get(table) ?? new Set()).add(writerOf(name)));
      }
    }
    const several = [...writers].filter(([, rooms]) => rooms.size > 1);
    expect(Object.fromEntries(several.map(([table, rooms]) => [table, [...rooms].toSorted()]))).toEqual(
      WRITTEN_BY_SEVERAL,
    );
    expect(writers.size).toBeGreaterThan(20);
  });

  it('only stores and src/platform/mysql build queries with knex', () => {
    const query = /\b(?:knex|trx)\s*(?:<[^>]*>)?\(|\b(?:knex|trx)\.raw\(/;
    const others = product.filter(({ name }) => !HOLDS_SQL.test(name));
    expect(named(others, ({ code }) => query.test(code))).toEqual([]);
  });

  it('only the logger and the command line write to the console', () => {
    const writes = /\bconsole\.\w+\(/;
    expect(
      named(product, ({ name, code }) => !name.startsWith('src/operate/cli/') && writes.test(code)),
    ).toEqual([]);
  });
});

describe('the layout', () => {
  it('has no folder for things without a place', () => {
    expect(
      named(product, ({ name }) => /(?:^|\/)(?:utils?|helpers?|common|lib|misc|shared)\//.test(name)),
    ).toEqual([]);
  });

  it('has every file name once, but for faces, the lists called index.ts, and commands, which are called as they are typed', () => {
    const files = src.filter(
      ({ name }) => !name.startsWith('src/operate/cli/commands/') && !/\/(?:face|index)\.ts$/.test(name),
    );
    const names = files.map(({ name }) => path.posix.basename(name));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('exports each name from one file, but for the console, faces and what is listed', () => {
    const declared =
      /^export (?:abstract )?(?:async )?(?:function\*?|class|const|let|enum|interface|type) (\w+)/gm;
    const filesOf = new Map<string, Set<string>>();
    for (const { name, code } of product.filter((file) => !isConsole(file.name))) {
      for (const [, exported = ''] of code.matchAll(declared)) {
        filesOf.set(exported, (filesOf.get(exported) ?? new Set()).add(name));
      }
    }
    const twice = [...filesOf].filter(([, files]) => files.size > 1);
    expect(twice.map(([name, files]) => `${name}: ${[...files].join(', ')}`)).toEqual([]);
    expect(filesOf.size).toBeGreaterThan(3_000);
  });

  it('names files in kebab-case', () => {
    expect(
      named(product, ({ name }) => !/^[a-z0-9]+(?:-[a-z0-9]+)*\.tsx?$/.test(path.posix.basename(name))),
    ).toEqual([]);
  });

  it('leaves no note of work undone', () => {
    expect(named(product, ({ text }) => /\b(?:TODO|FIXME|XXX|HACK)\b/.test(text))).toEqual([]);
  });
});
