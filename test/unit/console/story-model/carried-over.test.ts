import {
  addAction,
  rename,
  setFields,
} from '../../../../src/console/story-model/commands/action-commands.js';
import { carriedOver } from '../../../../src/console/story-model/changes/carried-over.js';
import { fromGraph, toGraphBody } from '../../../../src/console/story-model/graph-draft.js';
import { action, after, DRAFT, GRAPH } from './drafts.js';

/** Another copy of the story, with ids and an address of its own. */
const COPY = fromGraph({
  ...GRAPH,
  story_id: 13,
  version: 1,
  agents: GRAPH.agents.map((agent, at) => ({
    ...agent,
    id: 100 + at,
    guid: `copy-${at}`,
    options: at === 0 ? { path: 'copied' } : agent.options,
  })),
  notes: [],
} as typeof GRAPH);

const { id: _id, guid: _guid, ...added } = action(9, 'Added');
const sent = (draft: typeof DRAFT, saved = DRAFT, copy = COPY) =>
  toGraphBody(carriedOver(draft, saved, copy), copy);

describe('a draft as a change of another copy', () => {
  it('continues the actions of the copy, also one that was renamed since; the others are new', () => {
    const mine = after(DRAFT, rename('guid-2', 'Ask again'), addAction(added, 'local'));
    const { agents, links } = sent(mine);
    expect(agents.map(({ id, guid, name }) => [id, guid, name])).toEqual([
      [100, 'copy-0', 'Receive'],
      [101, 'copy-1', 'Ask again'],
      [102, 'copy-2', 'Send'],
      [undefined, 'local', 'Added'],
    ]);
    expect(links.map(({ source, receiver }) => [source, receiver])).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it('has the version and the address of the copy', () => {
    const body = sent(after(DRAFT, setFields('guid-1', { options: { path: 'mine', verbs: 'post' } })));
    expect([body['story_id'], body['version'], body.agents[0]?.options]).toEqual([
      13,
      1,
      { path: 'copied', verbs: 'post' },
    ]);
  });

  it('continues none of two actions that have the same name', () => {
    const twice = fromGraph({
      ...GRAPH,
      agents: GRAPH.agents.map((agent, at) => (at === 0 ? agent : { ...agent, name: 'Same' })),
    });
    expect(sent(twice, twice, COPY).agents.map(({ id }) => id)).toEqual([100, undefined, undefined]);
  });
});
