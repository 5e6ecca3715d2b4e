import type { Statistics } from '../../../clients/typescript/api.js';
import type { Graph } from '../../../src/console/canvas/graph.js';
import { edgesOf } from '../../../src/console/canvas/graph-elements.js';

/** A chain of actions, each with a link of the default kind to the next. */
function chainOf(length: number): Graph {
  const actions = Array.from({ length }, (_, id) => ({
    id,
    name: `Action ${id}`,
    links_to_receivers: id === length - 1 ? [] : [{ receiver_id: id + 1, type: 'DEFAULT' }],
  }));
  return { actions, notes: [] } as unknown as Graph;
}

const countsOf = (events: number[]) =>
  new Map(events.map((count, id) => [id, { events: count } as Statistics]));
const classes = (graph: Graph, facts?: Parameters<typeof edgesOf>[1]) =>
  edgesOf(graph, facts).map(({ className }) => className);

describe('links of the canvas', () => {
  it('are the thicker the more events their action emits', () => {
    expect(classes(chainOf(5), { counts: countsOf([9, 10, 100, 1_000]) })).toEqual([
      'link default',
      'link default traffic-1',
      'link default traffic-2',
      'link default traffic-3',
    ]);
  });

  it('of a run are its path, or faint', () => {
    const taken = { actions: new Set([0, 1]), links: new Set(['0-1']), live: new Set<string>() };
    const [first, second] = edgesOf(chainOf(3), { taken });
    expect(first).toMatchObject({ className: 'link default taken', markerEnd: 'arrow-taken' });
    expect(second).toMatchObject({ className: 'link default off', markerEnd: 'arrow-default' });
  });

  it('have a moving dot where events are under way, at most twenty at once', () => {
    const links = Array.from({ length: 40 }, (_, at) => `${at}-${at + 1}`);
    const live = (count: number) => ({
      actions: new Set<number>(),
      links: new Set(links),
      live: new Set(links.slice(0, count)),
    });
    const dots = (count: number) =>
      edgesOf(chainOf(41), { taken: live(count) }).filter(({ data }) => data?.isLive).length;
    expect([dots(0), dots(3), dots(40)]).toEqual([0, 3, 20]);
  });
});
