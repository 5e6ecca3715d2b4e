import { messageOf } from '../../../platform/errors.js';
import { installWithManager, packageManagerOf, privilegeFor } from './install-system.js';
import { canUnpack, unpackPackages } from './install-unpacked.js';
import { type PackageManager, STORE_LABELS, type StoreName } from './package-managers.js';
import {
  type DatabaseBinaries,
  type DatabaseKind,
  findDatabase,
  findRedis,
  type RedisBinary,
  type SearchPlaces,
} from './server-binaries.js';

/** The servers are neither installed nor installable on this machine; the message says what to install. */
class ServersMissing extends Error {}

type Say = (line: string) => void;
/** Asks whether packages may be installed on the system; `what` names the packages and the way. */
export type ConfirmInstall = (what: string) => Promise<boolean>;

export interface ObtainOptions {
  places: SearchPlaces;
  say: Say;
  /** By default they may be installed. */
  confirm?: ConfirmInstall | undefined;
}

/** Finds or installs a database server. `kind`: the one that wrote the existing data. */
export function obtainDatabase(options: ObtainOptions, kind?: DatabaseKind): Promise<DatabaseBinaries> {
  return obtain('mysql', options, () => findDatabase(options.places, kind));
}

/** Finds or installs a Redis server. */
export function obtainRedis(options: ObtainOptions): Promise<RedisBinary> {
  return obtain('redis', options, () => findRedis(options.places));
}

async function obtain<T>(
  store: StoreName,
  { places, say, confirm }: ObtainOptions,
  find: () => Promise<T | undefined>,
): Promise<T> {
  const there = await find();
  if (there !== undefined) return there;
  const manager = packageManagerOf(places.searchPath);
  const problems: string[] = [];
  for (const { label, onSystem, get } of await waysToGet(store, places.unpacked, manager)) {
    if (onSystem && (await confirm?.(`Fabula requires ${STORE_LABELS[store]} (${label}).`)) === false) {
      problems.push(`${label}: declined`);
      continue;
    }
    const started = Date.now();
    say(`Getting ${STORE_LABELS[store]} (${label}) …`);
    try {
      await get();
      const found = await find();
      if (found !== undefined) {
        say(`Downloading: done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
        return found;
      }
      problems.push(`${label}: done, but no usable server of the required version was found`);
    } catch (error) {
      problems.push(`${label}: ${messageOf(error)}`);
    }
  }
  throw new ServersMissing(explain(store, manager, problems));
}

async function waysToGet(store: StoreName, unpacked: string, manager: PackageManager | undefined) {
  const ways: { label: string; onSystem: boolean; get: () => Promise<void> }[] = [];
  const privilege = manager && (await privilegeFor(manager));
  if (manager !== undefined && privilege !== undefined) {
    const label = [...privilege.slice(0, 1), manager.command, 'install'].join(' ');
    ways.push({ label, onSystem: true, get: () => installWithManager(manager, store, privilege) });
  }
  if (canUnpack()) {
    ways.push({
      label: `unpacked to ${unpacked}`,
      onSystem: false,
      get: () => unpackPackages(unpacked, store),
    });
  }
  return ways;
}

function explain(store: StoreName, manager: PackageManager | undefined, problems: string[]): string {
  const packages = manager?.packages[store][0]?.join(' ');
  const command =
    manager && `${manager.asRoot ? 'sudo ' : ''}${manager.command} ${installWord(manager)} ${packages}`;
  const variable = store === 'mysql' ? 'DATABASE_URL' : 'REDIS_URL';
  return [
    `Fabula requires ${STORE_LABELS[store]}, which is not installed on this machine.`,
    ...problems.map((problem) => `  Tried: ${problem}`),
    `Install it${command === undefined ? '' : ` (${command})`}, or set ${variable} to a running server, then start again.`,
  ].join('\n');
}

function installWord(manager: PackageManager): string {
  return manager.install.find((word) => ['install', 'add', '-S'].includes(word)) ?? 'install';
}
