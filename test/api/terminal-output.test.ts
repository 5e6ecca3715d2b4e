import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildAccount } from '../support/builders.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { useFabula } from '../support/use-fabula.js';
import { runCli } from '../support/run-cli.js';
import { says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const fabula = useFabula(stores);

/** A title, a cleared screen, a C1 sequence, a forged line, a delete and turned text. */
const HOSTILE = '\u001b]0;owned\u0007\u001b[2J\u009b31m\r\nforged\u007f\u202egnp\u2066\u2028x';
/** Characters that a terminal may get: the line ends and tabs are ours. */
const UNSAFE = /(?![\n\t])[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const cli = (...args: string[]) =>
  runCli(args, { env: fabulaEnvironment(stores, { QUEUE_PREFIX: fabula.config.queuePrefix }) });

async function withDeadLetter() {
  const { id } = await fabula.importStory(storyOf({ Says: says({ a: 1 }) }, []));
  await stores.sql(
    `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, state, error, due_at, failed_at)
     VALUES ('r', ?, 1, 1, 'email', 1, 'failed', ?, NOW(3), NOW(3))`,
    [id, HOSTILE],
  );
  await stores.sql('UPDATE stories SET name = ? WHERE id = ?', [`S ${HOSTILE}`, id]);
  return id;
}

it('S9: no text of strangers reaches the terminal as control characters or turned text', async () => {
  const id = await withDeadLetter();
  const { tenantId } = fabula.account;
  await stores.sql('UPDATE audit_logs SET path = ?, user_email = ?', [HOSTILE, HOSTILE]);
  const tenant = ['--tenant', String(tenantId)];
  for (const args of [
    ['dead-letters', 'list', ...tenant],
    ['story', 'list', ...tenant],
    ['dead-letters', 'list', '--story', String(id), ...tenant],
    ['audit', ...tenant],
  ]) {
    const { code, out, err } = await cli(...args);
    expect([args, code, err]).toEqual([args, 0, '']);
    expect(out).not.toMatch(UNSAFE);
    expect(out).not.toMatch(/^\s*forged/m);
    const machine = await cli(...args, '--json');
    expect(machine.out).not.toMatch(UNSAFE);
    expect(() => JSON.parse(machine.out) as unknown).not.toThrow();
  }
  const { out } = await cli('dead-letters', 'list', ...tenant, '--json');
  expect((JSON.parse(out) as { dead_letters: { error: string }[] }).dead_letters[0]?.error).toBe(HOSTILE);
});

it('S9: an error that quotes an argument is one line without control characters', async () => {
  await buildAccount(stores.db);
  for (const args of [
    ['tenant', 'show', HOSTILE],
    ['story', 'list', '--tenant', HOSTILE],
    [HOSTILE],
    ['story', 'check', HOSTILE],
  ]) {
    const { out, err } = await cli(...args);
    expect(`${out}${err}`).not.toMatch(UNSAFE);
  }
});

/** Files that write to a terminal by themselves: the printer, and where it is put around the process's streams. */
const WRITERS = ['printer.ts', 'fabula.ts', 'start/start.ts', 'try-account.ts'];

it('S9: every command prints through the one printer', () => {
  const root = path.resolve(__dirname, '../../src/operate/cli');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const found = files.filter((name) =>
    /console\.|process\.(?:stdout|stderr)\.write|[^.\w]writeSync\(/.test(
      readFileSync(path.join(root, name), 'utf8'),
    ),
  );
  expect(found).toEqual([]);
  const withStreams = files.filter((name) =>
    /process\.(?:stdout|stderr)\b|\} = process;/.test(readFileSync(path.join(root, name), 'utf8')),
  );
  for (const name of withStreams.filter((each) => each !== 'start/confirm-install.ts')) {
    expect(WRITERS).toContain(name);
    expect(readFileSync(path.join(root, name), 'utf8')).toContain('createPrinter');
  }
});
