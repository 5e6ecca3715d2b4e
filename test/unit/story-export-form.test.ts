import * as fc from 'fast-check';
import type { JsonObject } from '../../src/platform/json.js';
import { fromExtra, toExtra } from '../../src/stories/export/export-form.js';
import { mapGuids } from '../../src/stories/import/plan/guid-map.js';
import { matchAgents } from '../../src/stories/import/plan/match-agents.js';
import type { ReplacedAgent } from '../../src/stories/import/plan/story-plan.js';
import { slugOf } from '../../src/platform/text/slug.js';
import { guidOf } from '../support/stories.js';

const COLUMNS = ['name', 'disabled', 'options'];
const key = fc.oneof(
  fc.constantFrom(...COLUMNS, 'constructor', 'toString', 'agent_guid'),
  fc.string().filter((text) => text !== '__proto__'),
);
const exported = fc
  .dictionary(key, fc.jsonValue())
  .map((object) => JSON.parse(JSON.stringify(object)) as JsonObject);

const replaced = (id: number, own: string, exportGuid?: string): ReplacedAgent => ({
  id,
  guid: guidOf(own),
  type: 'Agents::X',
  name: own,
  exportGuid: exportGuid === undefined ? undefined : guidOf(exportGuid),
  createdAt: new Date(),
  webhookPath: undefined,
  secret: undefined,
});
const incoming = (...digits: string[]) =>
  digits.map((digit) => ({ type: 'Agents::X', name: digit, options: {}, guid: guidOf(digit) }));

describe('what is kept of an exported object', () => {
  it('gives it back as it was, in the same order, together with its columns', () => {
    fc.assert(
      fc.property(exported, (object) => {
        const columns = Object.fromEntries(Object.entries(object).filter(([name]) => COLUMNS.includes(name)));
        const stored = JSON.parse(JSON.stringify(toExtra(object, COLUMNS))) as JsonObject;
        expect(JSON.stringify(fromExtra(stored, columns))).toBe(JSON.stringify(object));
      }),
    );
  });

  it('gets columns it did not have, when they say something', () => {
    const columns = { disabled: true, keep_events_for: 0 };
    expect(fromExtra({ a: 1 }, columns, { disabled: false, keep_events_for: 0 })).toEqual({
      a: 1,
      disabled: true,
    });
  });
});

describe('mapped guids', () => {
  it('leave alone what names no agent', () => {
    fc.assert(
      fc.property(exported, (object) => {
        expect(JSON.stringify(mapGuids(object, new Map()))).toBe(JSON.stringify(object));
      }),
    );
  });

  it.each<[JsonObject, JsonObject]>([
    [{ agent_guid: 'a' }, { agent_guid: 'b' }],
    [
      { entry_agent_guid: 'a', exit_agent_guids: ['a', 'x', null] },
      { entry_agent_guid: 'b', exit_agent_guids: ['b', 'x', null] },
    ],
    [
      { pages: [{ action_guid: 'a', guid: 'a', name: 'a' }] },
      { pages: [{ action_guid: 'b', guid: 'a', name: 'a' }] },
    ],
    [{ diagram_layout: '{"a":[1,2],"x":[3,4]}' }, { diagram_layout: '{"b":[1,2],"x":[3,4]}' }],
    // The text stays as it is but for the guids: spaces, `.0`, the order of keys.
    [
      { diagram_layout: '{ "a" : [1.0, 2], "10": [3,4], "2":[5,"a"], "\\u0061":[6,7]}' },
      { diagram_layout: '{ "b" : [1.0, 2], "10": [3,4], "2":[5,"a"], "b":[6,7]}' },
    ],
    [{ diagram_layout: { a: [1, 2] } }, { diagram_layout: { b: [1, 2] } }],
    [{ diagram_layout: 'not JSON' }, { diagram_layout: 'not JSON' }],
    [{ diagram_layout: '' }, { diagram_layout: '' }],
    [
      { my_guid: 'a', reagent_guid: 'a' },
      { my_guid: 'a', reagent_guid: 'a' },
    ],
  ])('of %j are %j', (object, expected) => {
    expect(mapGuids(object, new Map([['a', 'b']]))).toEqual(expected);
  });
});

describe('agents of a new version', () => {
  it.each<[string, string[], ReplacedAgent[], (number | undefined)[]]>([
    ['their own guid', ['2', '1'], [replaced(1, '1'), replaced(2, '2')], [2, 1]],
    [
      'the guid of the first export',
      ['a', 'b'],
      [replaced(1, '1', 'b'), replaced(2, '2', 'c')],
      [undefined, 1],
    ],
    ['their own guid before the export’s', ['a', '1'], [replaced(1, '1', 'a')], [undefined, 1]],
    ['no guid', ['x'], [replaced(1, '1'), replaced(2, '2')], [undefined]],
  ])('go on by %s', (_name, digits, known, ids) => {
    const agents = incoming(...digits);
    const matches = matchAgents(agents, known);
    expect(agents.map((agent) => matches.get(agent)?.id)).toEqual(ids);
  });
});

describe('the slug of a name', () => {
  it.each([
    ['EmailRep.io', 'emailrep_io'],
    ['Pre-Approved', 'pre_approved'],
    ['STS - Check', 'sts_check'],
    ['  a  ', 'a'],
    ['Ünïcode', 'n_code'],
    ['!!!', ''],
  ])('%j is %j', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });
});
