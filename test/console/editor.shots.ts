import { describeInBrowser, useBrowser } from '../support/browser.js';
import { EDITOR_STATES } from '../support/console/editor/editor-states.js';
import { createStages } from '../support/console/editor/stage.js';
import { shootThemes, wantedSizes } from '../support/console/shots.js';
import { startFabula } from '../support/fabula.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** Each state is opened in each size. */
const SHOTS_LIMIT_MS = 40 * 60_000;

/** The pictures of the guide, by the states that they show. */
const GUIDE: Partial<Record<string, string>> = {
  'first-steps-answer': 'first-steps',
  canvas: 'editor-canvas',
  completion: 'editor-fields',
  trial: 'editor-trial',
  publish: 'editor-publish',
};

describeInBrowser('pictures of the editor', () => {
  const { newPage } = useBrowser();

  // One test: data does not outlive a test.
  test(
    'every state, in both themes and three sizes',
    async () => {
      const fabula = await startFabula(stores, { env: { ADMIN_PORT: '0' } });
      const stages = await createStages({ stores, fabula, newPage });
      const failed: string[] = [];
      for (const state of EDITOR_STATES) {
        for (const [size, viewport] of wantedSizes(state.name)) {
          const guide = size === 'wide' ? GUIDE[state.name] : undefined;
          await stages
            .show(state, viewport, (page) => shootThemes(page, { name: `editor-${state.name}`, size, guide }))
            .catch((error: unknown) => failed.push(`${state.name}, ${size}: ${String(error)}`));
        }
      }
      expect(failed).toEqual([]);
    },
    SHOTS_LIMIT_MS,
  );
});
