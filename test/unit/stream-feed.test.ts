import type { Actor } from '../../src/api/auth/actor.js';
import {
  compareIds,
  type ListenedStream,
  type StreamEntry,
} from '../../src/platform/redis/listened-stream.js';
import { scopeLiveEvent } from '../../src/observe/stream/scoped-live-event.js';
import { createStreamFeed, type StreamReaders } from '../../src/observe/stream/stream-feed.js';
import { STREAM_KINDS } from '../../src/observe/stream/stream-event.js';
import { createStreamReader } from '../../src/observe/stream/stream-reader.js';
import type { LiveEvent } from '../../src/api/live/live-event.js';

const idOf = (index: number) => `${1_000 + index}-0`;

/** An entry with one run of each tenant: a story has the id of its tenant. */
function entryOf(index: number): StreamEntry {
  const items = [1, 2, 3].map((storyId): LiveEvent => ({ kind: 'story_changed', storyId, at: 0 }));
  return { id: idOf(index), text: JSON.stringify({ items, lost: 0 }) };
}

/** A stream in memory; `hold` is awaited by who catches up. */
function streamOf(entries: StreamEntry[], hold: () => Promise<void> = () => Promise.resolve()) {
  const from = (id: string, count: number) =>
    entries.filter((one) => compareIds(one.id, id) >= 0).slice(0, count);
  return {
    markListened: () => Promise.resolve(),
    lastId: () => Promise.resolve(entries.at(-1)!.id),
    async readFrom(id: string, count: number) {
      // A pass reads more at once.
      if (count < 50) await hold();
      return from(id, count);
    },
  } as unknown as ListenedStream;
}

function feedOf(entries: StreamEntry[], hold?: () => Promise<void>) {
  const readers: StreamReaders = new Map();
  const order: string[] = [];
  const feed = createStreamFeed(readers, {
    stream: streamOf(entries, hold),
    place: ({ items }) =>
      Promise.resolve(
        items.map((item) =>
          scopeLiveEvent(item, { tenantId: item.storyId, teamId: item.storyId, isDraft: false }),
        ),
      ),
  });
  const enter = (name: string, tenantId: number, from?: number) => {
    const actor = { tenantId, isOwner: true, roles: new Map([[tenantId, 'VIEWER']]) } as unknown as Actor;
    const sent: string[] = [];
    const sink = {
      send: (text: string) => {
        sent.push(/^id: (\S+?)\.\d+$/m.exec(text)?.[1] ?? 'resync');
        order.push(name);
        return true;
      },
      end: () => undefined,
    };
    const reader = createStreamReader(actor, { kinds: new Set(STREAM_KINDS) }, sink);
    readers.set(reader, { from: from === undefined ? undefined : { entryId: idOf(from) } });
    return sent;
  };
  const untilLive = async () => {
    while ([...readers.values()].some((state) => state !== 'live')) await feed.catchUp();
  };
  return { feed, enter, order, readers, untilLive };
}

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => idOf(from + index));

describe('readers that resume', () => {
  it('S11: do not hold up those that follow, however slowly they are served', async () => {
    const entries = ids(0, 100).map((_, index) => entryOf(index));
    const { feed, enter } = feedOf(entries, () => new Promise(() => undefined));
    const following = enter('following', 1);
    await feed.pass();
    for (let index = 0; index < 8; index += 1) enter(`back ${index}`, 2, 0);
    void feed.catchUp();
    entries.push(entryOf(100));
    await feed.pass();
    expect(following.filter((id) => id !== 'resync')).toEqual([idOf(100)]);
  });

  it('S11: of several tenants take turns, a bounded number of entries each', async () => {
    const entries = ids(0, 200).map((_, index) => entryOf(index));
    const { feed, enter, order, untilLive } = feedOf(entries);
    await feed.pass();
    for (let index = 0; index < 8; index += 1) enter('many', 2, 0);
    enter('one', 3, 150);
    await untilLive();
    // The one has 49 entries in three steps, while the many have as many steps.
    expect(order.lastIndexOf('one')).toBeLessThan(150);
    expect(order.filter((name) => name === 'many')).toHaveLength(8 * 199);
  });

  it('S11: miss nothing and get nothing twice when they have caught up', async () => {
    const entries = ids(0, 60).map((_, index) => entryOf(index));
    const { feed, enter, readers } = feedOf(entries);
    await feed.pass();
    const back = enter('back', 2, 10);
    for (let index = 60; index < 200; index += 1) {
      entries.push(entryOf(index));
      if (index % 3 === 0) await Promise.all([feed.pass(), feed.catchUp()]);
    }
    while ([...readers.values()].some((state) => state !== 'live')) await feed.catchUp();
    for (let times = 0; times < 5; times += 1) await feed.pass();
    expect(back).toEqual(ids(11, 200));
  });

  it('S11: begin anew if entries behind their place are gone while they catch up', async () => {
    const entries = ids(0, 200).map((_, index) => entryOf(index));
    const { feed, enter, readers, untilLive } = feedOf(entries);
    await feed.pass();
    const back = enter('back', 2, 10);
    const [reader] = readers.keys();
    const askResync = jest.spyOn(reader!, 'askResync');
    await feed.catchUp();
    entries.splice(0, 100);
    await untilLive();
    expect(askResync).toHaveBeenCalledWith('too_old', expect.any(Number));
    entries.push(entryOf(200));
    await feed.pass();
    expect(back).toEqual([...ids(11, 31), idOf(200)]);
  });

  it('S11: begin anew if their place is gone', async () => {
    const entries = ids(50, 100).map((_, index) => entryOf(50 + index));
    const { feed, enter, readers, untilLive } = feedOf(entries);
    await feed.pass();
    enter('back', 2, 10);
    await untilLive();
    expect([...readers.values()]).toEqual(['live']);
  });
});
