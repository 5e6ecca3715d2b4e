import type { Problem } from '../../platform/errors.js';
import type { StoryGraph } from '../story-graph.js';

/** `error`: an event that gets there fails. `warning`: it does not do all it says. `hint`: worth a look. */
export type FindingLevel = 'error' | 'warning' | 'hint';

/** One thing about one action. */
export interface Finding {
  level: FindingLevel;
  kind: 'template' | 'filter' | 'reference' | 'webhook_path' | 'webhook_secret' | 'pattern' | 'option';
  message: string;
  /** Path within the options, or within the agent for what stands beside them. */
  option: string;
  /** Of the option's text, from 1; undefined: the option as a whole. */
  at: { line: number; column: number } | undefined;
}

/** What becomes of an action here: see `reason` for all but those that run. */
export type ActionState = 'runs' | 'fails' | 'disabled' | 'import_only';

export interface ActionReport {
  /** In `agents[]` of its story, from 0. */
  position: number;
  name: string;
  type: string;
  /** Of an event transformation; undefined for other types. */
  mode: string | undefined;
  state: ActionState;
  reason: string | undefined;
  /** Texts with template syntax of the story's language. */
  templates: number;
  findings: Finding[];
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

/** What a team must have for the stories of a file to work, by the names that their templates use. */
export interface StoryNeeds {
  credentials: string[];
  resources: string[];
  stories: string[];
}

/** All that is known of one file without a database. */
export interface FileReport {
  file: string;
  /** Why the import would answer 422; nothing is imported then. */
  refusals: Problem[];
  /** What the import would warn of, besides what is said of single actions. */
  warnings: string[];
  /** undefined: not an export at all. */
  story: StoryReport | undefined;
  needs: StoryNeeds;
}

/** Sums over files, sub-stories included. */
export type CheckCounts = Record<
  'stories' | 'actions' | 'links' | ActionState | 'refusals' | `${FindingLevel}s` | 'liquid' | 'formula',
  number
>;

/** The story of a report and all that are embedded in it, at any depth. */
export function storiesOf({ story }: FileReport): StoryReport[] {
  const all = story === undefined ? [] : [story];
  for (const next of all) all.push(...next.subStories);
  return all;
}

/** `warnings` counts those of the import too; `liquid` and `formula` count the texts with templates. */
export function countsOf(files: FileReport[]): CheckCounts {
  const stories = files.flatMap(storiesOf);
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

/** Whether these files are not fit to be imported; `strict`: actions that can only be stored count as well. */
export function hasFailed(files: FileReport[], strict: boolean): boolean {
  const { refusals, errors, import_only: importOnly } = countsOf(files);
  return refusals > 0 || errors > 0 || (strict && importOnly > 0);
}

function sum<T>(items: T[], numberOf: (item: T) => number): number {
  return items.reduce((total, item) => total + numberOf(item), 0);
}
