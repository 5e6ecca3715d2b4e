import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { buildAccount } from '../../support/builders.js';
import { useManageApi } from '../../support/manage-api.js';
import { runCli } from '../../support/run-cli.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const PREFIX = 'npm run -s fabula -- ';
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'fabula-page-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Returns the arguments of a command of the page, with its files in the folder of the test. */
function argumentsOf(command: string): string[] {
  const words = command.slice(PREFIX.length).match(/"[^"]*"|\S+/g) ?? [];
  return words.map((word) =>
    /\.(?:yaml|json)$|^stories$/.test(word) ? path.join(folder, word) : word.replaceAll('"', ''),
  );
}

describe('stories as software: the page about files', () => {
  it('has commands that work in their order', async () => {
    const page = await readFile('docs/build/story-format.md', 'utf8');
    const [, story = ''] = /`alerts\.yaml`:\n\n```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    const [, event = ''] = /`event\.json` is[^\n]*\n\n```json\n([\s\S]*?)```/.exec(page) ?? [];
    await mkdir(path.join(folder, 'stories'));
    await writeFile(path.join(folder, 'alerts.yaml'), story);
    await writeFile(path.join(folder, 'event.json'), event);
    const account = await buildAccount(stores.db, { owner: true });
    const env = { FABULA_URL: api.fabula().url, FABULA_KEY: account.key };
    const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
      .flatMap(([, block = '']) => block.trim().split('\n'))
      .filter((line) => line.startsWith(PREFIX));
    expect(commands).toHaveLength(10);

    for (const command of commands) {
      const ofCi = command.includes(' stories');
      if (ofCi)
        await writeFile(
          path.join(folder, 'stories/alerts.yaml'),
          await readFile(path.join(folder, 'alerts.yaml')),
        );
      const args = argumentsOf(command);
      const more = args.includes('pull') ? ['--dir', folder] : [];
      const { code, err } = await runCli([...args, ...more], { env: { ...env, CI: ofCi ? 'true' : '' } });
      expect([command, code, err]).toEqual([command, 0, '']);
    }
    expect(await readFile(path.join(folder, 'alerts.yaml'), 'utf8')).toContain('secret: "[hidden]"');
  });
});
