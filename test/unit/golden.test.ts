import type { StoryExport } from '../../src/stories/export/export-form.js';
import { subStories } from '../../src/stories/import/check-export.js';
import { fitted, goldenFiles } from '../support/golden.js';
import { realExports } from '../support/stories.js';
import { cameOf, requestOf, tryGolden } from '../support/try-golden.js';

const exports = new Map(realExports());
const describeIfThere = exports.size > 0 ? describe : describe.skip;

/** Names of exit agents, and of actions that lead nowhere, in the story and those embedded in it. */
function endsOf(story: StoryExport): string[] {
  const guids = [story.exit_agent_guids, story.exit_agent_guid].flat();
  const sources = new Set(story.links.map(({ source }) => source));
  const own = story.agents.filter(({ guid }, index) => guids.includes(guid as string) || !sources.has(index));
  return [...own.map(({ name }) => name), ...subStories(story).flatMap(endsOf)];
}

describeIfThere(
  'real exports come to what their golden files say (skipped where the exports are missing)',
  () => {
    test.each(goldenFiles())('%s', async (_, golden) => {
      const { requests, mails, events, exits, deadLetters } = golden;
      const request = requestOf(exports.get(golden.story) ?? '');
      expect(exits.length).toBeGreaterThan(0);
      expect(endsOf(request.data)).toEqual(expect.arrayContaining(exits));
      const report = await tryGolden(request, golden);
      const expected = { requests, mails, events, exits, deadLetters };
      expect(fitted(cameOf(report, golden), expected)).toEqual(expected);
      expect([report.unanswered, report.stopped]).toEqual([[], undefined]);
    });
  },
);
