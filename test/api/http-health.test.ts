import { startTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { recordingLogger } from '../support/recording-logger.js';
import { useStores } from '../support/stores.js';

describe('health', () => {
  const stores = useStores();
  const log = recordingLogger();
  const fine = {
    database: async () => {},
    redis: async () => {},
    schema: async () => {},
    webhooks: async () => {},
  };

  async function ask(path: string, health?: Parameters<typeof startTestApp>[1]['health']) {
    const app = await startTestApp(stores, {
      routes: [],
      services: null,
      logger: log.logger,
      ...(health === undefined ? {} : { health }),
    });
    const response = await fetch(app.url + path);
    const body: unknown = await response.json();
    await app.close();
    return { status: response.status, body, retryAfter: response.headers.get('retry-after') };
  }

  it('of the process is told without a key and without asking a store', async () => {
    const checks = { ...fine, database: () => Promise.reject(new Error('down')) };
    const response = await ask('/healthz', { checks, isShuttingDown: () => true });
    expect(response).toEqual({ status: 200, body: { status: 'ok' }, retryAfter: null });
  });

  it('is ready with the stores up and the schema complete', async () => {
    expect(await ask('/readyz')).toEqual({ status: 200, body: { status: 'ok' }, retryAfter: null });
  });

  it('is not ready while migrations are missing', async () => {
    await stores.sql('UPDATE migrations SET name = CONCAT(name, "x") ORDER BY id DESC LIMIT 1');
    try {
      expect(await ask('/readyz')).toMatchObject({ status: 503, body: { errors: [{ details: 'schema' }] } });
    } finally {
      await stores.sql("UPDATE migrations SET name = TRIM(TRAILING 'x' FROM name)");
    }
  });

  it.each([
    ['database', 'warn'],
    ['redis', 'warn'],
    ['schema', 'warn'],
    ['webhooks', 'info'],
  ])('names the %s when its check fails, and keeps the reason in the log', async (name, level) => {
    log.clear();
    const checks = { ...fine, [name]: () => Promise.reject(new Error('connect to db.internal refused')) };
    expect(await ask('/readyz', { checks, isShuttingDown: () => false })).toEqual({
      status: 503,
      body: { status: 'unavailable', errors: [{ message: `The ${name} check failed`, details: name }] },
      retryAfter: '5',
    });
    const line = await eventually(() => log.lines().find(({ check }) => check === name));
    expect(line).toMatchObject({ level, error: 'connect to db.internal refused' });
  });

  it('does not wait for a check that hangs', async () => {
    const checks = { ...fine, redis: () => new Promise<void>(() => {}) };
    const startedAt = Date.now();
    expect(await ask('/readyz', { checks, isShuttingDown: () => false })).toMatchObject({ status: 503 });
    expect(Date.now() - startedAt).toBeLessThan(25_000);
  });

  it('is not ready once the shutdown has begun', async () => {
    expect(await ask('/readyz', { checks: fine, isShuttingDown: () => true })).toMatchObject({
      status: 503,
      body: { errors: [{ details: 'shutdown' }] },
    });
  });
});
