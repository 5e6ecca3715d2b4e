import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { fileNamesOf } from '../../src/config/secret-files.js';
import { variablesIn } from '../../src/config/variable.js';
import { VARIABLES } from '../../src/config/variables.js';
import { startFabula } from '../support/fabula.js';
import { useStores } from '../support/stores.js';

const CHECKOUT = path.resolve(__dirname, '../..');
const stores = useStores();

/** The shell blocks under a heading of the README. */
function shellBlocks(heading: string): string[] {
  const readme = readFileSync(path.join(CHECKOUT, 'README.md'), 'utf8');
  const [, section = ''] = readme.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');
}

/** Runs a block as a reader would paste it; only the address is this test's. */
async function paste(block: string, where: { cwd: string; url: string }): Promise<string> {
  const script = block.replaceAll('http://127.0.0.1:3000', where.url);
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: where.cwd,
    timeout: 30_000,
  });
  return stdout;
}

test('the first story of the README works as it is written', async () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'readme-'));
  const dataDir = path.join(cwd, '.data');
  mkdirSync(path.join(dataDir, 'mail'), { recursive: true });
  symlinkSync(path.join(CHECKOUT, 'docs'), path.join(cwd, 'docs'));
  const fabula = await startFabula(stores, { env: { DATA_DIR: dataDir } });
  writeFileSync(path.join(dataDir, 'credentials.json'), JSON.stringify({ api_key: fabula.account.key }));

  const [block] = shellBlocks('A first story');
  const output = await paste(block!, { cwd, url: fabula.url });
  expect(output).toContain('"name":"Alert to ticket"');
  expect(output).toContain('201 Created');
  expect(output).toContain('Noted');
  await fabula.settled();
  const [mail] = readdirSync(path.join(dataDir, 'mail'));
  const text = readFileSync(path.join(dataDir, 'mail', mail!), 'utf8');
  expect(text).toContain('Subject: [HIGH] Ransomware note found');
  expect(text).toContain('Hosts: web-1, db-2');
  await fabula.close();
  rmSync(cwd, { recursive: true, force: true });
});

test('every setting that docs/operate/configuration.md lists is read, and every one that is read is listed', () => {
  const table = readFileSync(path.join(CHECKOUT, 'docs/operate/configuration.md'), 'utf8');
  const listed = new Set([...table.matchAll(/`([A-Z][A-Z0-9_]{3,})`/g)].map(([, name]) => name!));
  const read = new Set(
    variablesIn(VARIABLES).flatMap((each) => [each.name, ...(each.facts.names ?? []), ...fileNamesOf(each)]),
  );
  expect([...listed].toSorted()).toEqual([...read].toSorted());
});

test('every link of the README leads to a file', () => {
  const readme = readFileSync(path.join(CHECKOUT, 'README.md'), 'utf8');
  const targets = [...readme.matchAll(/\]\((?!http)([^)#]+)/g)].map(([, target]) => target!);
  for (const target of targets) expect(() => readFileSync(path.join(CHECKOUT, target))).not.toThrow();
});
