import { checkText, type PromotionCheck } from '../../../src/operate/cli/commands/stories/promotion-text.js';

const STORY: PromotionCheck['stories'][number] = {
  source_guid: 'a'.repeat(32),
  name: 'Triage',
  team: 'Security',
  live_version: 7,
  state: 'changed',
  missing: [],
  refusals: [],
  conflicts: [],
  conflict_count: 0,
  open_count: 0,
  story_diff: [],
  count: 0,
  kept: [],
  new_record_types: [],
  webhooks: [],
};

describe('stories as software: the check of a promotion in words', () => {
  it('counts the conflicts that are not listed', () => {
    const conflict = { action: 'Ask', kind: 'option', path: 'options.url', live: 1, incoming: 2, take: null };
    const story = { ...STORY, conflicts: [conflict], conflict_count: 13, open_count: 13 };
    const text = checkText({ ok: false, stories: [story as never] }, []);
    expect(text).toContain('… and 12 conflicts more\n');
  });
});
