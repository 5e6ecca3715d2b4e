import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { DEMO_STORY } from '../../src/operate/cli/seed/demo-story.js';
import { eventually } from '../support/eventually.js';
import { startFabula } from '../support/fabula.js';
import { useStores } from '../support/stores.js';

const stores = useStores();

describe('the demo story of a first start', () => {
  it('writes a mail for a call with a name, and nothing for one without', async () => {
    const fabula = await startFabula(stores);
    const { webhooks } = await fabula.importStory(DEMO_STORY);
    const address = webhooks['Receive name'] ?? '';
    expect(address).toMatch(/^demo\/[0-9a-f]{32}$/);

    const response = await fabula.fire(address, { name: 'ada' });
    expect([response.status, await response.text()]).toEqual([201, 'Hello! Your mail is on its way.']);
    expect((await fabula.fire(address, {})).status).toBe(201);
    await fabula.settled();
    expect(await fabula.deadLetters()).toEqual([]);

    const folder = path.join(fabula.config.dataDir, 'mail');
    const files = await eventually(async () => {
      const found = await readdir(folder).catch(() => []);
      return found.length > 0 ? found : undefined;
    });
    expect(files).toHaveLength(1);
    const mail = await readFile(path.join(folder, files[0] ?? ''), 'utf8');
    expect(mail).toContain('Subject: Hello Ada');
    expect(mail).toContain('Good morning, Ada. Welcome to Fabula!');
    await fabula.close();
  });
});
