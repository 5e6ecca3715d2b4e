import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

/**
 * THE table of rooms, from the top down: imports run down only, types included. What it is about stands in ARCHITECTURE.md.
 * A file belongs to the first room whose name its path begins with.
 */
const ROOMS = [
  'src/console',
  'workers',
  'src/worker',
  'src/server.ts',
  'src/cli',
  'src/app',
  'src/embedded',
  'src/admin',
  'src/doctor',
  'src/backup',
  'src/archive',
  'src/engine/dry-run',
  'src/webhooks',
  'src/monitoring',
  'src/runs',
  'src/cases',
  'src/engine/recovery',
  'src/engine/retention',
  'src/engine/follow-up',
  'src/engine/execute',
  'src/engine/implode',
  'src/engine/calls',
  'src/engine/prompts',
  'src/engine/commit',
  'src/engine/accept',
  'src/engine/dispatch',
  'src/engine/secrets',
  'src/mails',
  'src/credentials',
  'src/resources',
  'src/stories',
  'src/records',
  'src/folders',
  'src/engine/state',
  'src/access/tenants',
  'src/access/people',
  'src/access/quotas',
  'src/access/audit',
  'src/api',
  'src/access/auth',
  'src/agents',
  'src/language',
  'src/platform/threads',
  'src/platform/http',
  'src/config',
  'src/platform/objects',
  'src/platform/outbound',
  'src/platform/redis',
  'src/platform/mysql',
  'src/platform/metrics',
  'src/platform/tracing',
  'src/platform/runtime',
  'src/platform/validation',
  'src/platform/zip',
  'src/platform/crypto',
  'src/platform/text',
  'src/platform/time',
  'src/platform',
];

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
    'src/console/api',
    'src/console/ui',
    'src/console/keys',
    'src/console/text',
  ],
  'src/console/inspector': ['src/console/ui', 'src/console/text'],
  'src/console/canvas': ['src/console/ui', 'src/console/keys', 'src/console/text'],
  'src/console/api': ['src/console/text'],
  'src/console/ui': ['src/console/keys', 'src/console/text'],
  'src/console/keys': ['src/console/text'],
  'src/console/story-model': ['src/console/text'],
  'src/console/text': [],
};

/** Arrows that run up all the same, each with its reason. */
const UP: Record<string, string> = {
  'src/platform/threads → src/language': 'an error of a template comes back from a thread in its own class',
  'src/platform/threads → src/app':
    'the type of THE list of tasks, which names what each room does in threads',
  'src/platform/runtime → src/platform/mysql':
    'a background loop tells of an outage once, and knows one by its error',
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
  /** Loaded when it is first needed: no circle, but an arrow all the same. */
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
/** What deletes is retention's, or its own room's; reading is free. */
const WRITES = /\b(?:INSERT (?:IGNORE )?INTO|UPDATE)\s+(\w+)/g;
/** Tables that several rooms write, with those rooms. */
const WRITTEN_BY_SEVERAL: Record<string, string[]> = {
  // When it was used last is noted by who looks it up.
  api_keys: ['src/access/auth', 'src/access/tenants'],
  // Attached from either side.
  case_records: ['src/cases', 'src/records'],
  // What a deleted folder held stands in none afterwards.
  credentials: ['src/credentials', 'src/folders'],
  resources: ['src/folders', 'src/resources'],
  stories: ['src/folders', 'src/stories'],
  // Facts of the installation.
  settings: ['src/cli', 'src/credentials', 'src/platform/mysql'],
};

/** Where statements are written: stores and the database layer. */
const HOLDS_SQL = /-store\.ts$|^src\/platform\/mysql\//;

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

const roomOf = (name: string): string | undefined =>
  ROOMS.find((room) => within(`${name.replace(/\.tsx?$/, '')}.ts`, room) || within(name, room));

const consoleRoomOf = (name: string): string =>
  Object.keys(CONSOLE_ROOMS).find((room) => within(name.replace(/\.tsx?$/, ''), room)) ?? '';

/** Every arrow that runs up, with the imports that make it. */
function arrowsUp(files: SourceFile[]): Map<string, string[]> {
  const arrows = new Map<string, string[]>();
  for (const { name, imports } of files) {
    const from = roomOf(name);
    for (const { target } of imports) {
      const to = roomOf(target);
      if (from === undefined || to === undefined || ROOMS.indexOf(to) >= ROOMS.indexOf(from)) continue;
      const arrow = `${from} → ${to}`;
      arrows.set(arrow, [...(arrows.get(arrow) ?? []), `${name} → ${target}`]);
    }
  }
  return arrows;
}

/** The files of a circle of imports, if there is one. */
function circleIn(files: SourceFile[]): string[] {
  const imports = new Map(files.map((file) => [file.name.replace(/\.tsx?$/, ''), file.imports]));
  const done = new Set<string>();
  const walk = (name: string, above: string[]): string[] => {
    if (above.includes(name)) return [...above.slice(above.indexOf(name)), name];
    if (done.has(name)) return [];
    for (const { target, lazy } of imports.get(name) ?? []) {
      const circle = imports.has(target) && !lazy ? walk(target, [...above, name]) : [];
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

describe('who may import whom', () => {
  it('every file has a room', () => {
    expect(named(product, ({ name }) => roomOf(name) === undefined)).toEqual([]);
    expect(ROOMS.filter((room) => !product.some(({ name }) => within(name, room)))).toEqual([]);
  });

  it('imports run down, but for the arrows that are listed', () => {
    const found = arrowsUp(product);
    expect([...found].filter(([arrow]) => !(arrow in UP))).toEqual([]);
    expect(Object.keys(UP).filter((arrow) => !found.has(arrow))).toEqual([]);
  });

  it('no imports run in a circle, types included', () => {
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
    const pages = 'src/engine/prompts/prompt-router.ts';
    expect(
      wrongImports(
        files.filter(({ name }) => name !== pages),
        ({ target }) => target !== 'express' && !within(target, 'src/api'),
      ),
    ).toEqual([]);
  });

  it('agents import errors, plain values and their own folder; of what they are given, the types only', () => {
    const agents = src.filter(({ name }) => name.startsWith('src/agents/'));
    const free = [
      'src/platform/errors',
      'src/platform/json',
      'src/platform/patterns',
      'src/platform/text',
      'src/platform/runtime',
    ];
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

  it('only routes, the room they are declared in and the application touch api/route', () => {
    const others = src.filter(({ name }) => !/-routes\.ts$|^src\/(api|app)\//.test(name));
    expect(wrongImports(others, ({ target }) => target !== 'src/api/route')).toEqual([]);
  });

  it('technology knows no noun of the product: it imports nothing else, but for what is listed', () => {
    const technology = src.filter(({ name }) => name.startsWith('src/platform/'));
    const listed = Object.keys(UP);
    expect(
      wrongImports(
        technology,
        ({ target }, { name }) =>
          !within(target, 'src') ||
          ['src/platform', 'src/config'].some((room) => within(target, room)) ||
          listed.includes(`${roomOf(name)} → ${roomOf(target)}`),
      ),
    ).toEqual([]);
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
        writers.set(table, (writers.get(table) ?? new Set()).add(roomOf(name) ?? name));
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
    expect(named(product, ({ name, code }) => !name.startsWith('src/cli/') && writes.test(code))).toEqual([]);
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
      ({ name }) => !name.startsWith('src/cli/commands/') && !/\/(?:face|index)\.ts$/.test(name),
    );
    const names = files.map(({ name }) => path.posix.basename(name));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
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
