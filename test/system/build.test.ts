import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { withSourcePlace } from '../../src/platform/runtime/source-places.js';

const DIST = path.resolve(__dirname, '../../dist');

describe('what is built', () => {
  it.each(['web.js', 'workers/trigger.js'])(
    'says what is wrong with its configuration, and nothing else: %s',
    (file) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(DIST, file)], {
        cwd: DIST,
        env: { PATH: process.env.PATH },
        encoding: 'utf8',
        timeout: 60_000,
      });
      expect({ status, stdout, stderr }).toEqual({
        status: 1,
        stdout: '',
        stderr: 'Invalid configuration:\n  DATABASE_URL is required\n  REDIS_URL is required\n',
      });
    },
  );

  it.each(['web', 'worker', 'cli', 'thread'])('has a map that leads back to the sources: %s', (name) => {
    const bundle = path.join(DIST, `${name}.bundle.js`);
    const ofBundle = readFileSync(bundle, 'utf8').split('\n');
    const line = 1 + ofBundle.findIndex((text) => text.includes('throw new TemplateError('));
    const [, source = '', at = ''] =
      /at render \((src\/[\w/-]+\.ts):(\d+)\)/.exec(
        withSourcePlace(`at render (${bundle}:${line}:9)`, DIST),
      ) ?? [];
    const ofSource = readFileSync(path.join(DIST, '..', source), 'utf8').split('\n');
    expect(ofSource[Number(at) - 1]).toContain('throw new TemplateError(');
  });
});
