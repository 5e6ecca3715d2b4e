import { agent, guidOf } from '../support/stories.js';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { startHttpTarget, type HttpTarget } from '../support/http-target.js';
import { startSmtpServer, type SmtpTestServer } from '../support/smtp-server.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const ADMIN = { ADMIN_USER: 'operator', ADMIN_PASSWORD: 'correct horse' };

let target: HttpTarget;
let smtp: SmtpTestServer;
let fabula: TestFabula;

beforeEach(async () => {
  target = await startHttpTarget({
    rules: { 'POST /tickets': { status: 201, body: { id: 77, key: 'SEC-77' } } },
  });
  smtp = await startSmtpServer();
  fabula = await startFabula(stores, { env: { ...ADMIN, SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } });
});

afterEach(async () => {
  await fabula.close();
  await target.close();
  await smtp.close();
});

/** Webhook → two transformations → trigger → HTTP request → mail: five agent types at work. */
function incident() {
  return {
    schema_version: 3,
    name: 'Incident',
    description: 'Five agent types',
    guid: 'f'.repeat(32),
    exported_at: '2021-01-01T00:00:00Z',
    agents: [
      agent(
        'Agents::WebhookAgent',
        '1',
        { path: 'incident', secret: 's3cret', verbs: 'post' },
        { name: 'Receive Alert' },
      ),
      agent(
        'Agents::EventTransformationAgent',
        '2',
        { mode: 'explode', path: '{{ .receive_alert.body.users }}', to: 'user' },
        { name: 'Each User' },
      ),
      agent(
        'Agents::EventTransformationAgent',
        '3',
        {
          mode: 'message_only',
          payload: {
            title: 'Alert for {{ .each_user.user.name | upcase }}',
            first: '{{ .receive_alert.body.users.first.name }}',
            tags: '{{ .receive_alert.body.tags | as_object }}',
          },
        },
        { name: 'Build Ticket' },
      ),
      agent(
        'Agents::TriggerAgent',
        '4',
        { rules: [{ type: 'regex', value: 'engineer', path: '{{.each_user.user.job}}' }] },
        { name: 'Is Engineer' },
      ),
      agent(
        'Agents::HTTPRequestAgent',
        '5',
        {
          url: `${target.url}/tickets`,
          method: 'post',
          content_type: 'json',
          payload: { title: '{{ .build_ticket.title }}', tags: '{{ .build_ticket.tags | as_object }}' },
          headers: { 'X-Severity': '{{ .receive_alert.body.severity }}' },
        },
        { name: 'Open Ticket' },
      ),
      agent(
        'Agents::EmailAgent',
        '6',
        {
          recipients: ['soc@example.test'],
          subject: '{{ .open_ticket.body.key }}: {{ .build_ticket.title }}',
          body: 'Ticket <b>{{ .open_ticket.body.id }}</b>, status {{ .open_ticket.status }}',
        },
        { name: 'Tell Team' },
      ),
    ],
    diagram_notes: [],
    links: [0, 1, 2, 3, 4].map((source) => ({ source, receiver: source + 1 })),
    diagram_layout: JSON.stringify({ [guidOf('1')]: [0, 0] }),
    send_to_story_enabled: false,
    entry_agent_guid: null,
    exit_agent_guids: [],
    exit_agent_guid: null,
    send_to_stories: [],
  };
}

const ALERT = {
  severity: 'high',
  tags: ['edr', 'laptop'],
  users: [
    { name: 'Ada', job: 'engineer' },
    { name: 'Bob', job: 'student' },
  ],
};

describe('one webhook call through five agent types', () => {
  test('leads to the right HTTP request and the right mail', async () => {
    const story = await fabula.importStory(incident());
    const response = await fabula.fire(story.webhooks['Receive Alert']!, ALERT);
    expect(response.status).toBe(201);
    await fabula.settled();

    expect(target.requests).toHaveLength(1);
    const [request] = target.requests;
    expect(JSON.parse(request!.text)).toEqual({ title: 'Alert for ADA', tags: ['edr', 'laptop'] });
    expect(request!.headers['x-severity']).toBe('high');
    expect(request!.headers['idempotency-key']).toMatch(/^[0-9a-f]{8}-\w+-\d+-0$/);

    expect(smtp.mails).toHaveLength(1);
    const [mail] = smtp.mails;
    expect(mail!.to).toEqual(['soc@example.test']);
    expect(mail!.header('subject')).toBe('SEC-77: Alert for ADA');
    expect(mail!.raw).toContain('Ticket <b>77</b>, status 201');
    expect(await fabula.deadLetters()).toEqual([]);
  });

  test('stores each output once, with references to what led there', async () => {
    const story = await fabula.importStory(incident());
    const response = await fabula.fire(story.webhooks['Receive Alert']!, ALERT);
    await fabula.settled();
    const events = await fabula.events(response.headers.get('x-service-story-run')!);

    const agents = events.map((event) => event.agent).toSorted();
    expect(agents).toEqual([
      'Build Ticket',
      'Build Ticket',
      'Each User',
      'Each User',
      'Is Engineer',
      'Open Ticket',
      'Receive Alert',
      'Tell Team',
    ]);
    const of = (name: string) => events.find((event) => event.agent === name)!;
    expect(of('Receive Alert').payload).toMatchObject({
      body: ALERT,
      headers: { 'content-type': 'application/json' },
    });
    expect(of('Is Engineer').payload).toEqual({ rule_matched: true });
    expect(of('Open Ticket').payload).toMatchObject({ status: 201, body: { id: 77, key: 'SEC-77' } });
    expect(of('Tell Team').payload).toMatchObject({
      recipients: ['soc@example.test'],
      subject: 'SEC-77: Alert for ADA',
    });
    expect(of('Tell Team').lineage).toEqual({
      receive_alert: of('Receive Alert').id,
      each_user: expect.any(Number) as number,
      build_ticket: expect.any(Number) as number,
      is_engineer: of('Is Engineer').id,
      open_ticket: of('Open Ticket').id,
      tell_team: 0,
    });
  });

  test('shows its jobs as completed on Bull Board', async () => {
    const story = await fabula.importStory(incident());
    await fabula.fire(story.webhooks['Receive Alert']!, ALERT);
    await fabula.settled();
    const authorization = `Basic ${Buffer.from('operator:correct horse').toString('base64')}`;
    const completed = () =>
      eventually(async () => {
        const board = await fetch(`${fabula.adminUrl}/admin/queues/api/queues`, {
          headers: { authorization },
        });
        const { queues } = (await board.json()) as {
          queues: { name: string; counts: Record<string, number> }[];
        };
        const counts = Object.fromEntries(queues.map((queue) => [queue.name, queue.counts['completed']]));
        // A job completes after its outcome is committed: the last one, and those of other branches.
        const all = Object.values(counts).reduce((sum = 0, count = 0) => sum + count, 0);
        return all === 7 ? counts : undefined;
      });
    expect(await completed()).toMatchObject({
      'event-transformation': 3,
      trigger: 2,
      'http-request': 1,
      email: 1,
      'webhook-events': 0,
    });
  });
});

describe('a delivery that cannot be done', () => {
  test('is set aside with its reason, in the log of the action too, and the rest of the run goes on', async () => {
    const story = incident();
    story.agents[5]!['options'] = { recipients: [], subject: 'x', body: 'y' };
    const { webhooks } = await fabula.importStory(story);
    await fabula.fire(webhooks['Receive Alert']!, ALERT);
    await fabula.settled();
    const [letter] = await fabula.deadLetters();
    expect(letter).toMatchObject({ attempts: 1, error: expect.stringContaining('recipients') as string });
    expect(await fabula.logs()).toContainEqual({ agent: 'Tell Team', level: 4, message: letter!.error });
    expect(target.requests).toHaveLength(1);
  });

  test('of an action type that only can be stored names the type', async () => {
    const story = incident();
    story.agents[5] = agent('Agents::FormAgent', '6', {}, { name: 'Page' });
    const { webhooks } = await fabula.importStory(story);
    await fabula.fire(webhooks['Receive Alert']!, ALERT);
    await fabula.settled();
    expect(await fabula.deadLetters()).toMatchObject([
      { error: expect.stringContaining('Agents::FormAgent') as string },
    ]);
  });

  test('is tried again later when the mail server is busy, with the same Message-ID', async () => {
    smtp.beBusyFor(1);
    const { webhooks } = await fabula.importStory(incident());
    await fabula.fire(webhooks['Receive Alert']!, ALERT);
    await eventually(() => smtp.mails.length === 1, 15_000);
    await fabula.settled();
    expect(await fabula.logs()).toContainEqual(
      expect.objectContaining({
        agent: 'Tell Team',
        level: 3,
        message: expect.stringContaining('Attempt 1 failed') as string,
      }),
    );
    expect(await fabula.deadLetters()).toEqual([]);
  });
});

describe('what is disabled', () => {
  test('an agent gets no new deliveries, and the log says so', async () => {
    const story = incident();
    story.agents[4]!['disabled'] = true;
    const { webhooks } = await fabula.importStory(story);
    await fabula.fire(webhooks['Receive Alert']!, ALERT);
    await fabula.settled();
    expect(target.requests).toEqual([]);
    expect(await fabula.logs()).toContainEqual({
      agent: 'Is Engineer',
      level: 2,
      message: 'Not sent to "Open Ticket": it is disabled',
    });
  });
});
