import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import type {
  Action,
  ActiveStory,
  RunDetails,
  StoryTest,
  StoryTestCoverage,
  StoryTestResult,
} from '../../../clients/typescript/api.js';
import { keys } from '../../../src/console/api/keys.js';
import { KeepTestButton } from '../../../src/console/pages/run/keep-test-button.js';
import { ActionPanel } from '../../../src/console/pages/story/panel/action-panel.js';
import { TestsTab } from '../../../src/console/pages/story/tabs/tests-tab.js';
import { TestsSummary } from '../../../src/console/pages/story/tests/results/tests-summary.js';
import { Toasts } from '../../../src/console/ui/overlay/toasts.js';

// A page that Node makes up has no selection as CodeMirror needs it: the plain fields stay, which work the same.
jest.mock('../../../src/console/inspector/text-field/text-mirror.js', () => {
  throw new Error('left out');
});

const STORY = {
  id: 7,
  team_id: 3,
  name: 'Alerts',
  locked: false,
  change_control_enabled: false,
  edited_at: '2026-11-30T10:00:00Z',
} as ActiveStory;
const action = (id: number, name: string, type = 'EventTransformationAgent') =>
  ({
    id,
    name,
    guid: `guid-${id}`,
    type: `Agents::${type}`,
    team_id: 3,
    options: {},
    sources: [],
    receivers: [],
    links_to_receivers: [],
  }) as unknown as Action;
const ACTIONS = [
  action(1, 'Hook', 'WebhookAgent'),
  action(2, 'Is it high?', 'TriggerAgent'),
  action(3, 'Grade'),
];
const GRADES: StoryTest = {
  name: 'Grades a host',
  event: { body: { host: 'web-1' } },
  expect: { events: { Grade: [{ text: 'Risk 7' }] } },
};
const LOW: StoryTest = { name: 'Leaves low ones', event: {}, expect: {} };
const passed = (name: string): StoryTestResult => ({
  name,
  ok: true,
  took_ms: 4,
  differences: [],
  problems: [],
});
const FAILED: StoryTestResult = {
  name: GRADES.name,
  ok: false,
  took_ms: 5,
  differences: [
    {
      kind: 'events',
      action: 'Grade',
      index: 0,
      path: 'text',
      expected: 'Risk 7',
      found: 'Level 7',
      instead: 'Level 7',
      cause: null,
      text: 'Grade, event 1, text: expected "Risk 7", found "Level 7"',
    },
  ],
  problems: [],
};
const named = (id: number) => ({ name: ACTIONS[id - 1]!.name, guid: `guid-${id}` });
const COVERAGE: StoryTestCoverage = {
  actions: [1, 2, 3].map((id) => ({ ...named(id), covered: true })),
  links: [],
  rules: [{ action: named(2), rule: 1, holds: true, fails: false }],
  covered: 4,
  all: 5,
};

interface Sent {
  line: string;
  body: Record<string, unknown>;
}

/** A server that keeps the tests of one story; `resultOf` says how a test ends. */
function serve({
  tests = [GRADES, LOW],
  resultOf = ({ name }: StoryTest) => passed(name),
}: {
  tests?: StoryTest[];
  resultOf?: (test: StoryTest) => StoryTestResult;
} = {}) {
  const sent: Sent[] = [];
  let kept = tests;
  const answer = (line: string, query: URLSearchParams, body: Record<string, unknown>): unknown => {
    const all = (body['tests'] ?? kept) as StoryTest[];
    const wanted = body['names'] as string[] | undefined;
    switch (line) {
      case 'GET /api/v1/stories/7':
        return STORY;
      case 'GET /api/v1/stories/7/tests':
        return { tests: kept };
      case 'PUT /api/v1/stories/7/tests': {
        const others = kept.filter(({ name }) => name !== body['replaces']);
        kept = [...others, body['test'] as StoryTest];
        return { test: body['test'] };
      }
      case 'DELETE /api/v1/stories/7/tests':
        kept = kept.filter(({ name }) => name !== query.get('name'));
        return undefined;
      case 'POST /api/v1/stories/7/tests/run': {
        const results = all.filter(({ name }) => wanted?.includes(name) ?? true).map(resultOf);
        return { ok: results.every(({ ok }) => ok), results, coverage: COVERAGE };
      }
      case 'POST /api/v1/stories/7/tests/from_run':
        kept = [...kept, { ...LOW, name: String(body['name']) }];
        return { test: kept.at(-1) };
      default:
        throw new Error(line);
    }
  };
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (address, { method = 'GET', body } = {}) => {
    const url = new URL(address instanceof Request ? address.url : address, location.href);
    const line = `${method} ${url.pathname}`;
    const given = typeof body === 'string' ? (JSON.parse(body) as Record<string, unknown>) : {};
    if (method !== 'GET') sent.push({ line, body: given });
    const response = answer(line, url.searchParams, given);
    if (response === undefined) return new Response(null, { status: 204 });
    const headers = { 'content-type': 'application/json' };
    return new Response(JSON.stringify(response), { status: 200, headers });
  });
  return sent;
}

const PLACE = { storyId: 7, draftId: undefined };

function clientWith({ rights = ['read', 'write'], story = STORY } = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.session, {
    user: { id: 4 },
    teams: [{ id: 3, slug: 'own', name: 'Own', rights }],
  });
  client.setQueryData(keys.story(7).self, story);
  client.setQueryData(keys.place(PLACE).graph, { actions: ACTIONS, notes: [] });
  return client;
}

function open(search = '', given: Parameters<typeof clientWith>[0] = {}) {
  history.replaceState(null, '', `/stories/7?view=tests${search}`);
  const client = clientWith(given);
  const shown = render(
    <QueryClientProvider client={client}>
      <Suspense>
        <TestsTab story={given.story ?? STORY} place={PLACE} />
      </Suspense>
      <Toasts />
    </QueryClientProvider>,
  );
  return { ...shown, client };
}

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const row = (name: string) => within(screen.getByRole('link', { name }).closest('tr')!);
const jsonText = async (label: string) =>
  (await screen.findByRole<HTMLTextAreaElement>('textbox', { name: label })).value;

describe('stories as software: the tab of tests', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    sessionStorage.clear();
  });

  it('runs all tests, says which failed and why, and what they cover', async () => {
    const sent = serve({
      resultOf: (test) => (test === GRADES || test.name === GRADES.name ? FAILED : passed(test.name)),
    });
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Run all' }));
    await screen.findByText(/^1 of 2 tests fails\./);
    expect(sent).toEqual([{ line: 'POST /api/v1/stories/7/tests/run', body: {} }]);
    row('Grades a host').getByText('fails');
    row('Grades a host').getAllByText(/expected "Risk 7", found "Level 7"/);
    row('Leaves low ones').getByText('passes');
    const coverage = within(screen.getByRole('region', { name: 'Coverage' }));
    coverage.getByText('4 of 5 parts (80 %)');
    const missing = coverage.getByRole('link', { name: 'Is it high?: rule 2 fails' });
    expect(missing.getAttribute('href')).toBe('/stories/7?action=2&coverage=on');
  });

  it('runs one test; the others keep their state', async () => {
    const sent = serve();
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Run Leaves low ones' }));
    await waitFor(() => row('Leaves low ones').getByText('passes'));
    row('Grades a host').getByText('not run');
    expect(sent[0]?.body).toEqual({ names: ['Leaves low ones'] });
    expect(screen.queryByRole('region', { name: 'Coverage' })).toBeNull();
  });

  it('explains tests where there are none, and offers both ways to the first', async () => {
    serve({ tests: [] });
    open();
    await screen.findByText('This story has no tests yet.');
    button('Keep a run as a test');
    await userEvent.click(button('Write a test'));
    expect(location.search).toBe('?view=tests&new=test');
  });

  it('offers readers nothing that they may not do, and says why a guarded story keeps its tests', async () => {
    serve();
    const { unmount } = open('', { rights: ['read'] });
    await screen.findByRole('link', { name: 'Grades a host' });
    expect(screen.queryByRole('button', { name: 'Write a test' })).toBeNull();
    unmount();
    open('', { story: { ...STORY, change_control_enabled: true } });
    await screen.findByText(/Change tests in a draft\.$/);
    button('Run all');
    expect(screen.queryByRole('button', { name: 'Write a test' })).toBeNull();
  });
});

const name = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
const gradeIn = ({ expect: { events = {} } }: StoryTest) =>
  (events['Grade']?.[0] as { text: string } | undefined)?.text;

describe('stories as software: a test in its editor', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    sessionStorage.clear();
  });

  it('runs as it is written, saved or not, and takes what was found', async () => {
    const sent = serve({ resultOf: (test) => (gradeIn(test) === 'Level 7' ? passed(test.name) : FAILED) });
    open('&test=Grades+a+host');
    await userEvent.type(await name(), '!');
    await userEvent.click(button('Run'));
    const result = within(screen.getByRole('region', { name: 'Result' }));
    await result.findByText('event 1, text');
    expect(sent[0]?.body).toEqual({ tests: [{ ...GRADES, name: 'Grades a host!' }] });
    result.getByText('"Risk 7"');
    result.getByText('"Level 7"');
    expect(result.getByRole('link', { name: 'Grade' }).getAttribute('href')).toBe(
      '/stories/7?action=3&coverage=on',
    );
    await userEvent.click(result.getByRole('button', { name: 'Expect what was found' }));
    await result.findByText('passes');
    expect(sent.at(-1)?.body).toEqual({
      tests: [{ ...GRADES, name: 'Grades a host!', expect: { events: { Grade: [{ text: 'Level 7' }] } } }],
    });
    await userEvent.click(button('Save'));
    await waitFor(() => expect(location.search).toBe('?view=tests&test=Grades+a+host%21'));
    expect(sent.at(-1)).toMatchObject({
      line: 'PUT /api/v1/stories/7/tests',
      body: { replaces: 'Grades a host', test: { name: 'Grades a host!' } },
    });
  });

  it('keeps what is typed, and saves nothing over what a colleague has changed', async () => {
    const sent = serve();
    const { unmount } = open('&test=Grades+a+host');
    await userEvent.type(await name(), '!');
    unmount();
    serve({ tests: [{ ...GRADES, description: 'Theirs' }, LOW] });
    open('&test=Grades+a+host');
    expect((await name()).value).toBe('Grades a host!');
    screen.getByRole('group', { name: 'Newer test' });
    expect(button('Save').disabled).toBe(true);
    await userEvent.click(button('Use theirs'));
    expect((await name()).value).toBe('Grades a host');
    expect(sent).toEqual([]);
  });

  it('keeps what is typed while a colleague renames it, and saves it as a test of its own', async () => {
    const renamed = { ...GRADES, name: 'Theirs' };
    serve();
    const { client } = open('&test=Grades+a+host');
    await userEvent.type(await name(), '!');
    const sent = serve({ tests: [renamed, LOW] });
    await client.invalidateQueries({ queryKey: keys.place(PLACE).tests });
    await screen.findByText(/^This test was renamed or deleted elsewhere\./);
    expect((await name()).value).toBe('Grades a host!');
    await userEvent.click(button('Save'));
    await waitFor(() => expect(location.search).toBe('?view=tests&test=Grades+a+host%21'));
    expect(sent).toEqual([
      { line: 'PUT /api/v1/stories/7/tests', body: { test: { ...GRADES, name: 'Grades a host!' } } },
    ]);
    await screen.findByRole('heading', { name: 'Grades a host!' });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('offers the kept text after the page is loaded anew, until it is discarded', async () => {
    serve();
    const { unmount } = open('&test=Grades+a+host');
    await userEvent.type(await name(), '!');
    unmount();
    serve({ tests: [LOW] });
    const { unmount: leave } = open('&test=Grades+a+host');
    expect((await name()).value).toBe('Grades a host!');
    await userEvent.click(button('Discard changes'));
    await screen.findByRole('link', { name: 'Leaves low ones' });
    leave();
    open('&test=Grades+a+host');
    await screen.findByText('There is no test of this name.');
  });

  it('is changed as JSON, too; a text that cannot be read is neither run nor saved', async () => {
    const sent = serve();
    open('&test=Leaves+low+ones');
    await name();
    await userEvent.click(button('JSON'));
    expect(await jsonText('Test as JSON')).toContain('Leaves low ones');
    const text = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Test as JSON' });
    await userEvent.type(text, 'x');
    await screen.findByRole('alert');
    expect([button('Run').disabled, button('Save').disabled]).toEqual([true, true]);
    await userEvent.clear(text);
    await userEvent.type(text, '{{"name": "Other", "at": 5, "expect": {{}}');
    await userEvent.click(button('Form'));
    // What the form cannot show stays JSON.
    screen.getByText('The form cannot show this test: "at" must be a text.');
    await userEvent.click(button('Discard changes'));
    expect((await name()).value).toBe('Leaves low ones');
    expect(sent).toEqual([]);
  });

  it('brings responses and expects lists of actions', async () => {
    const sent = serve();
    open('&new=test');
    await userEvent.clear(await name());
    await userEvent.type(await name(), 'Mine');
    await userEvent.selectOptions(screen.getAllByRole('combobox', { name: 'Action' })[0]!, 'Hook');
    await userEvent.click(button('Add a response'));
    await userEvent.type(screen.getByRole('textbox', { name: 'URL, * for any text' }), 'https://a.example/*');
    await userEvent.clear(screen.getByRole('textbox', { name: 'Body: JSON, or text' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Body: JSON, or text' }), '{{"risk": 7}');
    const more = within(screen.getByRole('group', { name: 'Expect more' }));
    await userEvent.selectOptions(more.getByRole('combobox', { name: 'Action' }), 'Grade');
    await userEvent.click(more.getByRole('button', { name: 'Expect' }));
    const list = within(screen.getByRole('group', { name: 'Grade, events' }));
    await userEvent.click(list.getByRole('button', { name: 'Remove event 1 of Grade' }));
    list.getByText('It must do none. Any event fails the test.');
    await userEvent.click(button('Save'));
    await waitFor(() => expect(location.search).toBe('?view=tests&test=Mine'));
    expect(sent.at(-1)?.body).toEqual({
      test: {
        name: 'Mine',
        action: 'Hook',
        event: {},
        answers: [{ url: 'https://a.example/*', status: 200, answer: { risk: 7 } }],
        expect: { events: { Grade: [] } },
      },
    });
  });

  it('never takes the name of another test', async () => {
    const sent = serve();
    open('&test=Leaves+low+ones');
    await userEvent.clear(await name());
    await userEvent.type(await name(), 'Grades a host');
    await userEvent.click(button('Save'));
    await waitFor(() => expect(button('Save').disabled).toBe(false));
    expect(sent).toEqual([]);
  });

  it('is deleted at once, and the message brings it back', async () => {
    const sent = serve();
    open('&test=Leaves+low+ones');
    await name();
    await userEvent.click(button('Delete the test'));
    await screen.findByText('Test Leaves low ones deleted.');
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Leaves low ones' })).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await screen.findByRole('link', { name: 'Leaves low ones' });
    expect(sent.map(({ line }) => line)).toEqual([
      'DELETE /api/v1/stories/7/tests',
      'PUT /api/v1/stories/7/tests',
    ]);
  });
});

describe('stories as software: beside the tests', () => {
  afterEach(() => jest.restoreAllMocks());

  it('a run is kept as a test by one press, under a free name of its story and subject', async () => {
    const sent = serve({ tests: [{ ...LOW, name: 'Alerts: host web-1' }] });
    const run = { guid: 'abc', story_id: 7, draft_id: null, subject: 'host web-1', status: 'completed' };
    render(
      <QueryClientProvider client={clientWith()}>
        <KeepTestButton run={run as RunDetails} />
      </QueryClientProvider>,
    );
    await userEvent.click(button('Keep as a test'));
    await waitFor(() => expect(location.search).toBe('?view=tests&test=Alerts%3A+host+web-1+2'));
    expect(sent).toEqual([
      {
        line: 'POST /api/v1/stories/7/tests/from_run',
        body: { run_guid: 'abc', name: 'Alerts: host web-1 2', save: true },
      },
    ]);
  });

  it('a run of a story under change control is kept as a test of a draft', async () => {
    const sent = serve({ tests: [] });
    const client = clientWith({ story: { ...STORY, change_control_enabled: true } });
    client.setQueryData(keys.story(7).drafts, [{ id: 9, name: 'Try' }]);
    const run = { guid: 'abc', story_id: 7, draft_id: null, subject: null, status: 'completed' };
    render(
      <QueryClientProvider client={client}>
        <KeepTestButton run={run as RunDetails} />
      </QueryClientProvider>,
    );
    await userEvent.click(button('Keep as a test…'));
    await userEvent.click(button('Try'));
    await waitFor(() => expect(location.search).toBe('?view=tests&draft=9&test=Alerts'));
    expect(sent[0]?.body).toEqual({ run_guid: 'abc', name: 'Alerts', save: true, draft_id: 9 });
  });

  it('the panel of an action says which of its branches no test takes', () => {
    serve();
    const client = clientWith();
    const results = { results: new Map(), coverage: COVERAGE, editedAt: undefined };
    client.setQueryData(keys.place(PLACE).testResults, results);
    render(
      <QueryClientProvider client={client}>
        <ActionPanel
          action={ACTIONS[1]!}
          others={ACTIONS}
          place={PLACE}
          tab="options"
          onTab={jest.fn()}
          onAction={jest.fn()}
          isFolded={false}
          onFold={jest.fn()}
        />
      </QueryClientProvider>,
    );
    screen.getByText('No test takes the branch where rule 2 fails.');
  });

  it('a stored result is told in a line', () => {
    render(<TestsSummary result={{ ok: false, passed: 3, failed: 1, covered: 31, all: 40 }} />);
    screen.getByText('1 of 4 tests fails.');
    screen.getByText('Tests reach 31 of 40 parts (78 %).');
  });
});
