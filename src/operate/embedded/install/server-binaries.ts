import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { runTool } from '../run-tool.js';

export type DatabaseKind = 'mariadb' | 'mysql';

/** A MariaDB or MySQL server that can be run from its current place. */
export interface DatabaseBinaries {
  kind: DatabaseKind;
  server: string;
  /** MariaDB's script that creates a data folder; MySQL's server does it itself. */
  installer: string | undefined;
  /** The folder with its `bin`, `sbin` and `share`. */
  prefix: string;
  /** The folder of its error messages; a server that was moved does not find them by itself. */
  messages: string | undefined;
  /** Folders with the shared libraries that were unpacked with it. */
  libraries: string[];
}

/** A Redis (or Valkey) server. */
export interface RedisBinary {
  server: string;
  /** The name to run it by: the program acts by its name. */
  runAs: string;
  version: number;
  libraries: string[];
}

/** The folders to search: the search path of the environment, and the folder of unpacked packages. */
export interface SearchPlaces {
  searchPath: string;
  unpacked: string;
}

interface Place {
  folder: string;
  libraries: string[];
}

const USUAL_FOLDERS = [
  '/usr/sbin',
  '/usr/bin',
  '/usr/libexec',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/local/mysql/bin',
  '/usr/local/opt/mariadb/bin',
  '/opt/homebrew/bin',
  '/opt/homebrew/opt/mariadb/bin',
];
const VERSION_LIMIT_MS = 10_000;
const LIBRARY_DEPTH = 4;
const OLDEST: Record<DatabaseKind | 'redis', number> = { mariadb: 10.06, mysql: 8, redis: 6.02 };

/** Returns a database server that works and is new enough; `kind`: the one that wrote the existing data. */
export async function findDatabase(
  places: SearchPlaces,
  kind?: DatabaseKind,
): Promise<DatabaseBinaries | undefined> {
  for (const place of placesFor(places, 'mysql')) {
    for (const name of ['mariadbd', 'mysqld']) {
      const found = await databaseAt(place, name);
      if (found !== undefined && (kind === undefined || found.kind === kind)) return found;
    }
  }
  return undefined;
}

/**
 * Returns a Redis server that works and is new enough. Debian's `redis-tools` contains the server too, under the
 * name of a tool: the program acts by its name, and that package brings no system service.
 */
export async function findRedis(places: SearchPlaces): Promise<RedisBinary | undefined> {
  for (const place of placesFor(places, 'redis')) {
    for (const [file, runAs] of [
      ['redis-server', 'redis-server'],
      ['valkey-server', 'valkey-server'],
      ['redis-check-rdb', 'redis-server'],
      ['valkey-check-rdb', 'valkey-server'],
    ] as const) {
      const server = path.join(place.folder, file);
      const said = await outputOf(server, ['--version'], { libraries: place.libraries, runAs });
      const version = versionNumber(/(?:Redis|Valkey) server v=(\d+)\.(\d+)/.exec(said));
      if (version >= OLDEST.redis) return { server, runAs, version, libraries: place.libraries };
    }
  }
  return undefined;
}

/** Returns the environment with which a server finds its libraries. */
export function libraryEnvironment(env: NodeJS.ProcessEnv, libraries: string[]): NodeJS.ProcessEnv {
  return libraries.length === 0 ? env : { ...env, LD_LIBRARY_PATH: libraries.join(':') };
}

function placesFor({ searchPath, unpacked }: SearchPlaces, store: string): Place[] {
  const system = [...searchPath.split(path.delimiter), ...USUAL_FOLDERS].filter((folder) =>
    path.isAbsolute(folder),
  );
  const root = path.join(unpacked, store);
  const libraries = [path.join(root, 'usr', 'lib'), path.join(root, 'lib')].flatMap((lib) =>
    withLibraries(lib, 0),
  );
  const own = ['sbin', 'bin', 'libexec'].map((name) => ({ folder: path.join(root, 'usr', name), libraries }));
  return [...[...new Set(system)].map((folder) => ({ folder, libraries: [] })), ...own];
}

function withLibraries(folder: string, depth: number): string[] {
  if (depth > LIBRARY_DEPTH || !existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  const inner = entries
    .filter((entry) => entry.isDirectory() && entry.name !== 'plugin')
    .flatMap((entry) => withLibraries(path.join(folder, entry.name), depth + 1));
  return entries.some((entry) => /\.so(\.|$)/.test(entry.name)) ? [folder, ...inner] : inner;
}

async function databaseAt(place: Place, name: string): Promise<DatabaseBinaries | undefined> {
  const server = path.join(place.folder, name);
  const said = await outputOf(server, ['--no-defaults', '--version'], { libraries: place.libraries });
  const kind: DatabaseKind = /mariadb/i.test(said) ? 'mariadb' : 'mysql';
  if (versionNumber(/Ver (\d+)\.(\d+)/.exec(said)) < OLDEST[kind]) return undefined;
  const prefix = path.dirname(place.folder);
  const installer = kind === 'mariadb' ? installerIn(prefix) : undefined;
  if (kind === 'mariadb' && installer === undefined) return undefined;
  return { kind, server, installer, prefix, messages: messagesIn(prefix), libraries: place.libraries };
}

/** Debian has the script in one package, and a program that it runs in another. */
function installerIn(prefix: string): string | undefined {
  const helpers = ['bin/my_print_defaults', 'extra/my_print_defaults'].map((file) => path.join(prefix, file));
  if (!helpers.some((file) => existsSync(file))) return undefined;
  return ['bin/mariadb-install-db', 'scripts/mariadb-install-db', 'bin/mysql_install_db']
    .map((file) => path.join(prefix, file))
    .find((file) => existsSync(file));
}

function messagesIn(prefix: string): string | undefined {
  return ['share/mariadb', 'share/mysql', 'share']
    .map((folder) => path.join(prefix, folder))
    .find((folder) => existsSync(path.join(folder, 'english', 'errmsg.sys')));
}

/** Returns a server's output; empty if it is missing or does not run (for example without a library). */
async function outputOf(
  server: string,
  args: string[],
  { libraries, runAs }: { libraries: string[]; runAs?: string },
): Promise<string> {
  if (!existsSync(server)) return '';
  const env = libraries.length === 0 ? {} : { env: { LD_LIBRARY_PATH: libraries.join(':') } };
  try {
    return await runTool(server, args, {
      timeoutMs: VERSION_LIMIT_MS,
      ...env,
      ...(runAs !== undefined && { runAs }),
    });
  } catch {
    // A server that cannot print its version is skipped; the search continues, and its result is reported.
    return '';
  }
}

/** 10.11 becomes 10.11, 10.6 becomes 10.06: so that they compare as versions do. */
function versionNumber(match: RegExpExecArray | null): number {
  return match === null ? 0 : Number(match[1]) + Number(match[2]) / 100;
}
