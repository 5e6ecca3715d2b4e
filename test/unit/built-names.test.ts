import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

/** Returns the linter's output for a file of the product with this text. */
function lint(text: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'lint-'));
  const file = path.join(folder, 'sample.ts');
  writeFileSync(file, text);
  const config = path.join(ROOT, '.oxlintrc.json');
  const { stdout } = spawnSync(path.join(ROOT, 'node_modules/.bin/oxlint'), ['-c', config, file], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  rmSync(folder, { recursive: true });
  return stdout;
}

describe('S12: the linter refuses a local name that hides one of the built modules', () => {
  const samples = ['exports', 'module', 'require'].flatMap((name) => [
    `export const length = (${name}: string[]): number => ${name}.length;`,
    `export function size(found: { ${name}: string[] }): number {\n  const { ${name} } = found;\n  return ${name}.length;\n}`,
    `export function size(found: string[]): number {\n  const ${name} = found;\n  return ${name}.length;\n}`,
  ]);
  test.each(samples)('%s', (text) => expect(lint(text)).toContain('id-denylist'));

  test('another name passes', () =>
    expect(lint('export const length = (found: string[]): number => found.length;')).not.toContain(
      'id-denylist',
    ));
});
