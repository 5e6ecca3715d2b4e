import {
  type ActionReport,
  countsOf,
  type FileReport,
  type CheckFinding,
  hasFailedCheck,
  type StoryReport,
} from './check-report.js';

/** The reports as JSON; its keys are a stable interface. */
export function presentReports(files: FileReport[], strict: boolean) {
  return { ok: !hasFailedCheck(files, strict), files: files.map(presentFile), totals: countsOf(files) };
}

/** The report of one file as JSON. */
export type CheckedFile = ReturnType<typeof presentFile>;

export function presentFile(report: FileReport) {
  const { file, refusals, warnings, story, needs } = report;
  return {
    file,
    refusals: refusals.map(({ message, details }) => ({ message, details: details ?? null })),
    warnings,
    story: story === undefined ? null : presentStory(story),
    needs: { credentials: needs.credentials, resources: needs.resources, stories: needs.stories },
    counts: countsOf([report]),
  };
}

interface PresentedStory {
  name: string;
  schema_version: number;
  language: string;
  links: number;
  actions: ReturnType<typeof presentAction>[];
  sub_stories: PresentedStory[];
}

function presentStory(story: StoryReport): PresentedStory {
  return {
    name: story.name,
    schema_version: story.schemaVersion,
    language: story.language,
    links: story.links,
    actions: story.actions.map(presentAction),
    sub_stories: story.subStories.map(presentStory),
  };
}

function presentAction({ position, name, type, mode, state, reason, templates, findings }: ActionReport) {
  return {
    position,
    name,
    type,
    mode: mode ?? null,
    state,
    reason: reason ?? null,
    templates,
    findings: findings.map(presentFinding),
  };
}

function presentFinding({ level, kind, message, option, at }: CheckFinding) {
  return { level, kind, message, option, line: at?.line ?? null, column: at?.column ?? null };
}
