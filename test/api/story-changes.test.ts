import { Redis } from 'ioredis';
import {
  createStoryChanges,
  followStoryChanges,
  NO_STORY_CHANGES,
  storyChannel,
} from '../../src/stories/edit/story-changes.js';
import { createStoryGraphs } from '../../src/stories/graph/story-graphs.js';
import { eventually } from '../support/eventually.js';
import { recordingLogger } from '../support/recording-logger.js';
import { useStores } from '../support/stores.js';
import { makeTeam, smallExport } from '../support/stories.js';
import { useStoryApi } from '../support/story-api.js';

const stores = useStores();
const api = useStoryApi(stores);

/** Below the five seconds for which a story is known without asking. */
const SOON_MS = 4_000;

const rename = (id: number, name: string) =>
  stores.sql('UPDATE stories SET name = ?, version = version + 1 WHERE id = ?', [name, id]);

async function followed() {
  const actor = await makeTeam(stores.db);
  const { story } = await api.stories.import(actor, { new_name: 'First', data: smallExport() });
  const graphs = createStoryGraphs(stores.db, { staleMs: 60_000 });
  const { logger, queuePrefix: prefix } = stores;
  const redis = new Redis(stores.redisUrl, { maxRetriesPerRequest: null });
  stores.onClose(() => redis.disconnect());
  const listener = followStoryChanges({ redis, prefix, graphs, logger });
  await eventually(async () => {
    const [, listeners] = (await stores.redis.pubsub('NUMSUB', storyChannel(prefix))) as [string, number];
    return listeners > 0;
  });
  const changes = createStoryChanges({ redis: stores.redis, prefix, logger });
  return { id: story.id, graphs, listener, changes };
}

describe('a change of a story', () => {
  it('is heard of by every process that follows, and by none that has stopped', async () => {
    const { id, graphs, listener, changes } = await followed();
    expect((await graphs.find(id))?.name).toBe('First');
    await rename(id, 'Second');
    expect((await graphs.find(id))?.name).toBe('First');
    await changes.announce(id);
    await eventually(async () => (await graphs.find(id))?.name === 'Second', SOON_MS);
    await listener.close();
    await rename(id, 'Third');
    await changes.announce(id);
    expect((await graphs.find(id))?.name).toBe('Second');
  });

  it('counts also for a look that was under way', async () => {
    const { id, graphs, listener } = await followed();
    const looking = graphs.find(id);
    await rename(id, 'Second');
    graphs.invalidate(id);
    await looking;
    await eventually(async () => (await graphs.find(id))?.name === 'Second', SOON_MS);
    await listener.close();
  });

  it('holds although it cannot be announced, and although what follows fails', async () => {
    const recording = recordingLogger();
    const redis = new Redis({
      port: 1,
      lazyConnect: true,
      enableOfflineQueue: false,
      retryStrategy: () => null,
    });
    redis.on('error', () => undefined);
    const changes = createStoryChanges({ redis, prefix: 'x', logger: recording.logger });
    await changes.announce(7);
    await changes.followUp(7, () => Promise.reject(new Error('no')));
    expect(recording.lines().map(({ level }) => level)).toEqual(['warn', 'warn']);
    await NO_STORY_CHANGES.announce(7);
  });
});
