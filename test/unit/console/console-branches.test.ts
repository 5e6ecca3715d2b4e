import type { Action } from '../../../clients/typescript/api.js';
import { foldEdges, foldNodes } from '../../../src/console/canvas/folding/fold-elements.js';
import { branchBelow, foldsOf } from '../../../src/console/canvas/folding/folding.js';
import { edgesOf, nodesOf } from '../../../src/console/canvas/graph-elements.js';
import { seenOf, upstreamOf } from '../../../src/console/pages/story/panel/seen-values.js';

/** Actions that are linked as `1 > 2` says. */
function graphOf(...links: [from: number, to: number][]): Action[] {
  const ids = [...new Set(links.flat())].toSorted((a, b) => a - b);
  return ids.map((id) => {
    const receivers = links.filter(([from]) => from === id).map(([, to]) => to);
    return {
      id,
      name: `Action ${id}`,
      type: 'Agents::TriggerAgent',
      position: { x: id, y: id * 100 },
      sources: links.filter(([, to]) => to === id).map(([from]) => from),
      receivers,
      links_to_receivers: receivers.map((receiver) => ({ receiver_id: receiver, type: 'DEFAULT' })),
    } as unknown as Action;
  });
}

const FACTS = { activity: undefined, counts: undefined, notRunnable: new Set<string>(), search: 'action 3' };

describe('the branch below an action', () => {
  it.each([
    ['a chain', graphOf([1, 2], [2, 3], [3, 4]), 2, [3, 4]],
    ['what others lead to as well', graphOf([1, 2], [2, 3], [1, 4], [3, 5], [4, 5], [5, 6]), 2, [3]],
    ['a circle inside', graphOf([1, 2], [2, 3], [3, 4], [4, 3], [4, 5]), 2, [3, 4, 5]],
    ['a circle back to it', graphOf([1, 2], [2, 3], [3, 2], [3, 4]), 2, [3, 4]],
    ['the last action', graphOf([1, 2]), 2, []],
    ['an action with a link to itself', graphOf([1, 2], [2, 2], [2, 3]), 2, [3]],
  ])('%s', (_name, actions, owner, expected) => {
    expect([...branchBelow(actions, owner)].toSorted((a, b) => a - b)).toEqual(expected);
  });

  it('is one block, with a link to it, and the block of a branch inside is part of it', () => {
    const actions = graphOf([1, 2], [2, 3], [3, 4], [1, 5]);
    const folds = foldsOf(actions, [3, 2, 5, 99]);
    expect(folds.map(({ ownerId, hidden }) => [ownerId, [...hidden]])).toEqual([[2, [3, 4]]]);
    const graph = { actions, notes: [] };
    const nodes = foldNodes(nodesOf(graph, FACTS), folds);
    expect(nodes.map(({ id }) => id)).toEqual(['1', '2', '5', 'fold-2']);
    expect(nodes.at(-1)).toMatchObject({
      position: { x: 3, y: 300 },
      data: { ownerId: 2, ownerName: 'Action 2', count: 2, isFound: true },
    });
    const links = foldEdges(edgesOf(graph), folds).map(({ source, target }) => `${source} > ${target}`);
    expect(links).toEqual(['1 > 2', '1 > 5', '2 > fold-2']);
  });
});

describe('what an action sees', () => {
  it('is all before it, the nearest first, also in a circle', () => {
    const actions = graphOf([1, 2], [2, 3], [3, 2], [4, 3]);
    expect(upstreamOf(actions[2], actions).map(({ id }) => id)).toEqual([2, 4, 1, 3]);
  });

  it('has the newest value of each key, and names what has none', () => {
    const upstream = graphOf([1, 2], [2, 3]);
    const events = [
      { created_at: '2026-11-26T10:00:01Z', payload: { action_1: 'new' } },
      { created_at: '2026-11-26T10:00:00Z', payload: { action_1: 'old', action_2: { a: 1 } } },
    ];
    expect(seenOf(events, upstream)).toEqual({
      values: { action_1: 'new', action_2: { a: 1 } },
      missing: ['Action 3'],
    });
    expect(seenOf([], [])).toEqual({ values: {}, missing: [] });
  });
});
