import { eventually } from '../support/eventually.js';
import { startFabula } from '../support/fabula.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { startProcess } from '../support/processes.js';
import { startSmtpServer } from '../support/smtp-server.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const MAILS = 10;
const stores = useStores();

test('a worker killed between two attempts of its mails: nobody gets one twice, nobody is lost', async () => {
  const smtp = await startSmtpServer();
  stores.onClose(() => smtp.close());
  const fabula = await startFabula(stores, { queues: [], relay: false });
  const env = fabulaEnvironment(stores, {
    QUEUE_PREFIX: fabula.config.queuePrefix,
    DATA_DIR: fabula.config.dataDir,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'fabula@example.org',
    LOG_LEVEL: 'info',
  });
  const startWorker = async () => {
    const worker = startProcess('workers/all', env);
    stores.onClose(() => worker.stop('SIGKILL'));
    await worker.said('worker is running');
    return worker;
  };
  const mails = Array.from({ length: MAILS }, (_, index) => index);
  const [steady, grey] = ['ann', 'grey'].map((name) => mails.map((index) => `${name}${index}@example.com`));
  for (const address of grey!) smtp.refuse(address, 450, 'Greylisted');
  const { webhooks } = await fabula.importStory(
    storyOf(
      {
        Receive: ['Webhook', { path: 'mails', secret: 's3cret', verbs: 'post' }],
        Mail: ['Email', { recipients: '<<receive.body.to>>', subject: 'S', body: 'B' }],
      },
      ['Receive > Mail'],
    ),
  );

  const first = await startWorker();
  await Promise.all(
    mails.map((index) => fabula.fire(webhooks['Receive']!, { to: `${steady![index]}, ${grey![index]}` })),
  );
  await eventually(async () => (await storedProgress()) === MAILS, 60_000);
  await first.stop('SIGKILL');
  expect(sentTo()).toEqual(steady);
  // The locks of the killed worker's jobs end now, not in half a minute.
  for (const lock of await stores.redis.keys(`*${fabula.config.queuePrefix}*:lock`))
    await stores.redis.del(lock);
  for (const address of grey!) smtp.accept(address);

  const second = await startWorker();
  await fabula.settled(90_000);
  expect(sentTo()).toEqual([...steady!, ...grey!]);
  expect(await fabula.deadLetters()).toEqual([]);
  const sent = (await fabula.events()).filter(({ agent }) => agent === 'Mail');
  expect(sent).toHaveLength(MAILS);
  expect(sent.filter(({ payload }) => Object.hasOwn(payload as object, 'rejected'))).toEqual([]);
  expect(await second.stop('SIGTERM')).toBe(0);

  /** Every recipient of every mail that the server took. */
  function sentTo(): string[] {
    return smtp.mails.flatMap(({ to }) => to).toSorted();
  }

  /** The number of mails of which is stored who has them. */
  async function storedProgress(): Promise<number> {
    const [row] = await stores.db.read((session) =>
      session.rows<{ stored: number }>('SELECT COUNT(mail_progress) AS stored FROM deliveries'),
    );
    return row?.stored ?? 0;
  }
});
