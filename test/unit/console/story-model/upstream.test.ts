import type { DraftLink, StoryDraft } from '../../../../src/console/story-model/story-draft.js';
import { slugsBefore } from '../../../../src/console/story-model/reading/upstream.js';

function draftOf(names: readonly string[], links: readonly string[]): StoryDraft {
  const ends = links.map((link): [string, DraftLink] => {
    const [source = '', receiver = ''] = link.split(' > ');
    return [link, { source, receiver, form: { source: 0, receiver: 0 } }];
  });
  const actions = names.map((name) => [name, { type: 'Agents::TriggerAgent', name, options: {} }] as const);
  return { actions: new Map(actions), links: new Map(ends), notes: new Map(), rest: {} };
}

describe('the actions before one', () => {
  const draft = draftOf(
    ['Hook', 'Is it high?', 'Ask', 'Other'],
    ['Hook > Is it high?', 'Is it high? > Ask', 'Ask > Other'],
  );

  it('are named as templates name them, the nearest first', () => {
    expect(slugsBefore(draft, 'Ask')).toEqual(['is_it_high', 'hook']);
    expect(slugsBefore(draft, 'Hook')).toEqual([]);
  });

  it('end in a circle too, where an action comes before itself', () => {
    const circle = draftOf(['A', 'B'], ['A > B', 'B > A']);
    expect(slugsBefore(circle, 'A')).toEqual(['b', 'a']);
  });
});
