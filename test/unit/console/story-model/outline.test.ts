import { outlineOf, placeOf, unfoldedRows } from '../../../../src/console/story-model/reading/outline.js';
import { connect } from '../../../../src/console/story-model/commands/link-commands.js';
import { addAction } from '../../../../src/console/story-model/commands/action-commands.js';
import type { LinkKind, StoryDraft } from '../../../../src/console/story-model/story-draft.js';

/** A story of actions that are named by letters: `ab` leads from a to b, `ab!` by its failures, `ab?` without a match. */
function story(names: string, ...links: string[]): StoryDraft {
  const kinds: Record<string, LinkKind> = { '!': 'FAILURE', '?': 'NO_MATCH' };
  const empty: StoryDraft = { actions: new Map(), links: new Map(), notes: new Map(), rest: {} };
  const type = 'Agents::TriggerAgent';
  const commands = [
    ...Array.from(names, (name) => addAction({ type, name, options: {} }, name)),
    ...links.map(([from = '', to = '', kind = '']) => connect(from, to, kinds[kind] ?? 'DEFAULT')),
  ];
  return commands.reduce((draft, command) => command(draft).draft, empty);
}

const shown = (draft: StoryDraft) =>
  outlineOf(draft).map(
    ({ path, via, isRepeated }) => `${path.join('')}${via ? ` ${via}` : ''}${isRepeated ? ' again' : ''}`,
  );

describe('the outline of a story', () => {
  it('follows the links from the entries, ports named', () => {
    expect(shown(story('abcd', 'ab', 'ac?', 'bd!'))).toEqual([
      'a',
      'ab DEFAULT',
      'abd FAILURE',
      'ac NO_MATCH',
    ]);
  });

  it('shows what two lead to twice, and its receivers once', () => {
    expect(shown(story('abcd', 'ab', 'ac', 'bd', 'cd', 'da'))).toEqual([
      'a',
      'ab DEFAULT',
      'abd DEFAULT',
      'abda DEFAULT again',
      'ac DEFAULT',
      'acd DEFAULT again',
    ]);
  });

  it('has actions without links, and circles that nothing leads into', () => {
    expect(shown(story('abcd', 'bc', 'cb', 'dd'))).toEqual([
      'a',
      'd',
      'dd DEFAULT again',
      'b',
      'bc DEFAULT',
      'bcb DEFAULT again',
    ]);
  });

  it('goes on for ever in depth', () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `n${at}`);
    const actions = new Map(names.map((name) => [name, { type: 'x', name, options: {} }]));
    const links = new Map(
      names
        .slice(1)
        .map((name, at) => [
          name,
          { source: names[at] ?? '', receiver: name, form: { source: 0, receiver: 0 } },
        ]),
    );
    expect(outlineOf({ actions, links, notes: new Map(), rest: {} })).toHaveLength(5_000);
  });

  it('leaves out what is folded', () => {
    const rows = outlineOf(story('abcd', 'ab', 'bc', 'cd'));
    const folded = new Set([placeOf(['a', 'b'])]);
    expect(unfoldedRows(rows, folded).map(({ key }) => key)).toEqual(['a', 'b']);
  });
});
