import { type AfterCommitDeps, createAfterCommit } from '../../src/engine/follow-up/after-commit.js';
import { NOTHING_STORED } from '../../src/engine/commit/store-outputs.js';
import type { DeliveryRow } from '../../src/engine/state/deliveries/delivery-store.js';
import type { SentResponse } from '../../src/engine/state/runs/run-notifications.js';
import { findOutcomes } from '../../src/web/webhooks/responses/response-store.js';
import { bareWriter, done, storeDeliveries } from '../support/deliveries.js';
import { useStores } from '../support/stores.js';

const stores = useStores();

/** Stores what answers the delivery's run, and gives what is to be told of it. */
function answeringWriter() {
  const told: SentResponse[] = [];
  const writer = bareWriter({
    database: stores.db,
    committed: {
      publish: (_outcomes, stored) => void told.push(...stored.flatMap(({ answers }) => answers)),
    },
  });
  const answer = (delivery: DeliveryRow, payload: string) => {
    const outcome = done(delivery, payload);
    return writer.submit({
      ...outcome,
      outputs: outcome.outputs.map((output) => ({ ...output, answers: true })),
    });
  };
  return { told, answer };
}

const responseOf = async (guid: string) => (await findOutcomes(stores.db, [guid])).get(guid);

test('the first answer of a run is told with what it says, a later one is not', async () => {
  const { told, answer } = answeringWriter();
  const [first, later] = await storeDeliveries(stores.db, 2, { awaited: true });
  const { storyRunGuid } = first!;
  await answer(first!, '{"out":1}');
  await answer({ ...later!, storyRunGuid }, '{"out":2}');
  expect(told).toEqual([{ guid: storyRunGuid, payload: '{"out":1}' }, { guid: storyRunGuid }]);
  expect(await responseOf(storyRunGuid)).toEqual({ kind: 'response', payload: { out: 1 } });
});

test('of two responses of a run that are stored together, who waits looks up which one it is', async () => {
  const { told, answer } = answeringWriter();
  const [one, two] = await storeDeliveries(stores.db, 2, { awaited: true });
  const { storyRunGuid } = one!;
  await Promise.all([answer(one!, '{"out":1}'), answer({ ...two!, storyRunGuid }, '{"out":2}')]);
  expect(told).toEqual([{ guid: storyRunGuid }, { guid: storyRunGuid }]);
  expect(await responseOf(storyRunGuid)).toEqual({ kind: 'response', payload: { out: 1 } });
});

test('a response is told also where its run goes on; whether a run is over is asked only where there is none', async () => {
  const deliveries = await storeDeliveries(stores.db, 3, { awaited: true });
  const [goesOn, ends, silent] = deliveries.map(({ storyRunGuid }) => storyRunGuid);
  const said: string[] = [];
  const aftermath = createAfterCommit({
    progress: {
      answered: (answers) => void said.push(...answers.map(({ guid, payload }) => `${guid} ${payload}`)),
      advance: (guids) => void said.push(...guids.map((guid) => `${guid} over?`)),
    },
  } as AfterCommitDeps);
  const answers = [[{ guid: goesOn!, payload: '1' }], [{ guid: ends!, payload: '2' }], []];
  aftermath.follow(
    deliveries.map((delivery, index) => done(delivery, '{}', index === 0 ? 1 : 0)),
    answers.map((ofOne) => ({ ...NOTHING_STORED, answers: ofOne })),
  );
  expect(said).toEqual([`${goesOn} 1`, `${ends} 2`, `${silent} over?`]);
});
