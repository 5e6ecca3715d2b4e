import { type Account, buildAccount } from '../support/builders.js';
import { clientOf } from '../support/fabula-client.js';
import { type ProbedWeb, startProbedWeb } from '../support/probed-web.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
let web: ProbedWeb;
beforeAll(async () => {
  web = await startProbedWeb(stores, { RATE_LIMIT_PER_MINUTE: '0' });
});

/** A pattern that takes long to compile, and that no other rule has. */
const patternOf = (tenant: number, index: number) => `(?:${tenant}x${index}[a-z]{1,40}){60}`;

async function tenantOf() {
  const owner = await buildAccount(stores.db, { owner: true });
  const hook: ShortAgent = ['Webhook', { path: `many-${owner.team.id}`, secret: 'sesame', verbs: 'post' }];
  const story = await clientOf({ url: web.url, account: owner, stores }).importStory(
    storyOf({ Hook: hook }, []),
  );
  return {
    owner,
    storyId: story.id,
    webhook: `${web.url}/webhook/${String(Object.values(story.webhooks)[0])}`,
  };
}

async function post(url: string, body: unknown, account?: Account): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(account && { 'x-user-token': account.key }) },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}

const large = { rows: Array.from({ length: 40_000 }, (_, index) => ({ id: index, name: 'abc' })) };

describe.each([2, 5])('while %i tenants send their worst trials without a pause', (count) => {
  it('S4: webhooks with large bodies and previews of another one are answered', async () => {
    const attackers = await Promise.all(Array.from({ length: count }, tenantOf));
    const other = await tenantOf();
    const stopping = new AbortController();
    let refused = 0;
    const attack = async ({ owner, storyId }: Awaited<ReturnType<typeof tenantOf>>, rules: number) => {
      for (let index = 0; !stopping.signal.aborted; index += 1) {
        const responses = Array.from({ length: rules }, (_, at) => ({
          url: { regex: patternOf(owner.team.id, 1_000 * index + at) },
        }));
        const status = await post(
          `${web.url}/api/v1/trials`,
          { story_id: storyId, event: {}, responses },
          owner,
        );
        if (status === 422) refused += 1;
      }
    };
    const attacks = attackers.flatMap((tenant) => [200, 200, 3_000].map((rules) => attack(tenant, rules)));
    try {
      for (let times = 0; times < 2; times += 1) {
        expect(await post(other.webhook, large)).toBe(201);
        const preview = {
          template: '<<1+1>>',
          team_id: other.owner.team.id,
          event: { a: { b: 'x'.repeat(100_000) } },
        };
        expect(await post(`${web.url}/api/v1/templates/render`, preview, other.owner)).toBe(200);
      }
    } finally {
      stopping.abort();
      await Promise.all(attacks);
    }
    // Three thousand rules are too many.
    expect(refused).toBeGreaterThan(0);
  });
});
