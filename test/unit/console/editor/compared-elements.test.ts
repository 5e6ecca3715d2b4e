import type { StoryExport } from '../../../../clients/typescript/api.js';
import { comparedElements } from '../../../../src/console/canvas/compared-elements.js';

const action = (guid: string) => ({
  guid,
  name: guid.toUpperCase(),
  type: 'Agents::TriggerAgent',
  options: {},
});

const BEFORE: StoryExport = {
  schema_version: 28,
  agents: [action('a'), action('b'), action('gone')],
  links: [
    { source: 0, receiver: 1 },
    { source: 1, receiver: 2 },
  ],
  diagram_layout: '{"a":[0,0],"b":[0,120],"gone":[0,240]}',
  diagram_notes: [{ guid: 'n', content: 'Old', position: [300, 0] }],
};
const AFTER: StoryExport = {
  schema_version: 28,
  agents: [action('new'), action('b'), action('a')],
  links: [
    { source: 2, receiver: 1, link_type: 'secondary' },
    { source: 1, receiver: 0 },
  ],
  diagram_layout: '{"a":[0,0],"b":[150,120],"new":[150,240]}',
};

describe('two states of a story in one picture', () => {
  const { nodes, edges } = comparedElements(BEFORE, AFTER, { changed: new Set(['b']) });
  const actions = nodes.filter((node) => node.type === 'action');

  it('marks actions; what is gone stands where it was, the others where they are', () => {
    expect(actions.map(({ id, position, data }) => [id, data.mark, position.x, position.y])).toEqual([
      ['a', undefined, 0, 0],
      ['b', 'changed', 150, 120],
      ['gone', 'removed', 0, 240],
      ['new', 'added', 150, 240],
    ]);
  });

  it('tells a link that moved to another port as one that is gone and one that is new', () => {
    expect(edges.map(({ source, target, label }) => [source, target, label])).toEqual([
      ['a', 'b', 'removed'],
      ['b', 'gone', 'removed'],
      ['a', 'b', 'no match, added'],
      ['b', 'new', 'added'],
    ]);
  });

  it('names the runs in which an action did otherwise, and does not draw it faintly', () => {
    const differing = new Map([['a', 35]]);
    const drawn = comparedElements(BEFORE, AFTER, { changed: new Set(), differing });
    const [a] = drawn.nodes.filter((node) => node.type === 'action');
    expect([a?.data.differing, a?.data.isOff, a?.ariaLabel]).toEqual([
      35,
      false,
      expect.stringContaining('differs in 35 runs'),
    ]);
  });

  it('keeps notes of both', () => {
    expect(nodes.filter(({ type }) => type === 'note').map(({ data }) => data)).toEqual([{ content: 'Old' }]);
  });
});
