import type { Problem } from '../../platform/errors.js';
import type { StoryGraph } from '../graph/story-graph.js';

/** `error`: an event fails there. `warning`: the action does not do all that its options say. `hint`: a possible fault. */
export type FindingLevel = 'error' | 'warning' | 'hint';

/** One finding about one action. */
export interface CheckFinding {
  level: FindingLevel;
  kind:
    | 'template'
    | 'filter'
    | 'reference'
    | 'webhook_path'
    | 'webhook_secret'
    | 'pattern'
    | 'option'
    | 'input'
    | 'type';
  message: string;
  /** Path within the options, or within the agent for texts beside them. */
  option: string;
  /** Position in the option's text, from 1; undefined: the whole option. */
  at: { line: number; column: number } | undefined;
}

/** The state of an action here; every state but `runs` has a `reason`. */
export type ActionState = 'runs' | 'fails' | 'disabled' | 'import_only';

export interface ActionReport {
  /** Index in `agents[]` of its story, from 0. */
  position: number;
  name: string;
  type: string;
  /** The mode of an event transformation; undefined for other types. */
  mode: string | undefined;
  state: ActionState;
  reason: string | undefined;
  /** Texts with template syntax of the story's language. */
  templates: number;
  findings: CheckFinding[];
}

export interface StoryReport {
  name: string;
  schemaVersion: number;
  language: StoryGraph['language'];
  links: number;
  actions: ActionReport[];
  /** The stories embedded in it. */
  subStories: StoryReport[];
}

/** The names that a file's templates use and that the team must have. */
export interface StoryNeeds {
  credentials: string[];
  resources: string[];
  stories: string[];
}

/** The result of checking one file without a database. */
export interface FileReport {
  file: string;
  /** Faults for which the import would respond 422; nothing is imported then. */
  refusals: Problem[];
  /** Warnings that the import would give, without those about single actions. */
  warnings: string[];
  /** undefined: the file is not an export. */
  story: StoryReport | undefined;
  needs: StoryNeeds;
}

/** Sums over files, sub-stories included. */
export type CheckCounts = Record<
  'stories' | 'actions' | 'links' | ActionState | 'refusals' | `${FindingLevel}s` | 'liquid' | 'formula',
  number
>;

/** Returns the story of a report and all stories embedded in it, at any depth. */
export function reportedStories({ story }: FileReport): StoryReport[] {
  const all = story === undefined ? [] : [story];
  for (const next of all) all.push(...next.subStories);
  return all;
}

/** `warnings` includes those of the import; `liquid` and `formula` count the texts with templates. */
export function countsOf(files: FileReport[]): CheckCounts {
  const stories = files.flatMap(reportedStories);
  const actions = stories.flatMap((story) => story.actions);
  const inState = (state: ActionState) => actions.filter((action) => action.state === state).length;
  const atLevel = (level: FindingLevel) =>
    sum(actions, ({ findings }) => findings.filter((finding) => finding.level === level).length);
  const templatesIn = (language: StoryReport['language']) =>
    sum(
      stories.filter((story) => story.language === language).flatMap((story) => story.actions),
      ({ templates }) => templates,
    );
  return {
    stories: stories.length,
    actions: actions.length,
    links: sum(stories, ({ links }) => links),
    runs: inState('runs'),
    fails: inState('fails'),
    disabled: inState('disabled'),
    import_only: inState('import_only'),
    refusals: sum(files, ({ refusals }) => refusals.length),
    errors: atLevel('error'),
    warnings: atLevel('warning') + sum(files, ({ warnings }) => warnings.length),
    hints: atLevel('hint'),
    liquid: templatesIn('liquid'),
    formula: templatesIn('formula'),
  };
}

/** Whether these files must not be imported; with `strict`, actions that cannot run count as well. */
export function hasFailedCheck(files: FileReport[], strict: boolean): boolean {
  const { refusals, errors, import_only: importOnly } = countsOf(files);
  return refusals > 0 || errors > 0 || (strict && importOnly > 0);
}

function sum<T>(items: T[], numberOf: (item: T) => number): number {
  return items.reduce((total, item) => total + numberOf(item), 0);
}
