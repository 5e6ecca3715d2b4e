import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { PROCFILE } from '../support/deploy/deployed.js';
import { type Supervised, supervise } from '../support/deploy/supervisor.js';
import { startFabula } from '../support/fabula.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { agent } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const RUNS = 40;
const stores = useStores();

/** Webhook → transformation → trigger: three events a run, each of another process. */
const chain = {
  schema_version: 3,
  name: 'Supervised',
  guid: 'd'.repeat(32),
  agents: [
    agent(
      'Agents::WebhookAgent',
      '1',
      { path: 'supervised', secret: 's3cret', verbs: 'post' },
      { name: 'In' },
    ),
    agent(
      'Agents::EventTransformationAgent',
      '2',
      { mode: 'message_only', payload: { number: '{{ .in.body.number | as_object }}' } },
      { name: 'Number' },
    ),
    agent(
      'Agents::TriggerAgent',
      '3',
      { rules: [{ type: 'field>value', value: '-1', path: '{{ .number.number }}' }] },
      { name: 'Exit' },
    ),
  ],
  links: [0, 1].map((source) => ({ source, receiver: source + 1 })),
};

/** How many processes of each kind run; `worker` would take the jobs of all others. */
const FORMATION = [...PROCFILE.keys()]
  .filter((kind) => kind !== 'release' && kind !== 'worker')
  .map((kind) => ({ kind, count: ['web', 'trigger', 'maintenance'].includes(kind) ? 2 : 1 }));

test('a supervisor runs the Procfile with several processes of a kind, and stops them all', async () => {
  const fabula = await startFabula(stores, { queues: [], relay: false });
  const { PORT: _, ...env } = fabulaEnvironment(stores, {
    QUEUE_PREFIX: fabula.config.queuePrefix,
    DATA_DIR: fabula.config.dataDir,
    LOG_LEVEL: 'info',
    ADMIN_PORT: '0',
    METRICS_PORT: '0',
  });
  const { webhooks } = await fabula.importStory(chain);
  const start = (name: string, kind: string, more: NodeJS.ProcessEnv = {}): Supervised => {
    const started = supervise(name, PROCFILE.get(kind)!, { ...env, ...more });
    stores.onClose(() => started.stop('SIGKILL'));
    return started;
  };

  const release = start('release.1', 'release');
  await release.said('The schema is up to date.');

  const webUrls: string[] = [];
  const processes: Supervised[] = [];
  for (const { kind, count } of FORMATION) {
    for (let number = 1; number <= count; number++) {
      const port = kind === 'web' ? String(await findFreePort()) : undefined;
      if (port !== undefined) webUrls.push(`http://127.0.0.1:${port}`);
      processes.push(start(`${kind}.${number}`, kind, port === undefined ? {} : { PORT: port }));
    }
  }
  expect(processes.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['web.2', 'trigger.2', 'email.1']),
  );
  for (const process of processes)
    await process.said(process.name.startsWith('web.') ? 'web is listening' : 'worker is running');

  for (let run = 0; run < RUNS; run++) {
    const response = await fetch(`${webUrls[run % webUrls.length]}/webhook/${webhooks['In']}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ number: run }),
    });
    expect([response.status, await response.text()]).toEqual([201, expect.any(String)]);
  }
  await fabula.settled(120_000);
  const events = await fabula.events();
  expect(events.filter(({ agent: name }) => name === 'Exit')).toHaveLength(RUNS);

  const codes = await Promise.all(processes.map(async (each) => [each.name, await each.stop('SIGTERM')]));
  expect(codes).toEqual(processes.map(({ name }) => [name, 0]));
  for (const { output } of processes) expect(output()).not.toContain('"level":"error"');
});
