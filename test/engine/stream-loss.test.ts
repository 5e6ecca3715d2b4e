import type { Actor } from '../../src/api/auth/actor.js';
import type { EventSink } from '../../src/api/response/event-stream.js';
import { createLiveEvents } from '../../src/engine/live/live-events.js';
import type { LiveEventBatch, LiveEvent } from '../../src/api/live/live-event.js';
import { createListenedStream, type ListenedStream } from '../../src/platform/redis/listened-stream.js';
import { scopeLiveEvent } from '../../src/observe/stream/scoped-live-event.js';
import { createStreamFeed, type StreamReaders } from '../../src/observe/stream/stream-feed.js';
import { STREAM_KINDS } from '../../src/observe/stream/stream-event.js';
import { createStreamReader, type StreamPosition } from '../../src/observe/stream/stream-reader.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const PLACE = { tenantId: 1, teamId: 2, isDraft: false };
const ACTOR: Actor = {
  keyId: 1,
  kind: 'personal',
  tenantId: 1,
  userId: 1,
  userEmail: 'a@b.test',
  isOwner: false,
  roles: new Map([[2, 'VIEWER']]),
  keyTeamId: undefined,
};
let named = 0;

const changed = (storyId: number): LiveEvent => ({ kind: 'story_changed', storyId, at: 0 });
const batchOf = (storyId: number): string =>
  JSON.stringify({ items: [changed(storyId)], lost: 0 } satisfies LiveEventBatch);

function streamOfItsOwn() {
  const key = `${stores.queuePrefix}:news-${++named}`;
  const stream = createListenedStream({ redis: stores.redis, key });
  /** Adds an entry with an id of a server's own clock. */
  const appendAt = (id: string, storyId: number) =>
    stores.redis.xadd(`{${key}}`, id, 'text', batchOf(storyId));
  return { key: `{${key}}`, stream, appendAt };
}

/** Reads the stream for one client; `pass` returns what the client was sent by it. */
function reading(stream: ListenedStream) {
  const readers: StreamReaders = new Map();
  const feed = createStreamFeed(readers, {
    stream,
    place: async ({ items }) => items.map((item) => scopeLiveEvent(item, PLACE)),
  });
  let sent: string[] = [];
  const sink: EventSink = { send: (text) => sent.push(text) > 0, end: () => undefined };
  const reader = createStreamReader(ACTOR, { kinds: new Set(STREAM_KINDS) }, sink);
  return {
    enter: (from?: StreamPosition) => void readers.set(reader, { from }),
    pass: async (): Promise<string[]> => {
      sent = [];
      await feed.pass();
      await feed.catchUp();
      reader.tick(Infinity);
      return sent.map((text) => {
        const word = (name: string) => new RegExp(`"${name}":"?(\\w+)`).exec(text)?.[1];
        return word('reason') ?? `story ${word('story_id')}`;
      });
    },
  };
}

describe('a reader of live events', () => {
  it('begins again if its place was lost with a server, whatever ids the next one gives', async () => {
    const { key, stream, appendAt } = streamOfItsOwn();
    const { enter, pass } = reading(stream);
    enter();
    expect(await pass()).toEqual(['begun']);
    await stream.append(batchOf(7));
    expect(await pass()).toEqual(['story 7']);
    // A replica without the last entries takes over, and its clock is behind.
    await stores.redis.del(key);
    await appendAt('5-1', 8);
    await pass();
    expect(await pass()).toEqual(['begun']);
    await appendAt('5-2', 9);
    expect(await pass()).toEqual(['story 9']);
    expect(await pass()).toEqual([]);
  });

  it.each(['markListened', 'readFrom'] as const)(
    'reads its lists again after a pass without a reply to %s: entries that nobody read may be lost',
    async (method) => {
      const { stream, appendAt } = streamOfItsOwn();
      const failing: Partial<Record<keyof ListenedStream, () => Promise<never>>> = {};
      const { enter, pass } = reading(
        new Proxy(stream, { get: (whole, name: keyof ListenedStream) => failing[name] ?? whole[name] }),
      );
      await appendAt('4-1', 6);
      enter({ entryId: '4-1' });
      failing[method] = () => Promise.reject(new Error('away'));
      await expect(pass()).rejects.toThrow('away');
      delete failing[method];
      expect(await pass()).toEqual(['begun']);
      await stream.append(batchOf(7));
      expect(await pass()).toEqual(['story 7']);
    },
  );

  it('that comes back with a place that was lost reads its lists again', async () => {
    const { stream, appendAt } = streamOfItsOwn();
    const { enter, pass } = reading(stream);
    await stream.markListened();
    await appendAt(`${Date.now() + 60_000}-5`, 7);
    enter({ entryId: `${Date.now()}-4` });
    expect(await pass()).toEqual(['too_old']);
  });
});

describe('live events that could not be written', () => {
  it('are told as lost once Redis replies, though nothing else happens', async () => {
    const { stream } = streamOfItsOwn();
    await stream.markListened();
    let refusals = 2;
    const liveEvents = createLiveEvents({
      stream: {
        isListened: () => stream.isListened(),
        append: (text) => (refusals-- > 0 ? Promise.reject(new Error('away')) : stream.append(text)),
      },
      database: stores.db,
      logger: stores.logger,
    });
    liveEvents.add(changed(7));
    const [told] = await eventually(async () => {
      const entries = await stream.readFrom('0-0', 10);
      return entries.length > 1 && entries.slice(1);
    });
    expect(JSON.parse(told!.text)).toEqual({ items: [], lost: 1 });
    await liveEvents.close();
  });

  it('are told as lost if ended runs could not be looked up', async () => {
    const { stream } = streamOfItsOwn();
    await stream.markListened();
    const database = { read: () => Promise.reject(new Error('away')) };
    const liveEvents = createLiveEvents({ stream, database, logger: stores.logger });
    liveEvents.mayHaveEnded(['one', 'two']);
    const [told] = await eventually(async () => {
      const entries = await stream.readFrom('0-0', 10);
      return entries.length > 1 && entries.slice(1);
    });
    expect(JSON.parse(told!.text)).toEqual({ items: [], lost: 2 });
    await liveEvents.close();
  });
});
