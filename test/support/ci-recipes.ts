import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const FOLDER = path.resolve(__dirname, '../../deploy/ci');

/** What a recipe runs for: a proposal to change stories, one of a stranger, or the main branch after the merge. */
export type CiOccasion = 'proposal' | 'fork' | 'main';

/** Values that a CI server gives: `github.…`, `vars.…` and `secrets.…`, or the variables of GitLab. */
export type CiValues = Record<string, string>;

/** A step of GitHub or a job of GitLab, as the CI server would run it. */
export interface CiStep {
  name: string;
  script: string;
  env: CiValues;
}

interface GithubStep {
  name?: string;
  if?: string;
  run?: string;
  uses?: string;
  env?: CiValues;
}

interface GithubFile {
  env: CiValues;
  jobs: Record<string, { if?: string; steps: GithubStep[] }>;
}

const OCCASIONS: Record<CiOccasion, CiValues> = {
  proposal: {
    'github.event_name': 'pull_request',
    'github.repository': 'acme/stories',
    'github.event.pull_request.head.repo.full_name': 'acme/stories',
  },
  fork: {
    'github.event_name': 'pull_request',
    'github.repository': 'acme/stories',
    'github.event.pull_request.head.repo.full_name': 'stranger/stories',
  },
  main: { 'github.event_name': 'push', 'github.repository': 'acme/stories' },
};

/** Returns the steps of the GitHub Action that run commands on an occasion, in order. @throws Error for a value that is not given. */
export function githubSteps(occasion: CiOccasion, given: CiValues): CiStep[] {
  const values = { ...OCCASIONS[occasion], ...given };
  const file = parse(readFileSync(path.join(FOLDER, 'github-action.yml'), 'utf8')) as GithubFile;
  const holds = (condition: string | undefined) => condition === undefined || isTrue(condition, values);
  const filled = (env: CiValues = {}) =>
    Object.fromEntries(Object.entries(env).map(([name, text]) => [name, expanded(text, values)]));
  return Object.entries(file.jobs)
    .filter(([, job]) => holds(job.if))
    .flatMap(([job, { steps }]) =>
      steps
        .filter(({ run, if: condition }) => run !== undefined && holds(condition))
        .map(({ name = '', run = '', env }) => ({
          name: `${job}: ${name}`,
          // A value inside a script is code: whoever names a branch could write it.
          script: run.includes('${{') ? refuse(`${name} has an expression in its script`) : run,
          env: { ...filled(file.env), ...filled(env) },
        })),
    );
}

function expanded(text: string, values: CiValues): string {
  return text.replaceAll(/\$\{\{\s*([\w.]+)\s*\}\}/g, (_, name: string) => valueOf(name, values));
}

const valueOf = (name: string, values: CiValues) => values[name] ?? refuse(`the test gives no ${name}`);

/** A condition is a comparison of a value with a text, or with another value. */
function isTrue(condition: string, values: CiValues): boolean {
  const [left = '', right = ''] = condition.split(' == ').map((side) => side.trim());
  const sideOf = (side: string) => (side.startsWith("'") ? side.slice(1, -1) : values[side]);
  return sideOf(left) !== undefined && sideOf(left) === sideOf(right);
}

interface GitlabJob {
  extends?: string;
  before_script?: string[];
  script?: string[];
  variables?: CiValues;
  rules?: { if: string }[];
}

/** Returns the jobs of the GitLab file that run on an occasion, in order. Each has the variables as its environment. */
export function gitlabJobs(variables: CiValues): CiStep[] {
  const file = parse(readFileSync(path.join(FOLDER, 'gitlab-ci.yml'), 'utf8')) as Record<string, GitlabJob>;
  return Object.entries(file)
    .filter(([name, { rules = [] }]) => !name.startsWith('.') && rules.some((rule) => allHold(rule.if)))
    .map(([name, job]) => {
      const base = job.extends === undefined ? {} : (file[job.extends] ?? {});
      const lines = [...(job.before_script ?? base.before_script ?? []), ...(job.script ?? [])];
      return { name, script: lines.join('\n'), env: { ...variables, ...filled(job.variables) } };
    });

  function filled(own: CiValues = {}): CiValues {
    return Object.fromEntries(Object.entries(own).map(([name, text]) => [name, sideOf(text)]));
  }
  function sideOf(side: string): string {
    return side.startsWith('$') ? (variables[side.slice(1)] ?? '') : side.replaceAll('"', '');
  }
  function allHold(condition: string): boolean {
    return condition.split(' && ').every((part) => {
      const [left = '', right] = part.split(' == ');
      return right === undefined ? sideOf(left) !== '' : sideOf(left) === sideOf(right);
    });
  }
}

function refuse(message: string): never {
  throw new Error(message);
}
