import type { StoryGraph } from '../../../../clients/typescript/api.js';
import { fromGraph, toGraphBody } from '../../../../src/console/story-model/graph-draft.js';
import { connect } from '../../../../src/console/story-model/commands/link-commands.js';
import { remove } from '../../../../src/console/story-model/commands/selection-commands.js';
import { kindOfLink } from '../../../../src/console/story-model/story-draft.js';
import { LongNumber } from '../../../../src/console/text/exact-json.js';
import { action, after, DRAFT, GRAPH } from './drafts.js';

describe('a graph as a draft', () => {
  it('has actions by guid, links between them with their kinds, and notes', () => {
    expect([...DRAFT.actions.keys()]).toEqual(['guid-1', 'guid-2', 'guid-3']);
    expect([...DRAFT.links.values()].map((link) => [link.source, link.receiver, kindOfLink(link)])).toEqual([
      ['guid-1', 'guid-2', 'DEFAULT'],
      ['guid-2', 'guid-3', 'FAILURE'],
    ]);
    expect([...DRAFT.notes.keys()]).toEqual(['note 5']);
    expect(DRAFT.rest).toEqual({ story_id: 12, version: 7 });
  });

  it('goes back as it came: unknown keys, their order and all digits included', () => {
    const agents = [
      action(1, 'A', { later: { than: 'us' }, options: { n: new LongNumber('12345678901234567890') } }),
    ];
    const graph = {
      ...GRAPH,
      later: 1,
      agents,
      links: [{ link_type: 'of_tomorrow', source: 0, receiver: 0 }],
    };
    const body = toGraphBody(fromGraph(graph));
    expect(body).toEqual(graph);
    expect(Object.keys(body.links[0] ?? {})).toEqual(['link_type', 'source', 'receiver']);
    expect(toGraphBody(DRAFT)).toEqual(GRAPH);
  });

  it('keeps actions without a guid or with that of another, and two equal links', () => {
    const twice = [action(1, 'A'), action(2, 'B', { guid: 'guid-1' }), action(3, 'C', { guid: 'guid-1' })];
    const { guid: _guid, ...without } = action(4, 'D');
    const links = [
      { source: 3, receiver: 1 },
      { source: 3, receiver: 1 },
    ];
    const notes = [
      { id: null, content: 'x' },
      { id: null, content: 'y' },
      { id: 3, guid: 'its own', content: '' },
    ];
    const graph: StoryGraph = { ...GRAPH, agents: [...twice, without], links, notes };
    const draft = fromGraph(graph);
    expect([...draft.actions.keys()]).toEqual(['guid-1', 'guid-1 (2)', 'guid-1 (3)', 'number 3']);
    expect([...draft.notes.keys()]).toEqual(['note null', 'note null (2)', 'its own']);
    expect(toGraphBody(draft)).toEqual(graph);
  });

  it('has a link of an unknown type as an ordinary one, and refuses one that leads nowhere', () => {
    const links = [
      { source: 0, receiver: 1, link_type: 'secondary' },
      { source: 0, receiver: 1, link_type: 'new' },
    ];
    const kinds = [...fromGraph({ ...GRAPH, links }).links.values()].map(kindOfLink);
    expect(kinds).toEqual(['NO_MATCH', 'DEFAULT']);
    for (const link of [
      { source: 9, receiver: 0 },
      { source: 0, receiver: 9 },
    ]) {
      expect(() => fromGraph({ ...GRAPH, links: [link] })).toThrow(RangeError);
    }
  });

  it('names the actions of links by their new places', () => {
    const draft = after(DRAFT, remove({ actions: ['guid-1'] }), connect('guid-3', 'guid-2', 'NO_MATCH'));
    expect(toGraphBody(draft).links).toEqual([
      { source: 0, receiver: 1, link_type: 'failure' },
      { source: 1, receiver: 0, link_type: 'secondary' },
    ]);
  });

  it('lacks the ids that the server has no longer, and links whose actions are gone', () => {
    const stored = after(DRAFT, remove({ actions: ['guid-3'], notes: ['note 5'] }));
    const { agents, notes } = toGraphBody(DRAFT, stored);
    expect(agents.map(({ id, guid }) => [id, guid])).toEqual([
      [1, 'guid-1'],
      [2, 'guid-2'],
      [undefined, 'guid-3'],
    ]);
    expect(notes).toEqual([{ content: '# Triage', position: { x: 30, y: -60 } }]);
    const loose = { ...DRAFT, actions: stored.actions };
    expect(toGraphBody(loose).links).toEqual([{ source: 0, receiver: 1, colour: 'red' }]);
  });
});
