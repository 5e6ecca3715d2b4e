import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createDatabase } from '../../src/platform/mysql/database.js';
import { promptSecretOf } from '../../src/engine/prompts/own-prompt-links.js';
import { createPromptClicks } from '../../src/engine/prompts/prompt-clicks.js';
import { createPromptFinder } from '../../src/engine/prompts/prompt-finder.js';
import type { Prompt } from '../../src/engine/state/deliveries/prompt-store.js';
import { createServer } from '../../src/platform/http/server/create-server.js';
import type { JsonObject } from '../../src/platform/json.js';
import { createPromptRouter } from '../../src/web/prompts/prompt-router.js';
import { QUEUES } from '../../src/engine/dispatch/jobs.js';
import { Cancellation } from '../../src/engine/execute/cancellation.js';
import { eventually } from '../support/eventually.js';
import type { FabulaHereOptions } from '../support/fabula-here.js';
import { type SmtpTestServer, startSmtpServer } from '../support/smtp-server.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { shareFabulaHere } from '../support/use-fabula-here.js';

const stores = useStores();
/** Most of these tests are of what a click does, whatever was asked before. */
const AT_ONCE = { PROMPT_CONFIRM: 'false' };
const CONFIRM = { PROMPT_CONFIRM: 'true' };
const fabula = shareFabulaHere(stores);
let smtp: SmtpTestServer;

beforeAll(async () => {
  smtp = await startSmtpServer();
  stores.onClose(() => smtp.close());
});
beforeEach(() => smtp.clear());

const start = (options: FabulaHereOptions = {}) =>
  fabula.runWith({ ...options, env: { SMTP_URL: smtp.url, ...AT_ONCE, ...options.env } });

const mail = (body: string, more: JsonObject = {}): ShortAgent => [
  'Email',
  { recipients: ['a@example.com'], subject: 'A question', body, ...more },
];
const responseIs = (status: string): ShortAgent => [
  'Trigger',
  { rules: [{ type: 'field==value', path: '<<ask.prompt.status>>', value: status }] },
];

/** A webhook that has a mail sent with two prompts, and a trigger for each answer. */
const YES_OR_NO = storyOf(
  {
    Hook: ['Webhook', {}],
    Ask: mail('<a href="<<PROMPT("Yes")>>">Yes</a> or <a href="<<PROMPT("No")>>">No</a>'),
    Yes: responseIs('Yes'),
    No: responseIs('No'),
  },
  ['Hook > Ask > Yes', 'Ask > No'],
);

/** The paths of the links in the mails so far, in their order. */
const linksIn = (raw: string) =>
  [...raw.replaceAll('=\r\n', '').matchAll(/\/prompts\/[0-9a-f]{32}/g)].map(([link]) => link);

/** Imports the story, fires its webhook, and gives the links that were sent, each once. */
async function ask(story: JsonObject): Promise<string[]> {
  const { webhooks } = await fabula.importStory(story);
  await fabula.fire(webhooks['Hook']!, { n: 1 });
  await fabula.settled();
  return [...new Set(smtp.mails.flatMap(({ raw }) => linksIn(raw)))];
}

const click = (link: string, init: RequestInit = {}) => fetch(`${fabula.url}${link}`, init);
const eventsOf = async (agent: string) => (await fabula.events()).filter((event) => event.agent === agent);

describe('a prompt', () => {
  beforeEach(() => start());

  it('sends the event of its action again with the answer, in the same run', async () => {
    const [yes] = await ask(YES_OR_NO);
    expect(await eventsOf('Yes')).toEqual([]);

    const response = await click(yes!);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain('<strong>Yes</strong>');
    await fabula.settled();

    const [first, again, ...more] = await eventsOf('Ask');
    expect(more).toEqual([]);
    expect(again!.payload).toEqual({ ...(first!.payload as JsonObject), prompt: { status: 'Yes' } });
    expect(again!.lineage).toEqual(first!.lineage);
    expect((await eventsOf('Yes')).map(({ payload }) => payload)).toEqual([{ rule_matched: true }]);
    expect(await eventsOf('No')).toEqual([]);
    const runs = await stores.db.read((session) =>
      session.rows('SELECT DISTINCT story_run_guid FROM events'),
    );
    expect(runs).toHaveLength(1);
    expect((await fabula.logs()).map(({ agent, message }) => [agent, message])).toContainEqual([
      'Ask',
      'The prompt "Yes" was used',
    ]);
  });

  it('works in Liquid too', async () => {
    const liquid = storyOf(
      {
        Hook: ['Webhook', {}],
        Ask: mail('<a href="{% prompt hunt %}">Hunt</a> <a href="{%prompt hunt%}">Hunt</a>'),
        Hunt: [
          'Trigger',
          { rules: [{ type: 'field==value', path: '{{.ask.prompt.status}}', value: 'hunt' }] },
        ],
      },
      ['Hook > Ask > Hunt'],
      { schema_version: 3, standard_lib_version: null },
    );
    const links = await ask(liquid);
    expect(links).toHaveLength(1);
    expect((await click(links[0]!, { method: 'POST' })).status).toBe(200);
    await fabula.settled();
    expect(await eventsOf('Hunt')).toHaveLength(1);
  });

  it('works once; the other answers stay open', async () => {
    const [yes, no] = await ask(YES_OR_NO);
    expect([(await click(yes!)).status, (await click(yes!)).status]).toEqual([200, 409]);
    expect((await click(no!)).status).toBe(200);
    await fabula.settled();
    expect(await eventsOf('Ask')).toHaveLength(3);
  });

  it('works once however many click at once', async () => {
    const [yes] = await ask(YES_OR_NO);
    const responses = await Promise.all(Array.from({ length: 8 }, () => click(yes!)));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(7).fill(409),
    ]);
    await fabula.settled();
    expect(await eventsOf('Yes')).toHaveLength(1);
  });

  it('is not used by looking at it', async () => {
    const [yes] = await ask(YES_OR_NO);
    for (const method of ['HEAD', 'OPTIONS']) {
      const response = await click(yes!, { method });
      expect([method, response.status, response.headers.get('allow')]).toEqual([
        method,
        204,
        'GET, HEAD, OPTIONS, POST',
      ]);
    }
    expect((await click(yes!, { method: 'PUT' })).status).toBe(405);
    const ahead = await click(yes!, { headers: { 'sec-purpose': 'prefetch;prerender' } });
    expect([ahead.status, await ahead.text()]).toEqual([
      200,
      expect.stringContaining('<form method="post">'),
    ]);
    await fabula.settled();
    expect(await eventsOf('Ask')).toHaveLength(1);
    expect((await click(yes!)).status).toBe(200);
  });

  it('is over after its time', async () => {
    const [yes] = await ask(YES_OR_NO);
    const [row] = await stores.db.read((session) =>
      session.rows<{ days: number }>(
        'SELECT TIMESTAMPDIFF(DAY, created_at, expires_at) AS days FROM prompts',
      ),
    );
    expect(row?.days).toBe(7);
    await stores.sql('UPDATE prompts SET expires_at = NOW(3) - INTERVAL 1 SECOND');
    expect((await click(yes!)).status).toBe(410);
    expect(await eventsOf('Ask')).toHaveLength(1);
  });

  it('rests while its story is disabled', async () => {
    const [yes] = await ask(YES_OR_NO);
    const [story] = await stores.db.read((session) => session.rows<{ id: number }>('SELECT id FROM stories'));
    const disable = (disabled: boolean) => fabula.api('PUT', `/api/v1/stories/${story!.id}`, { disabled });
    expect((await disable(true)).status).toBe(200);
    await eventually(async () => (await click(yes!, { headers: { purpose: 'preview' } })).status === 409);
    expect((await click(yes!)).status).toBe(409);
    expect((await disable(false)).status).toBe(200);
    await eventually(async () => (await click(yes!)).status === 200);
  });

  it('is gone with its run, its event or its action', async () => {
    const [yes] = await ask(YES_OR_NO);
    await stores.sql('UPDATE story_runs SET cancelled_at = NOW(3)');
    expect((await click(yes!)).status).toBe(410);
    await stores.sql('UPDATE story_runs SET cancelled_at = NULL');
    await stores.sql('UPDATE prompts SET agent_id = agent_id + 1000');
    expect((await click(yes!)).status).toBe(410);
    await stores.sql('UPDATE prompts SET agent_id = agent_id - 1000, event_id = event_id + 1000');
    expect((await click(yes!)).status).toBe(410);
    expect(await eventsOf('Ask')).toHaveLength(1);
  });

  it('that is unknown is not found', async () => {
    expect((await click(`/prompts/${'0'.repeat(32)}`)).status).toBe(404);
    expect((await click('/prompts/1')).status).toBe(404);
    expect((await click('/prompts')).status).toBe(404);
  });

  it('of an event that is no object gives the answer alone', async () => {
    const links = await ask(
      storyOf(
        {
          Hook: ['Webhook', {}],
          Ask: mail('<<LOOP.value>>: <<PROMPT("ok")>>', { loop: '=["a", "b"]' }),
          After: responseIs('ok'),
        },
        ['Hook > Ask > After'],
      ),
    );
    expect(smtp.mails).toHaveLength(2);
    expect(links).toHaveLength(1);
    expect((await click(links[0]!)).status).toBe(200);
    await fabula.settled();
    const [first, again] = await eventsOf('Ask');
    expect(first!.payload).toHaveLength(2);
    expect(again!.payload).toEqual({ prompt: { status: 'ok' } });
    expect(await eventsOf('After')).toHaveLength(1);
  });

  it('shows an answer as text, whatever is in it', async () => {
    const [link] = await ask(
      storyOf({ Hook: ['Webhook', {}], Ask: mail('<<PROMPT("<b>&")>>') }, ['Hook > Ask']),
    );
    expect(await (await click(link!)).text()).toContain('<strong>&lt;b&gt;&amp;</strong>');
  });

  it('in a story that another one called reaches the caller, also after the call is over', async () => {
    await fabula.importStory(
      storyOf({ Entry: ['Webhook', {}], Ask: mail('<<PROMPT("ok")>>') }, ['Entry > Ask'], {
        name: 'Called',
        send_to_story_enabled: true,
        entry_agent_guid: 'Entry',
        exit_agent_guids: ['Ask'],
      }),
    );
    const [link] = await ask(
      storyOf(
        {
          Hook: ['Webhook', {}],
          Call: ['SendToStory', { story: 'Called', payload: {} }],
          After: [
            'EventTransformation',
            { mode: 'message_only', payload: { answer: '=call.prompt.status' } },
          ],
        },
        ['Hook > Call > After'],
      ),
    );
    expect((await click(link!)).status).toBe(200);
    await fabula.settled();
    expect((await eventsOf('After')).map(({ payload }) => payload)).toEqual([
      { answer: null },
      { answer: 'ok' },
    ]);
  });
});

/** Runs an action that makes a prompt; returns its error. */
async function errorOf(agent: ShortAgent): Promise<string | undefined> {
  await ask(storyOf({ Hook: ['Webhook', {}], Ask: agent }, ['Hook > Ask']));
  return (await fabula.deadLetters())[0]?.error;
}

describe('prompts that cannot be', () => {
  beforeEach(() => start());

  it('have no name', async () => {
    expect(await errorOf(mail('<<PROMPT("")>>'))).toMatch(/A prompt must have a name/);
  });

  it('have too long a name', async () => {
    expect(await errorOf(mail(`<<PROMPT("${'x'.repeat(256)}")>>`))).toMatch(/at most 255 characters/);
  });

  it('are too many', async () => {
    expect(await errorOf(mail('<<JOIN(MAP_LAMBDA(RANGE(1, 1001), LAMBDA(n, PROMPT(n))), " ")>>'))).toMatch(
      /at most 1000 different prompts/,
    );
  });

  it('belong to an action whose event another makes', async () => {
    const error = await errorOf(['SendToStory', { story: 'x', payload: { link: '<<PROMPT("ok")>>' } }]);
    expect(error).toMatch(/cannot create prompts/);
  });

  it('belong to an action that puts out nothing: its log says so', async () => {
    await ask(
      storyOf(
        {
          Hook: ['Webhook', {}],
          Ask: ['Trigger', { rules: [{ type: 'field==value', path: '<<PROMPT("ok")>>', value: '1' }] }],
        },
        ['Hook > Ask'],
      ),
    );
    expect(await fabula.logs()).toMatchObject([
      { agent: 'Ask', message: expect.stringMatching(/prompt links do not work/) as string },
    ]);
  });
});

describe('a prompt that asks first', () => {
  it('is used by the button alone', async () => {
    await start({ env: CONFIRM });
    const [yes] = await ask(YES_OR_NO);
    for (let times = 0; times < 2; times += 1) {
      const page = await click(yes!);
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining('<form method="post"><button type="submit">Yes</button></form>'),
      ]);
      expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
    }
    const body = new URLSearchParams({ any: 'thing' });
    expect((await click(yes!, { method: 'POST', body })).status).toBe(200);
    expect((await click(yes!)).status).toBe(409);
    await fabula.settled();
    expect(await eventsOf('Yes')).toHaveLength(1);
  });
});

/** Fires a story whose mails no worker sends, and gives the function that runs the mail's job. */
async function heldMail(): Promise<() => Promise<unknown>> {
  const { webhooks } = await fabula.importStory(YES_OR_NO);
  await fabula.fire(webhooks['Hook']!);
  const [row] = await stores.db.read((session) =>
    session.rows<{ id: number }>("SELECT id FROM deliveries WHERE queue = 'email'"),
  );
  const job = { deliveryId: row!.id, generation: 0 };
  return () => fabula.workers.runDelivery(job, new Cancellation());
}

describe('a message that is sent before its prompts are stored', () => {
  beforeEach(() => start({ queues: QUEUES.filter((queue) => queue !== 'email'), relay: false }));

  it('is answered as soon as they are', async () => {
    const send = await heldMail();
    const { sending, answering } = await stores.db.transaction(async (session) => {
      await session.rows('SELECT id FROM deliveries FOR UPDATE');
      const outcome = send();
      const { raw } = await eventually(() => smtp.mails[0]);
      return { sending: outcome, answering: click(linksIn(raw)[0]!) };
    });
    expect((await answering).status).toBe(200);
    await sending;
  });

  it('has the same links when it is sent again', async () => {
    const send = await heldMail();
    await Promise.all([send(), send()]);
    await fabula.settled();
    const [first, second] = smtp.mails.map(({ raw }) => linksIn(raw));
    expect(second).toEqual(first);
    expect((await click(first![0]!)).status).toBe(200);
    await fabula.settled();
    expect(await eventsOf('Ask')).toHaveLength(2);
  });
});

test('a look-up gives a prompt a moment to come, and not for ever', async () => {
  const prompt = { id: 'p' } as Prompt;
  let looks = 0;
  const third = createPromptFinder(async () => (++looks < 3 ? undefined : prompt));
  expect([await third('p'), looks]).toEqual([prompt, 3]);
  const never = createPromptFinder(async () => undefined);
  expect(await never('p')).toBeUndefined();
});

/** Clicks over a database at another address. */
function clicksOver(url: string) {
  const database = createDatabase({ url, poolSize: 2, logger: stores.logger });
  stores.onClose(() => database.close());
  const { core } = fabula.web;
  const clicks = createPromptClicks({
    database,
    secret: promptSecretOf(stores.db),
    graphs: core.graphs,
    dispatcher: { dispatch: () => undefined },
    newGuid: () => core.newRunGuid(),
    onAwaitedProgress: () => undefined,
  });
  return { clicks, database };
}

const idOf = (link: string) => link.slice('/prompts/'.length);

describe('faults of the database', () => {
  beforeEach(() => start());

  it('a lost answer to COMMIT is no lost click, and no second one', async () => {
    const [yes] = await ask(YES_OR_NO);
    const proxy = await startTcpProxy(stores.databaseUrl);
    stores.onClose(() => proxy.close());
    const { clicks, database } = clicksOver(proxy.url);
    await database.facts();
    proxy.swallowCommits(1);
    expect(await clicks.click(idOf(yes!))).toEqual({ state: 'done', status: 'Yes' });
    expect(proxy.swallowed()).toBe(1);
    // Its jobs are the relay's.
    await stores.sql('UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND');
    await fabula.settled();
    expect(await eventsOf('Yes')).toHaveLength(1);
    expect(await clicks.click(idOf(yes!))).toEqual({ state: 'used', status: 'Yes' });
  });

  it('without a database the answer is 503, and the link stays open', async () => {
    const [yes] = await ask(YES_OR_NO);
    const { clicks } = clicksOver('mysql://root@127.0.0.1:9/none');
    const { logger } = stores;
    const app = express().use(
      '/prompts',
      createPromptRouter({ clicks, config: { promptConfirm: false }, logger }),
    );
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${yes}`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    server.close();
    expect((await click(yes!)).status).toBe(200);
  });
});
