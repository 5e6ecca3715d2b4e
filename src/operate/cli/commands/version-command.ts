import type { Command } from 'commander';
import { MIGRATIONS } from '../../../../migrations/index.js';
import { messageOf } from '../../../platform/errors.js';
import { pendingMigrations, unknownMigrations } from '../../../platform/mysql/schema/migrate.js';
import { productVersion } from '../../../platform/outbound/product-version.js';
import { buildCommit, notablePackages } from '../build-facts.js';
import type { Cli, CliResponse } from '../cli.js';
import { cliConfig } from '../cli-environment.js';
import { withCliServices } from '../stores/cli-services.js';

/** The state of the schema, compared with the migrations of this version. */
interface SchemaFacts {
  /** The newest migration of this version. */
  newest: string;
  /** Migrations of this version that the database lacks; null if the database cannot be asked. */
  pending: string[] | null;
  /** Migrations of a newer version that the database has; null if it cannot be asked. */
  of_newer_version: string[] | null;
  /** Why the database cannot be asked; null if it was. */
  problem: string | null;
}

/** `version`: the version; with `--full` also what it was built from, what it runs on, and the state of the schema. */
export function addVersionCommand(program: Command, cli: Cli): void {
  program
    .command('version')
    .description('show the version of this program')
    .option('--full', 'also show the commit, Node.js version, packages and schema state')
    .action(
      cli.offlineAction(({ full = false }: { full?: boolean }) =>
        full ? fullVersion(cli.io.env) : Promise.resolve(shortVersion()),
      ),
    );
}

function shortVersion(): CliResponse {
  return { json: { version: productVersion() }, text: productVersion() };
}

async function fullVersion(env: NodeJS.ProcessEnv): Promise<CliResponse> {
  const json = {
    version: productVersion(),
    commit: (await buildCommit()) ?? null,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    packages: notablePackages(),
    schema: await schemaFacts(env),
  };
  const { packages, schema } = json;
  const lines: [string, string][] = [
    ['version', json.version],
    ['commit', json.commit ?? 'unknown'],
    ['node', `${json.node} on ${json.platform}`],
    [
      'packages',
      Object.entries(packages)
        .map((entry) => entry.join(' '))
        .join(', '),
    ],
    ['schema', `${schema.newest}; ${stateOf(schema)}`],
  ];
  return { json, text: lines.map(([name, value]) => `${name.padEnd(10)}${value}`).join('\n') };
}

/** A database that cannot be asked is part of the output: the rest is wanted all the same. */
async function schemaFacts(env: NodeJS.ProcessEnv): Promise<SchemaFacts> {
  const newest = Object.keys(MIGRATIONS).toSorted().at(-1) ?? '';
  try {
    const config = await cliConfig(env);
    return await withCliServices(config, async ({ database: { knex } }) => ({
      newest,
      pending: await pendingMigrations(knex),
      of_newer_version: await unknownMigrations(knex),
      problem: null,
    }));
  } catch (error) {
    return { newest, pending: null, of_newer_version: null, problem: messageOf(error) };
  }
}

function stateOf({ pending, of_newer_version: newer, problem }: SchemaFacts): string {
  if (problem !== null) return `the database is unreachable: ${problem}`;
  const states = [
    ...(pending?.length ? [`${pending.length} migrations are pending`] : []),
    ...(newer?.length ? [`the database has ${newer.length} migrations from a newer version`] : []),
  ];
  return states.length > 0 ? states.join('; ') : 'the database schema is up to date';
}
