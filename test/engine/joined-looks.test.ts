import { createCoalescedExists } from '../../src/platform/mysql/statements/coalesced-exists.js';
import { ANY_DUE } from '../../src/engine/recovery/relay-store.js';
import { ANY_HELD } from '../../src/engine/dispatch/held-store.js';
import { ANY_PARKED_DUE } from '../../src/engine/implode/parked-store.js';
import { ANY_STRAY_ITEM } from '../../src/engine/state/deliveries/implode-store.js';
import { ANY_SCHEDULE_DUE } from '../../src/stories/schedules/due-schedule-store.js';
import { ANY_CHORE } from '../../src/data/records/write/record-chore-store.js';
import { ANY_NOTICE_DUE, ANY_OLD_NOTICE } from '../../src/operate/monitoring/outbox/notice-store.js';
import {
  ANY_NOTIFICATION_DUE,
  ANY_OLD_FAILURE,
} from '../../src/data/cases/notifications/notification-store.js';
import { useStores } from '../support/stores.js';

const stores = useStores({ ownDatabase: true });
/** All that idle loops ask. */
const CONDITIONS = [
  ANY_DUE,
  ANY_HELD,
  ANY_PARKED_DUE,
  ANY_STRAY_ITEM,
  ANY_SCHEDULE_DUE,
  ANY_CHORE,
  ANY_NOTICE_DUE,
  ANY_OLD_NOTICE,
  ANY_NOTIFICATION_DUE,
  ANY_OLD_FAILURE,
];

/** Looks, and the statements that they cost. */
function counting() {
  const statements: string[] = [];
  const look = createCoalescedExists((work) =>
    stores.db.read((session) =>
      work({
        ...session,
        rows: (sql, values) => {
          statements.push(sql);
          return session.rows(sql, values);
        },
      }),
    ),
  );
  return { statements, look };
}

/** Stores a delivery that was due a second ago. */
const addDelivery = (state: string) =>
  stores.sql(
    `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, due_at, state)
     VALUES (UUID(), 1, 1, 1, 'trigger', 1, NOW(3) - INTERVAL 1 SECOND, ?)`,
    [state],
  );

test('conditions that are asked together share a statement, and each gets its own answer', async () => {
  const { statements, look } = counting();
  const asked = ['1 = 1', '1 = 0', 'EXISTS (SELECT 1)', '0 OR 1', '1 = 1'];
  expect(await Promise.all(asked.map((condition) => look(condition)))).toEqual([
    true,
    false,
    true,
    true,
    true,
  ]);
  expect(statements).toHaveLength(1);
});

test('a condition that fails tells all that asked with it, and the next look works', async () => {
  const { look } = counting();
  const looks = await Promise.allSettled([look('1 = 1'), look('missing_column = 1')]);
  expect(looks.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await look('1 = 1')).toBe(true);
});

test('more conditions than a number has bits take more statements', async () => {
  const { statements, look } = counting();
  const numbers = Array.from({ length: 70 }, (_value, index) => index);
  const held = await Promise.all(numbers.map((number) => look(`${number} % 3 = 0`)));
  expect(held).toEqual(numbers.map((number) => number % 3 === 0));
  expect(statements).toHaveLength(3);
});

test('the conditions of idle loops hold for what they look for, and for nothing else', async () => {
  const { statements, look } = counting();
  const held = async () => {
    const holds = await Promise.all(CONDITIONS.map((condition) => look(condition)));
    return CONDITIONS.filter((_condition, index) => holds[index]);
  };
  expect(await held()).toEqual([]);
  await addDelivery('waiting');
  expect(await held()).toEqual([ANY_DUE]);
  await addDelivery('held');
  await addDelivery('parked');
  await addDelivery('failed');
  expect(await held()).toEqual([ANY_DUE, ANY_HELD, ANY_PARKED_DUE]);
  expect(statements).toHaveLength(3);
});
