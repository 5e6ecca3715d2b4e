import { MAX_OPTIONS_MS } from '../../src/language/option-renderer.js';
import { eventually } from '../support/eventually.js';
import { HOSTILE_STORIES, storyOf } from '../support/hostile/hostile-stories.js';
import { FAMILIES } from '../support/hostile-templates.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const WEBHOOK = 'Webhook 1';
/** The most that an action's options may take, and a busy machine. */
const PATIENCE_MS = MAX_OPTIONS_MS + 75_000;

const fabula = useFabula(stores);

/** Calls the story's webhook. */
async function call(address: string | undefined, body: unknown): Promise<void> {
  const response = await fabula.fire(address ?? '', body);
  expect(response.status).toBe(201);
  await response.arrayBuffer();
}

describe('a hostile action in a running Fabula', () => {
  it('is there of every family', () => {
    expect(HOSTILE_STORIES.map(({ family }) => family)).toEqual(FAMILIES.map(({ name }) => name));
  });

  it.each(HOSTILE_STORIES.map((story) => [story.family, story] as const))(
    'of the family "%s" becomes a dead letter that says why, and a quiet story beside it runs',
    async (_, { body = {}, error, ...story }) => {
      const hostile = await fabula.importStory(storyOf('hostile', story));
      const quiet = await fabula.importStory(
        storyOf('quiet', {
          options: { mode: 'message_only', payload: { said: '{{ .webhook_1.body.word }}' } },
        }),
      );
      await call(hostile.webhooks[WEBHOOK], body);
      await call(quiet.webhooks[WEBHOOK], { word: 'peace' });
      await eventually(
        async () =>
          (await fabula.events()).find(({ payload }) => JSON.stringify(payload) === '{"said":"peace"}'),
        PATIENCE_MS,
      );
      await fabula.settled(PATIENCE_MS);
      expect(await fabula.deadLetters()).toEqual([
        { id: expect.any(Number), error: expect.stringMatching(error), attempts: 1 },
      ]);
    },
  );
});
