import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DOORS } from '../support/doors.js';

const ROOT = path.resolve(__dirname, '../..');

function filesOf(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.posix.join(folder, name));
}

describe('the ways into a process', () => {
  it('S1: each file that makes a router is a door of the list, with its worst requests', () => {
    const opening = filesOf('src').filter((file) =>
      /\bRouter\(\)|express\(\)/.test(readFileSync(path.join(ROOT, file), 'utf8')),
    );
    const known = [...new Set(DOORS.map(({ file }) => file)), 'src/app/app.ts'];
    expect(opening.toSorted()).toEqual(known.toSorted());
    expect(DOORS.filter(({ worst }) => worst.length === 0)).toEqual([]);
  });

  it('S1: each file that reads the body of a request is a door of the list', () => {
    const reading = filesOf('src').filter((file) =>
      /\breadRequestBody\(|\breadBody\(req|express\.(?:json|urlencoded|raw|text)\(/.test(
        readFileSync(path.join(ROOT, file), 'utf8'),
      ),
    );
    const helpers = [
      'src/platform/http/body/read-request-body.ts',
      'src/platform/http/body/body-reader.ts',
      // Called by the doors of people, for bodies of a few kilobytes.
      'src/web/admin/people/read-input.ts',
      // Called by the door of webhooks.
      'src/web/webhooks/webhook-call.ts',
    ];
    const known = new Set([...DOORS.map(({ file }) => file), ...helpers]);
    expect(reading.filter((file) => !known.has(file))).toEqual([]);
  });
});
