import { Writable } from 'node:stream';
import winston from 'winston';
import { messageOf, stackOf } from '../../src/platform/errors.js';
import { defineRoute } from '../../src/api/route.js';
import { componentLogger, createLogger, createStreamLogger, type Logger } from '../../src/platform/logger.js';
import { startTestApp } from '../support/app.js';
import { buildAccount } from '../support/builders.js';
import { clientOf } from '../support/fabula-client.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { startProcess } from '../support/processes.js';
import { recordingLogger } from '../support/recording-logger.js';
import { useStores } from '../support/stores.js';

const stores = useStores({ ownDatabase: true });
const MARK = "MARKED-SECRET' for key 'x-47";

/** Returns a logger of the product, and the text that it writes. */
function written(make: (stream: Writable) => Logger): { logger: Logger; text: () => string } {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { logger: make(stream), text: () => text };
}

const LOGGERS: [string, (stream: Writable) => Logger][] = [
  [
    'the processes’ logger',
    (stream) => {
      const logger = createLogger({ level: 'debug', role: 'web' });
      return logger.clear().add(new winston.transports.Stream({ stream }));
    },
  ],
  [
    'the logger of a component',
    (stream) => {
      const logger = createLogger({ level: 'debug', role: 'web' });
      return componentLogger(logger.clear().add(new winston.transports.Stream({ stream })), 'stores');
    },
  ],
  ['the commands’ logger', (stream) => createStreamLogger({ level: 'debug', stream })],
];

/** Errors of the real database and the real Redis, each with the mark among its values. */
const FAULTS: [string, () => Promise<unknown>][] = [
  [
    'a duplicate',
    async () => {
      for (let times = 0; times < 2; times++) {
        await stores.sql('INSERT INTO settings (name, value) VALUES (?, ?)', ['MARKED-47', MARK]);
      }
    },
  ],
  ['a syntax error', () => stores.sql(`SELEC '${MARK.replaceAll("'", '"')}'`)],
  ['a broken literal', () => stores.db.knex.raw("SELECT 'a' FRO ?", [MARK])],
  [
    'an unknown column beside values',
    () => stores.sql('UPDATE settings SET nothing = ? WHERE name = 1', [MARK]),
  ],
  [
    'a value that does not fit',
    () => stores.sql('INSERT INTO teams (tenant_id, name, created_at) VALUES (?, ?, NOW())', [MARK, MARK]),
  ],
  [
    'a text that is too long',
    () => stores.sql('INSERT INTO settings (name, value) VALUES (?, ?)', [`${MARK}${'x'.repeat(99)}`, MARK]),
  ],
  [
    'a text of another charset',
    () => stores.sql('INSERT INTO settings (name, value) VALUES (?, ?)', [`é${MARK}`, MARK]),
  ],
  [
    'knex with its values',
    () => stores.db.knex('settings').insert({ name: `${MARK}${'x'.repeat(99)}`, value: MARK }),
  ],
  ['Redis that does not know a command', () => stores.redis.call('NO-SUCH', MARK)],
  ['Redis that is given too much', () => stores.redis.call('SET', 'a', 'b', MARK)],
];

async function errorOf(fault: () => Promise<unknown>): Promise<Error> {
  try {
    await fault();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it did not fail');
}

/** Every way in which code writes an error to a log. */
const CALLS: [string, (logger: Logger, error: Error) => unknown][] = [
  ['as a field', (logger, error) => logger.error('failed', { error })],
  ['in a list in a field', (logger, error) => logger.warn('failed', { tries: [{ last: [error] }] })],
  ['in a Map', (logger, error) => logger.info('failed', { of: new Map([['a', error]]) })],
  ['beside the message', (logger, error) => logger.error('failed', error)],
  ['alone', (logger, error) => logger.error(error)],
  ['by level, alone', (logger, error) => logger.log('error', error as unknown as string)],
  ['as the message', (logger, error) => logger.log({ level: 'error', message: error as unknown as string })],
  ['as a cause', (logger, error) => logger.error('failed', { error: new Error('outer', { cause: error }) })],
  [
    'as one of many',
    (logger, error) =>
      logger.error('failed', { error: new AggregateError([error, new Error('b', { cause: error })]) }),
  ],
  ['as its message', (logger, error) => logger.error('failed', { error: messageOf(error) })],
  ['as its stack', (logger, error) => logger.error('failed', { stack: stackOf(error) })],
  ['spread out', (logger, error) => logger.error('failed', Object.assign({}, error))],
  [
    'as a rejected result',
    (logger, error) => logger.debug('failed', { results: [{ status: 'rejected', reason: error }] }),
  ],
];

describe.each(FAULTS)('%s', (_fault, fault) => {
  it.each(LOGGERS)('leaves no value in what %s writes, and still says what it is', async (_logger, make) => {
    const error = await errorOf(fault);
    for (const [how, call] of CALLS) {
      const { logger, text } = written(make);
      call(logger, error);
      await new Promise(setImmediate);
      expect({ how, text: text() }).toEqual({
        how,
        text: expect.not.stringMatching(/MARKED|SELEC |INSERT|UPDATE/) as string,
      });
      expect(text()).toMatch(/failed|code|ER_|ERR/);
    }
  });
});

describe('a log line', () => {
  it('keeps name, code, number, message and places of an error', async () => {
    const { logger, lines } = recordingLogger();
    logger.error('failed', { error: await errorOf(() => stores.sql('SELECT nothing FROM settings')) });
    expect(lines()).toEqual([
      {
        level: 'error',
        message: 'failed',
        error: expect.objectContaining({
          name: 'Error',
          code: 'ER_BAD_FIELD_ERROR',
          errno: 1054,
          message: expect.stringMatching(/Unknown column 'nothing' in/) as string,
          stack: expect.stringContaining('\n    at ') as string,
        }) as object,
      },
    ]);
  });

  it('of an HTTP client has neither headers nor bodies', () => {
    const { logger, lines } = recordingLogger();
    const error = Object.assign(new Error('refused'), {
      config: { headers: { authorization: 'MARKED' } },
      response: { data: 'MARKED' },
      code: 'ERR_BAD_REQUEST',
    });
    logger.error('failed', { error, inner: { deep: error } });
    expect(JSON.stringify(lines())).not.toContain('MARKED');
    expect(JSON.stringify(lines())).toContain('ERR_BAD_REQUEST');
  });

  it('does not change texts of other errors', () => {
    const { logger, lines } = recordingLogger();
    logger.info('it’s "said" \'so\'', { path: "/a'b'c", at: new Date(0), n: 1, list: [null, true] });
    expect(lines()).toEqual([
      {
        level: 'info',
        message: 'it’s "said" \'so\'',
        path: "/a'b'c",
        at: '1970-01-01T00:00:00.000Z',
        n: 1,
        list: [null, true],
      },
    ]);
  });
});

it('a request that fails in the database is logged and answered without statement and values', async () => {
  const { logger, lines } = recordingLogger();
  const { key } = await buildAccount(stores.db);
  const route = defineRoute({
    method: 'get',
    path: '/api/v1/fails',
    summary: 'Fails',
    handle: () => stores.sql('UPDATE settings SET nothing = ? WHERE name = 1', [MARK]),
  });
  const app = await startTestApp(stores, { logger, routes: [route], services: {} });
  const response = await fetch(`${app.url}/api/v1/fails`, { headers: { 'x-user-token': key } });
  expect([response.status, await response.json()]).toEqual([
    500,
    { errors: [{ message: 'Internal server error' }] },
  ]);
  expect(lines().map(({ message }) => message)).toContain('a request failed');
  expect(JSON.stringify(lines())).not.toMatch(/MARKED|UPDATE/);
});

it('the product itself writes no webhook secret when the database refuses it', async () => {
  await stores.sql("ALTER TABLE agents ADD CONSTRAINT no_mark CHECK (options NOT LIKE '%MARKED-47%')");
  const web = startProcess('web', fabulaEnvironment(stores, { LOG_LEVEL: 'debug' }));
  stores.onClose(async () => void (await web.stop('SIGKILL')));
  await web.said('web is listening');
  const [, port = ''] = /"port":(\d+)/.exec(web.output()) ?? [];
  const account = await buildAccount(stores.db, { owner: true });
  const client = clientOf({ url: `http://127.0.0.1:${port}`, account, stores });
  const webhook = { type: 'Agents::WebhookAgent', name: 'Hook', options: { path: 'hook', secret: 'abc' } };
  const { id } = await client.importStory({ name: 'S', schema_version: 3, agents: [webhook], links: [] });
  const { agents } = (await (await client.api('GET', `/api/v1/stories/${id}/agents`)).json()) as {
    agents: { id: number }[];
  };
  const options = { path: 'hook', secret: 'MARKED-47' };
  const response = await client.api('PATCH', `/api/v1/agents/${agents[0]?.id}`, { options });
  expect(response.status).toBe(500);
  await web.said('a request failed');
  expect(web.output()).not.toMatch(/MARKED|UPDATE agents/);
  await stores.sql('ALTER TABLE agents DROP CONSTRAINT no_mark');
});
