import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { openEventStream } from '../support/event-stream.js';
import { eventually } from '../support/eventually.js';
import { startFabula } from '../support/fabula.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { startProcess } from '../support/processes.js';
import { useStores } from '../support/stores.js';

const stores = useStores();

test('SIGTERM: streams end before the requests that are waited for, and the process ends with exit code 0', async () => {
  const fabula = await startFabula(stores, { queues: [], relay: false });
  const port = await findFreePort();
  const env = {
    PORT: String(port),
    QUEUE_PREFIX: fabula.config.queuePrefix,
    LOG_LEVEL: 'info',
    // A stream that were waited for like a request would outlast this test.
    SHUTDOWN_SECONDS: '3600',
  };
  const web = startProcess('web', fabulaEnvironment(stores, env));
  stores.onClose(() => web.stop('SIGKILL'));
  await web.said('web is listening');
  const headers = { 'x-user-token': fabula.account.key };
  const stream = await openEventStream(`http://127.0.0.1:${port}/api/v1/stream`, headers);
  await stream.next(({ event }) => event === 'resync');
  const exit = web.stop('SIGTERM');
  await eventually(() => stream.isOver());
  expect(await exit).toBe(0);
});
