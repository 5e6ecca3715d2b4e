import { randomBytes } from 'node:crypto';
import type { Database } from '../../../platform/mysql/database.js';
import { readLines } from '../line-files.js';
import { findTakenPaths, type TakenPath } from './tables/taken-paths-store.js';
import type { TenantFile } from './tenant-manifest.js';

const ASKED_AT_ONCE = 500;
const NAMED = 10;
/** `-` and eight digits are added to a path of at most 255 characters. */
const KEPT_CHARACTERS = 246;

/**
 * Returns new paths for the webhooks of a copy whose paths are in use here, by the old ones.
 * @throws Error that names them, unless `isAllowed`; and if the tenant itself is here already.
 */
export async function newPathsOf(
  actions: TenantFile & { place: string },
  database: Pick<Database, 'read'>,
  isAllowed: boolean,
): Promise<Map<string, string>> {
  const own = await readPaths(actions);
  const taken = await takenOf([...own.keys()], database);
  const same = taken.find(({ path, guid }) => own.get(path) === guid);
  if (same !== undefined) {
    throw new Error(`this installation already has a part of the tenant: its story "${same.story}"`);
  }
  if (taken.length > 0 && !isAllowed) throw new Error(collision(taken));
  return new Map(
    taken.map(({ path }) => [path, `${path.slice(0, KEPT_CHARACTERS)}-${randomBytes(4).toString('hex')}`]),
  );
}

/** Returns the guid of each webhook of a copy, by its path. */
async function readPaths({ place, columns }: TenantFile & { place: string }): Promise<Map<string, string>> {
  const [path, guid] = [columns.indexOf('webhook_path'), columns.indexOf('guid')];
  const found = new Map<string, string>();
  for await (const line of readLines(place)) {
    const cells = JSON.parse(line) as (string | null)[];
    const own = cells[path] ?? null;
    if (own !== null) found.set(own, cells[guid] ?? '');
  }
  return found;
}

async function takenOf(paths: readonly string[], database: Pick<Database, 'read'>): Promise<TakenPath[]> {
  const taken: TakenPath[] = [];
  for (let at = 0; at < paths.length; at += ASKED_AT_ONCE) {
    const some = paths.slice(at, at + ASKED_AT_ONCE);
    taken.push(...(await database.read((session) => findTakenPaths(session, some))));
  }
  return taken;
}

function collision(taken: readonly TakenPath[]): string {
  const named = taken
    .slice(0, NAMED)
    .map(({ path, story, tenantId }) => `"${path}" by the story "${story}" of tenant ${tenantId}`);
  const more = taken.length > NAMED ? ` and ${taken.length - NAMED} more` : '';
  return (
    `webhook paths are already in use here: ${named.join(', ')}${more}. Delete these stories, change their paths, ` +
    'or use --new-webhook-addresses to assign new paths'
  );
}
