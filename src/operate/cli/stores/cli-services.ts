import {
  createStoryService,
  IMPORT_CHECKS,
  NO_STORY_CHANGES,
  type StoryChanges,
} from '../../../stories/face.js';
import { type Actor, createActorStore } from '../../../api/face.js';
import {
  createApiKeyService,
  createApiKeyStore,
  createLinkService,
  createQuotaService,
  createTenantService,
  createTenantStore,
  type Team,
  type Tenant,
  type User,
} from '../../../people/face.js';
import type { Config } from '../../../config/face.js';
import {
  createCredentialService,
  createCredentialStore,
  createMailSettingsService,
  createResourceService,
  createResourceValuesStore,
} from '../../../data/face.js';
import { createDatabase, type Database } from '../../../platform/mysql/database.js';
import { createCanaryService, createDeadLetterService } from '../../../observe/face.js';
import { messageOf } from '../../../platform/errors.js';
import { createSilentLogger } from '../../../platform/logger.js';

const POOL_SIZE = 2;
/** Migrations and large imports may take long, and no other request waits for this connection. */
const STATEMENT_TIMEOUT_MS = 60 * 60_000;
/** While a migration waits for a table lock, all later statements on the table wait behind it. */
const LOCK_WAIT_SECONDS = 5;

export type CliServices = ReturnType<typeof createCliServices>;

/** Creates the services of the commands. They need only the database; `changes` is notified of changed stories. */
export function createCliServices(config: Config, database: Database, changes: StoryChanges) {
  const tenantStore = createTenantStore(database.knex);
  const keys = createApiKeyStore(database.knex);
  const credentialStore = createCredentialStore(database);
  const credentials = createCredentialService({
    store: credentialStore,
    encryptionKey: config.encryptionKey,
    encryptionKeysPrevious: config.encryptionKeysPrevious,
    requireHosts: config.requireCredentialHosts,
  });
  return {
    config,
    database,
    actors: createActorStore(database),
    links: createLinkService({ database }),
    tenants: createTenantService({ store: tenantStore }),
    keys: createApiKeyService({ db: database, keys, tenants: tenantStore, limits: config }),
    stories: createStoryService({
      database,
      ...IMPORT_CHECKS,
      changes,
    }),
    credentials,
    resources: createResourceService({ store: createResourceValuesStore(database) }),
    deadLetters: createDeadLetterService({ database }),
    canaries: createCanaryService({ database }),
    mailSettings: createMailSettingsService({ database, credentials, config }),
    quotas: createQuotaService({ database, defaults: config.quotas }),
  };
}

/**
 * Opens the services, runs `work` and closes the database.
 * @throws Error that says so if the database is unreachable or was never migrated.
 */
export async function withCliServices<T>(
  config: Config,
  work: (services: CliServices) => Promise<T>,
  changes = NO_STORY_CHANGES,
): Promise<T> {
  const database = createDatabase({
    url: config.databaseUrl,
    tls: config.databaseTls,
    poolSize: POOL_SIZE,
    logger: createSilentLogger(),
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    lockWaitSeconds: LOCK_WAIT_SECONDS,
  });
  try {
    await reach(database);
    return await work(createCliServices(config, database, changes));
  } catch (error) {
    if (!isMissingTable(error)) throw error;
    throw new Error('the database is not migrated; run "migrate" first', { cause: error });
  } finally {
    await database.close();
  }
}

async function reach(database: Database): Promise<void> {
  try {
    await database.facts();
  } catch (error) {
    // After several failed connection attempts (IPv4 and IPv6) the message is empty, but the code is set.
    const reason = messageOf(error) || (error as NodeJS.ErrnoException).code;
    throw new Error(`the database is unreachable: ${reason}`, { cause: error });
  }
}

function isMissingTable(error: unknown): boolean {
  return error instanceof Error && (error as { errno?: number }).errno === 1146;
}

type Lookup = Pick<CliServices, 'tenants' | 'actors'>;

/** Returns the tenant with this id or name; without `wanted`, the only tenant. */
export async function resolveTenant({ tenants }: Lookup, wanted?: string): Promise<Tenant> {
  const all = await tenants.listTenants();
  return pick(all, { what: 'tenant', wanted, nameOf: ({ name }) => name });
}

/** Returns the tenant's team with this id or name; without `wanted`, its only team. */
export async function resolveTeam({ tenants }: Lookup, tenantId: number, wanted?: string): Promise<Team> {
  const all = await tenants.listTeams(tenantId);
  return pick(all, { what: 'team', wanted, nameOf: ({ name }) => name });
}

/** Returns the tenant's user with this id or e-mail address; without `wanted`, its first owner. */
export async function resolveUser({ tenants }: Lookup, tenantId: number, wanted?: string): Promise<User> {
  const people = (await tenants.listUsers(tenantId)).filter((user) => !user.isServiceAccount);
  if (wanted !== undefined) return pick(people, { what: 'user', wanted, nameOf: ({ email }) => email });
  const owner = people.find((user) => user.isOwner);
  if (owner === undefined) throw new Error('the tenant has no owner; create one with "user create --owner"');
  return owner;
}

/** Returns the actor of a command: the wanted user, or the tenant's first owner with their rights (spec §2.2). */
export async function resolveActor(lookup: Lookup, tenantId: number, wanted?: string): Promise<Actor> {
  const user = await resolveUser(lookup, tenantId, wanted);
  const actor = await lookup.actors.findByUser(user.id);
  if (actor === undefined) throw new Error(`the user ${user.email} was deleted`);
  return actor;
}

interface Choice<T> {
  what: string;
  wanted: string | undefined;
  nameOf: (item: T) => string;
}

function pick<T extends { id: number }>(items: T[], { what, wanted, nameOf }: Choice<T>): T {
  const matches =
    wanted === undefined
      ? items
      : items.filter((item) => String(item.id) === wanted || nameOf(item) === wanted);
  const byId = matches.find((item) => String(item.id) === wanted);
  const [first, second] = byId === undefined ? matches : [byId];
  if (first !== undefined && second === undefined) return first;
  const some = items.slice(0, 10).map((item) => `${item.id} (${nameOf(item)})`);
  const problem = first === undefined ? 'there is no such' : 'specify one by id: there is more than one';
  throw new Error(
    some.length === 0
      ? `there is no ${what} yet; create one with "${what} create"`
      : `${problem} ${what}${wanted === undefined ? '' : ` "${wanted}"`}; there are ${some.join(', ')}`,
  );
}
