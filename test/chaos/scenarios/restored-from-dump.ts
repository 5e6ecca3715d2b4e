import { createDatabase } from '../../../src/platform/mysql/database.js';
import { findFreePort } from '../../../src/operate/embedded/free-port.js';
import { createSilentLogger } from '../../../src/platform/logger.js';
import { copyDatabase } from '../../support/database-copy.js';
import { eventually } from '../../support/eventually.js';
import { runCommand } from '../../support/product/run-command.js';
import { startSmtpServer } from '../../support/smtp-server.js';
import { type ChaosStores, startChaosStores } from '../chaos-stores.js';
import { faultIn } from '../check.js';
import { readProgress, readRuns, type StoredRun } from '../check-store.js';
import { loadBody, OWN_NUMBERS } from '../load-story.js';
import { createProcessGroup } from '../process-group.js';
import { defineScenario } from '../scenario.js';
import type { World } from '../world.js';

const DATABASE = 'restored';
/** Calls that the restored system takes besides. */
const NEW_CALLS = 20;
const SETTLE_LIMIT_MS = 5 * 60_000;

export const restoredFromDump = defineScenario({
  name: 'restored-from-dump',
  sentence:
    'MySQL alone is dumped under load and restored into new servers with an empty Redis: what was under way in the dump goes on to its end there, once, beside the old life.',
  async hurt(world) {
    const servers = await startChaosStores(world.stores.searchPath);
    // It has a receiver of its own too: both systems together send more than one receiver, in this process, can take at the full rate.
    const smtp = await startSmtpServer();
    try {
      return await secondLife(world, servers, smtp.url);
    } finally {
      // Checked with the rest: a mail of both lives has the same key in both.
      world.outside.smtp.mails.push(...smtp.mails);
      await smtp.close();
      await servers.close();
    }
  },
});

/** Restores into `servers`, has all of it run to its end, and gives what did not hold. */
async function secondLife(
  world: World,
  servers: ChaosStores,
  smtpUrl: string,
): Promise<() => Promise<string[]>> {
  const url = await makeDatabase(servers);
  await copyDatabase(world.stores.databaseUrl, url);
  const db = createDatabase({ url, poolSize: 4, logger: createSilentLogger(), statementTimeoutMs: 120_000 });
  const port = await findFreePort();
  const stores = { DATABASE_URL: url, REDIS_URL: servers.redisUrl };
  const env = { ...world.env, ...stores, SMTP_URL: smtpUrl, PORT: String(port) };
  const group = createProcessGroup({ ...world.build, preloads: {}, env });
  try {
    const dumped = [...(await readRuns(db, world.story.id)).values()];
    const openBefore = (await readProgress(db)).open;
    const said = await runCommand({ args: ['database', 'restored', '--json'], env });
    await group.start();
    const refused = await callAgain(world.webhookUrl.replace(/:\d+\//, `:${port}/`));
    await eventually(async () => (await readProgress(db)).open === 0, SETTLE_LIMIT_MS);
    const failures = [
      ...(said.code === 0 ? [] : [`database restored: ${said.err}${said.out}`]),
      ...(openBefore > 0 ? [] : ['nothing was under way in the dump: nothing was tried']),
      ...(refused === 0 ? [] : [`${refused} calls were refused after the restore`]),
      ...faultsOf(dumped, await readRuns(db, world.story.id)),
      ...((await readProgress(db)).deadLetters === 0 ? [] : ['there are dead letters after the restore']),
    ];
    return () => Promise.resolve(failures);
  } finally {
    await group.close();
    await db.close();
  }
}

async function makeDatabase(servers: ChaosStores): Promise<string> {
  await servers.db.read((session) =>
    session.run(`CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci`),
  );
  const url = new URL(servers.databaseUrl);
  url.pathname = `/${DATABASE}`;
  return url.href;
}

/** Gives how many were not taken. */
async function callAgain(url: string): Promise<number> {
  let refused = 0;
  for (let call = 0; call < NEW_CALLS; call += 1) {
    const body = JSON.stringify(loadBody(OWN_NUMBERS + call));
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.body?.cancel();
    if (!response.ok) refused += 1;
  }
  return refused;
}

/** Every run of the dump, and every new one, is there as it was and whole. */
function faultsOf(dumped: StoredRun[], now: Map<string, StoredRun>): string[] {
  const known = new Set(dumped.map(({ guid }) => guid));
  const added = [...now.values()].filter(({ guid }) => !known.has(guid));
  const faults = [...dumped, ...added].flatMap(({ guid }) => {
    const fault = faultIn(now.get(guid));
    return fault === undefined ? [] : [`${guid}: ${fault}`];
  });
  if (added.length !== NEW_CALLS)
    faults.push(`${added.length} runs were added, ${NEW_CALLS} were called for`);
  return faults.slice(0, 5);
}
