import { type Account, buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { hasGit, makeGitRepository, startGitHttpHost } from '../support/git-host.js';
import { startProcess } from '../support/processes.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const STORIES = Number(process.env.SYNCED_STORIES ?? 120);
const stores = useStores();

interface Answer {
  error: string | null;
  left: number;
  changes: { direction: string; state: string; place: string }[];
}

async function start() {
  const started = startProcess(
    'web',
    fabulaEnvironment(stores, { LOG_LEVEL: 'info', GIT_SYNC_MINUTES: '0' }),
  );
  stores.onClose(() => started.stop('SIGKILL'));
  await started.said('web is listening');
  const port = /"port":(\d+)/.exec(started.output())?.[1];
  const ask = async <Body = Answer>(account: Account, request: string, body?: unknown): Promise<Body> => {
    const [method = '', path = ''] = request.split(' ');
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: { 'x-user-token': account.key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect([200, 201]).toContain(response.status);
    return (await response.json()) as Body;
  };
  const sync = (account: Account) => ask(account, `POST /teams/${account.team.id}/repository/sync`, {});
  return { ask, sync, kill: () => started.stop('SIGKILL') };
}

const count = async (sql: string, values: number[] = []): Promise<number> => {
  const [row] = await stores.db.read((session) => session.rows<{ n: number }>(sql, values));
  return row?.n ?? 0;
};
const storiesOf = ({ team }: Account) =>
  count('SELECT COUNT(*) AS n FROM stories WHERE team_id = ?', [team.id]);
/** As if the lease of a killed process had ended. */
const freeLease = () => stores.sql('UPDATE team_repositories SET lease_until = NOW(3) - INTERVAL 1 SECOND');

// Skipped where the program git is not installed.
(hasGit ? describe : describe.skip)('stories as software: a sync whose process is killed', () => {
  it('loses no story and doubles none: as it pushes, as another tenant pulls, and after a force-push', async () => {
    const repository = makeGitRepository();
    let pushes = 0;
    const host = await startGitHttpHost(repository.folder, {
      before: ({ method, url }) => {
        if (method === 'POST' && url?.endsWith('git-receive-pack') === true) pushes += 1;
      },
    });
    stores.onClose(async () => {
      await host.close();
      repository.remove();
    });
    const [one, two] = [
      await buildAccount(stores.db, { role: 'TEAM_ADMIN' }),
      await buildAccount(stores.db, { role: 'TEAM_ADMIN' }),
    ];
    const first = await start();
    for (let n = 1; n <= STORIES; n += 1)
      await first.ask(one, 'POST /stories/import', {
        new_name: `Story ${n}`,
        team_id: one.team.id,
        data: storyOf({ Mark: ['EventTransformation', { mode: 'message_only', payload: { n } }] }, []),
      });
    for (const { team } of [one, two])
      await first.ask(team === one.team ? one : two, `PUT /teams/${team.id}/repository`, { url: host.url });

    // The second part is on its way when the process dies. Git itself may still end it.
    const broken = first.sync(one).catch(() => undefined);
    await eventually(() => pushes >= 2, 60_000);
    await first.kill();
    await broken;
    await freeLease();
    const second = await start();
    expect(await second.sync(one)).toMatchObject({ error: null, left: 0 });
    expect(repository.files()).toHaveLength(STORIES);
    expect(repository.log('%s')).toHaveLength(STORIES);
    expect(await storiesOf(one)).toBe(STORIES);

    const pulling = second.sync(two).catch(() => undefined);
    await eventually(async () => (await storiesOf(two)) >= STORIES / 4, 60_000);
    await second.kill();
    await pulling;
    expect(await storiesOf(two)).toBeLessThan(STORIES);
    await freeLease();
    const third = await start();
    expect(await third.sync(two)).toMatchObject({ error: null, left: 0 });
    expect(await storiesOf(two)).toBe(STORIES);
    for (const account of [one, two]) expect((await third.sync(account)).changes).toEqual([]);
    expect(repository.log('%s')).toHaveLength(STORIES);

    // Somebody takes back half of the commits, and adds rubbish.
    repository.update();
    const kept = Math.ceil(STORIES / 2);
    repository.git(['reset', '--quiet', '--hard', `HEAD~${STORIES - kept}`]);
    repository.git(['push', '--quiet', '--force', 'origin', 'HEAD:main']);
    repository.commit({ 'rubbish.yaml': 'agents: [\u0000', 'binary.json': '\u0001\u0002' });
    const { error, changes } = await third.sync(one);
    expect(error).toBeNull();
    const told = (state: string) => changes.filter((each) => each.state === state);
    expect(told('held')).toHaveLength(STORIES - kept);
    expect(
      told('conflict')
        .map(({ place }) => place)
        .toSorted(),
    ).toEqual(['binary', 'rubbish']);
    expect(await storiesOf(one)).toBe(STORIES);
    await third.kill();
  }, 600_000);
});
