import type { StoryExport } from '../../../../clients/typescript/api.js';
import { comparedElements } from '../../../../src/console/canvas/compared-elements.js';
import { onlyChanges } from '../../../../src/console/canvas/only-changes.js';

const action = (guid: string, text = '') => ({
  guid,
  name: guid.toUpperCase(),
  type: 'Agents::EventTransformationAgent',
  options: { text },
});

/** a > b > c > d > e, and x > d; f stands alone. */
const story = (changed: Record<string, string> = {}, links = LINKS): StoryExport => ({
  schema_version: 28,
  agents: NAMES.map((name) => action(name, changed[name])),
  links: links.map(([from, to]) => ({ source: NAMES.indexOf(from), receiver: NAMES.indexOf(to) })),
  diagram_layout: JSON.stringify(Object.fromEntries(NAMES.map((name, at) => [name, [0, 120 * at]]))),
});

const NAMES = ['a', 'b', 'c', 'd', 'e', 'x', 'f'];
const LINKS: [string, string][] = [
  ['a', 'b'],
  ['b', 'c'],
  ['c', 'd'],
  ['d', 'e'],
  ['x', 'd'],
];

const picture = (after: StoryExport, changed: string[]) =>
  onlyChanges(comparedElements(story(), after, { changed: new Set(changed) }));

/** The drawn parts and their links; a block is named by its number of actions. */
function drawn(short: ReturnType<typeof picture>) {
  const words = new Map(
    (short?.nodes ?? []).map((node) => [node.id, node.type === 'rest' ? String(node.data.count) : node.id]),
  );
  return {
    nodes: [...words.values()].toSorted(),
    links: (short?.edges ?? []).map(({ source, target }) => `${words.get(source)} > ${words.get(target)}`),
  };
}

describe('the picture of what differs alone', () => {
  it('has one block for actions that are alike and linked to each other', () => {
    expect(drawn(picture(story({ c: 'other' }), ['c']))).toEqual({
      nodes: ['1', '2', '3', 'c'],
      links: ['2 > c', 'c > 3'],
    });
  });

  it('puts what is left close together, in the order of its links', () => {
    const short = picture(story({ c: 'other' }), ['c']);
    const [c] = (short?.nodes ?? []).filter(({ id }) => id === 'c');
    const sizes = (short?.nodes ?? []).map(({ position }) => position.y);
    expect([c?.position.y, Math.max(...sizes)]).toEqual([120, 240]);
  });

  it('keeps both ends of a link that differs', () => {
    const links = LINKS.filter(([from]) => from !== 'd');
    expect(drawn(picture(story({}, links), []))).toEqual({
      nodes: ['1', '1', '3', 'd', 'e'],
      links: ['3 > d', 'd > e', '1 > d'],
    });
  });

  it('is not offered where it would leave out nothing, or all', () => {
    expect([picture(story(), []), picture(story(), NAMES)]).toEqual([undefined, undefined]);
  });
});
