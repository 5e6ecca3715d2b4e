import { stringifyJson } from '../../platform/json/exact-number.js';
import type { StoryTrialWork } from './story-trial.js';
import { type TrialReport, entriesOf, hasFailedTrial } from '../report/trial-report.js';
import { presentReport } from './present-report.js';
import { actionViewsOf, isNew } from './action-view.js';
import { presentDifference } from '../comparison/present-difference.js';
import { createCharacterBudget } from './character-budget.js';
import { differenceOf } from '../comparison/trial-difference.js';
import type { TrialCourse } from './trial-course.js';
import type { TriedStories } from './tried-stories.js';

/** A trial that ended, and the same once more at another time. */
export interface EndedTrial {
  stories: TriedStories;
  report: TrialReport;
  /** Undefined: there is nothing to compare with. */
  again: TrialReport | undefined;
  course: TrialCourse;
  tookMs: number;
}

/** Returns the JSON text of a trial as the API shows it (spec §5.12). */
export function storyTrialText(work: StoryTrialWork, ended: EndedTrial): string {
  const { report, stories, tookMs } = ended;
  const budget = createCharacterBudget(work.limits.maxShownCharacters);
  const actionOf = actionViewsOf(stories);
  const difference = differenceTo(work, ended);
  const parts = {
    ok: !hasFailedTrial(report),
    story_id: isNew(stories.story.id) ? null : stories.story.id,
    story_run_guid: work.past?.guid ?? null,
    difference: difference && presentDifference(difference, { work, actionOf, budget }),
    ...presentReport(report, actionOf, budget),
    not_taken: work.past?.notTaken ?? [],
    left_out: budget.leftOut(),
    took_ms: Math.round(tookMs),
  };
  return stringifyJson(parts);
}

function differenceTo({ past }: StoryTrialWork, { report, again, course }: EndedTrial) {
  if (past === undefined) return null;
  return differenceOf({
    past,
    events: emittedIn(report),
    failures: entriesOf(report, 'dead_letter'),
    again: again === undefined ? [] : emittedIn(again),
    pastActionOf: course.pastActionOf,
    pastIdOf: course.pastIdOf,
  });
}

const emittedIn = (report: TrialReport) => entriesOf(report, 'event').filter(({ agentId }) => agentId !== 0);
