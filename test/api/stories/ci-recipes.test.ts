import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  type CiOccasion,
  type CiStep,
  type CiValues,
  githubSteps,
  gitlabJobs,
} from '../../support/ci-recipes.js';
import { builtFile } from '../../support/processes.js';
import { call } from '../../support/run-api.js';
import { useFabula } from '../../support/use-fabula.js';
import { useStores } from '../../support/stores.js';

const run = promisify(execFile);
const GALLERY = path.resolve(__dirname, '../../../assets/gallery');

const stores = useStores();
const fabula = useFabula(stores, { queues: [] });
/** The folder of a test; `work` in it is the clone. */
let folder = '';
const work = () => path.join(folder, 'work');
const story = () => path.join(work(), 'stories/leaver.json');

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'fabula-ci-'));
  for (const made of ['work/stories', 'bin', 'runner'])
    mkdirSync(path.join(folder, made), { recursive: true });
  for (const slug of ['leaver', 'leaked-key'])
    copyFileSync(path.join(GALLERY, slug, 'story.json'), path.join(work(), `stories/${slug}.json`));
  provideCommands();
  await git('init', '--quiet', '--initial-branch=main');
  await commit('Stories of the team');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('stories as software: CI recipes', () => {
  const recipes: [string, (occasion: CiOccasion) => Promise<CiStep[]>][] = [
    ['the GitHub Action', async (occasion) => githubSteps(occasion, await githubValues())],
    ['the GitLab jobs', async (occasion) => gitlabJobs(await gitlabValues(occasion))],
  ];

  describe.each(recipes)('%s', (_name, stepsFor) => {
    test('compares a proposal, and pushes it after the merge', async () => {
      expect(failedIn(await runAll(await stepsFor('main')))).toEqual([]);
      expect(await mailOnServer()).toContain('<p>Taken away: ');

      await propose('<p>Taken away: ', '<p>Rights taken away: ');
      const proposed = await runAll(await stepsFor('proposal'));
      expect(failedIn(proposed)).toEqual([]);
      expect(commentText()).toMatch(/Tell the manager[\s\S]*Rights taken away/);
      expect(await mailOnServer()).toContain('<p>Taken away: ');

      await cleanClone();
      await git('checkout', '--quiet', 'main');
      await git('merge', '--quiet', 'proposal');
      expect(failedIn(await runAll(await stepsFor('main')))).toEqual([]);
      expect(await mailOnServer()).toContain('<p>Rights taken away: ');
    });

    test('stops a change that breaks a test, and reports it', async () => {
      await propose('T17:00:00Z', 'T18:00:00Z');
      const failed = failedIn(await runAll(await stepsFor('proposal')));
      expect(failed).toHaveLength(1);
      expect(readFileSync(path.join(work(), 'report.xml'), 'utf8')).toMatch(/<failure[\s\S]*17:00:00/);
    });

    test('stops a story that could not be imported', async () => {
      await propose('"receiver": 1\\b', '"receiver": 99');
      const [check] = failedIn(await runAll(await stepsFor('proposal')));
      expect(check?.output).toContain('receiver');
    });
  });

  test('a proposal of a stranger sees no key, and is compared all the same', async () => {
    await propose('<p>Taken away: ', '<p>Rights taken away: ');
    const steps = githubSteps('fork', await githubValues());
    expect(steps.flatMap(({ env }) => Object.keys(env)).filter((name) => /KEY|TOKEN/.test(name))).toEqual([]);
    expect(failedIn(await runAll(steps))).toEqual([]);
    expect(readFileSync(path.join(folder, 'runner/summary'), 'utf8')).toContain('Rights taken away');
  });
});

/** Makes commands that stand in for those of a CI server; `fabula` is made by the recipes themselves. */
function provideCommands(): void {
  const node = process.execPath;
  const cli = builtFile('cli');
  // Like Docker, it passes on only the variables that are named.
  command(
    'docker',
    `kept=""; while [ "$1" != node ]; do if [ "$1" = -e ]; then kept="$kept $2=$(printenv "$2")"; fi; shift; done
     shift 2; exec env -i $kept PATH="$PATH" DATA_DIR="${folder}/data" "${node}" "${cli}" "$@"`,
  );
  command(
    'node',
    `[ "$1" = /app/dist/cli.js ] || exit 9; shift; DATA_DIR="${folder}/data" exec "${node}" "${cli}" "$@"`,
  );
  command('gh', `for each; do last=$each; done; cp "$last" "${folder}/comment"`);
  command('curl', `cp comment.md "${folder}/comment"`);
}

function command(name: string, text: string): void {
  const file = path.join(folder, 'bin', name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}

const git = (...args: string[]) => run('git', ['-C', work(), ...args]);

async function commit(subject: string): Promise<void> {
  await git('add', '--all');
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  await git(...author, '-c', 'commit.gpgsign=false', 'commit', '--quiet', '--message', subject);
}

/** Leaves what a fresh clone has: that of a CI server is gone after its steps, with all that they wrote. */
async function cleanClone(): Promise<void> {
  await git('checkout', '--quiet', '.');
  await git('clean', '--quiet', '-dfx');
}

/** Changes the story of the leaver on a branch. */
async function propose(search: string, replacement: string): Promise<void> {
  await cleanClone();
  await git('checkout', '--quiet', '-b', 'proposal');
  const text = readFileSync(story(), 'utf8');
  writeFileSync(story(), text.replace(new RegExp(search), replacement));
  expect(readFileSync(story(), 'utf8')).not.toBe(text);
  await commit('Change the leaver');
}

interface Ran {
  name: string;
  code: number;
  output: string;
}

/** Runs the steps one after the other, up to the first that fails. */
async function runAll(steps: CiStep[]): Promise<Ran[]> {
  const ran: Ran[] = [];
  for (const step of steps) {
    ran.push(await runStep(step));
    if (ran.at(-1)?.code !== 0) break;
  }
  return ran;
}

const failedIn = (ran: Ran[]) => ran.filter(({ code }) => code !== 0);

async function runStep({ name, script, env }: CiStep): Promise<Ran> {
  const paths = path.join(folder, 'runner/path');
  const added = existsSync(paths) ? readFileSync(paths, 'utf8').trim().split('\n').toReversed() : [];
  const given = {
    PATH: [...added, path.join(folder, 'bin'), process.env['PATH']].join(':'),
    HOME: folder,
    TMPDIR: folder,
    CI: 'true',
    RUNNER_TEMP: path.join(folder, 'runner'),
    GITHUB_PATH: paths,
    GITHUB_STEP_SUMMARY: path.join(folder, 'runner/summary'),
    GITHUB_SHA: 'c0ffee',
    ...env,
  };
  try {
    const { stdout, stderr } = await run('bash', ['-e', '-c', script], {
      cwd: work(),
      env: given,
      timeout: 60_000,
    });
    return { name, code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { name, code, output: stdout + stderr };
  }
}

const commentText = () => readFileSync(path.join(folder, 'comment'), 'utf8');

async function keyOf(role: string): Promise<string> {
  const asked = { name: `CI ${role}`, kind: 'team', team_id: fabula.account.team.id, role };
  const { body } = await call(fabula, 'POST /api/v1/api_keys', { body: asked });
  return body.key;
}

async function githubValues(): Promise<CiValues> {
  const base = await git('rev-parse', 'main');
  return {
    'vars.FABULA_IMAGE': 'fabula',
    'vars.FABULA_URL': fabula.url,
    'secrets.FABULA_READ_KEY': await keyOf('VIEWER'),
    'secrets.FABULA_KEY': await keyOf('EDITOR'),
    'github.token': 'token',
    'github.event.pull_request.number': '7',
    'github.event.pull_request.base.sha': base.stdout.trim(),
  };
}

async function gitlabValues(occasion: CiOccasion): Promise<CiValues> {
  const proposal = {
    CI_PIPELINE_SOURCE: 'merge_request_event',
    CI_MERGE_REQUEST_IID: '7',
    FABULA_COMMENT_TOKEN: 'token',
  };
  const main = {
    CI_PIPELINE_SOURCE: 'push',
    CI_COMMIT_BRANCH: 'main',
    FABULA_KEY: await keyOf('EDITOR'),
  };
  return {
    FABULA_URL: fabula.url,
    FABULA_READ_KEY: await keyOf('VIEWER'),
    CI_DEFAULT_BRANCH: 'main',
    CI_COMMIT_SHA: 'c0ffee',
    CI_API_V4_URL: 'https://gitlab.example.com/api/v4',
    CI_PROJECT_ID: '1',
    ...(occasion === 'main' ? main : proposal),
  };
}

/** The text of the mail to the manager on the server. */
async function mailOnServer(): Promise<string> {
  const { body } = await call(fabula, 'GET /api/v1/stories?search=Leaver');
  const { body: exported } = await call(fabula, `GET /api/v1/stories/${body.stories[0].id}/export`);
  return exported.agents.find(({ name }: { name: string }) => name === 'Tell the manager').options.body;
}
