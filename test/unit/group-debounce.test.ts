import { createGroupDebounce } from '../../src/engine/implode/group-debounce.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { eventually } from '../support/eventually.js';

/** Groups of `size` members, whose members come with `arrive`; `looks` are the numbers of members that were seen. */
function scene(size: number) {
  const arrived = new Map<string, number>();
  const looks: { groupKey: string; members: number }[] = [];
  const groups = createGroupDebounce({
    complete: async (groupKeys) => {
      await new Promise(setImmediate);
      const seen = groupKeys.map((groupKey) => ({ groupKey, members: arrived.get(groupKey) ?? 0 }));
      looks.push(...seen);
      await new Promise(setImmediate);
      const open = seen.filter(({ members }) => members < size);
      return { again: [], missing: new Map(open.map(({ groupKey, members }) => [groupKey, size - members])) };
    },
    logger: createSilentLogger(),
  });
  const arrive = (groupKey: string, members = 1) => {
    arrived.set(groupKey, (arrived.get(groupKey) ?? 0) + members);
    groups.add([groupKey, groupKey]);
  };
  const isWhole = (groupKey: string) =>
    looks.some((look) => look.groupKey === groupKey && look.members === size);
  return { groups, looks, arrive, isWhole };
}

afterEach(() => jest.useRealTimers());

/** Time passes only with `endRests`; what is under way goes on. */
function holdTime(): void {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}

async function endRests(): Promise<void> {
  jest.runOnlyPendingTimers();
  await settle();
}

test('a large group is not counted at each arrival, and is found whole all the same', async () => {
  holdTime();
  const { looks, arrive } = scene(1_990);
  for (let batch = 0; batch < 99; batch++) {
    arrive('large', 20);
    await settle();
  }
  expect(looks).toEqual([{ groupKey: 'large', members: 20 }]);
  await endRests();
  // Ten are missing: that is worth no rest.
  arrive('large', 10);
  await settle();
  expect(looks.slice(1)).toEqual([
    { groupKey: 'large', members: 1_980 },
    { groupKey: 'large', members: 1_990 },
  ]);
});

test('what comes while a large group is counted is seen when its rest is over, without another arrival', async () => {
  holdTime();
  const { looks, arrive } = scene(2_000);
  arrive('large', 20);
  await new Promise(setImmediate);
  // Counted; the response is on its way.
  expect(looks).toEqual([{ groupKey: 'large', members: 20 }]);
  arrive('large', 1_980);
  await settle();
  expect(looks).toHaveLength(1);
  await endRests();
  expect(looks.slice(1)).toEqual([{ groupKey: 'large', members: 2_000 }]);
});

test('a small one is looked at each time', async () => {
  const { looks, arrive, isWhole } = scene(3);
  for (let member = 1; member <= 3; member++) {
    arrive('small');
    await eventually(() => looks.length === member);
  }
  expect(isWhole('small')).toBe(true);
});

test('the others do not rest with it', async () => {
  const { arrive, isWhole, looks } = scene(5_000);
  arrive('large', 1);
  await eventually(() => looks.length === 1);
  arrive('large', 1);
  arrive('other', 5_000);
  await eventually(() => isWhole('other'));
});

test('one to which nothing comes is left in peace', async () => {
  holdTime();
  const { arrive, looks } = scene(5_000);
  arrive('large');
  await settle();
  await endRests();
  expect(looks).toEqual([{ groupKey: 'large', members: 1 }]);
});

test('who stops looks at all that has come', async () => {
  const { groups, arrive, isWhole, looks } = scene(5_000);
  arrive('large', 1);
  await eventually(() => looks.length === 1);
  arrive('large', 4_999);
  await groups.drain();
  expect(isWhole('large')).toBe(true);
});
