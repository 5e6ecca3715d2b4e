import type { Page } from 'playwright-core';
import { describeInBrowser, NARROW, useBrowser, WIDE } from '../support/browser.js';
import { EDITOR_STATES } from '../support/console/editor/editor-states.js';
import { createStages } from '../support/console/editor/stage.js';
import { faultsInThemes, faultsOf, overflowOf } from '../support/console/page-faults.js';
import { wantedSizes } from '../support/console/shots.js';
import { startFabula } from '../support/fabula.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** Each state is opened, and axe looks at it three times: seconds on a busy machine. */
const LOOKED_AT_MS = 30 * 60_000;

describeInBrowser('each state of the editor', () => {
  const { newPage } = useBrowser();

  // One test: data does not outlive a test.
  test(
    'has no fault of accessibility, in both themes, wide and narrow',
    async () => {
      const fabula = await startFabula(stores, { env: { ADMIN_PORT: '0' } });
      const stages = await createStages({ stores, fabula, newPage });
      const found: string[] = [];
      for (const state of EDITOR_STATES.filter(({ name }) => wantedSizes(name).length > 0)) {
        const look = async (page: Page) => {
          found.push(...(await faultsInThemes(page, `${state.name}, wide`)));
          // Colours do not depend on the width.
          await page.setViewportSize(NARROW);
          found.push(...(await faultsOf(page, `${state.name}, dark, narrow`)));
          const wider = await overflowOf(page);
          if (wider > 0) found.push(`${state.name} is ${wider} px wider than the narrow window`);
        };
        // One that does not open hides no other one.
        await stages
          .show(state, WIDE, look)
          .catch((error: unknown) => found.push(`${state.name}: ${String(error)}`));
      }
      expect(found).toEqual([]);
    },
    LOOKED_AT_MS,
  );
});
