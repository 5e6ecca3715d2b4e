import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createFormulaLanguage, createLiquidLanguage } from '../../../src/language/face.js';
import type { JsonObject } from '../../../src/platform/json.js';
import { createSilentLogger } from '../../../src/platform/logger.js';
import { readExport } from '../../../src/stories/check/story-checker.js';
import type { StoryTest } from '../../../src/stories/tests/story-test.js';
import { testsIn } from '../../../src/stories/tests/test-form.js';
import { runStoryTests } from '../../../src/trial/tests/run-tests.js';

const GALLERY = path.resolve(__dirname, '../../../assets/gallery');
const deps = {
  languages: { liquid: createLiquidLanguage(), formula: createFormulaLanguage() },
  limits: { maxAttempts: 3, maxDepth: 100, maxCallDepth: 5, maxEvents: 1_000 },
  domain: 'localhost',
  baseUrl: 'http://localhost:3000',
  logger: createSilentLogger(),
};

interface Action {
  name: string;
  disabled: boolean;
  options: JsonObject & { rules: JsonObject[]; payload: JsonObject; headers: JsonObject };
  record_writers: { formula: string }[];
}

interface Story {
  agents: Action[];
  links: { source: number; receiver: number }[];
  fabula_tests: StoryTest[];
}

const actionIn = ({ agents }: Story, name: string) => agents.find((each) => each.name === name)!;
const optionsIn = (story: Story, name: string) => actionIn(story, name).options;

const disabled = (name: string) => (story: Story) => {
  actionIn(story, name).disabled = true;
};

function unlink(story: Story, from: string, to: string): void {
  const at = (name: string) => story.agents.findIndex((each) => each.name === name);
  story.links = story.links.filter(({ source, receiver }) => source !== at(from) || receiver !== at(to));
}

function remove(story: Story, name: string): void {
  const at = story.agents.findIndex((each) => each.name === name);
  story.agents.splice(at, 1);
  const moved = (index: number) => (index > at ? index - 1 : index);
  story.links = story.links
    .filter(({ source, receiver }) => source !== at && receiver !== at)
    .map((link) => ({ ...link, source: moved(link.source), receiver: moved(link.receiver) }));
}

/** Breaks a story of the gallery, and returns what its tests say: by the position of each test that fails, its sentences. */
async function saidOf(name: string, breakIt: (story: Story) => void): Promise<Record<number, string[]>> {
  const story = JSON.parse(readFileSync(path.join(GALLERY, name, 'story.json'), 'utf8')) as Story;
  breakIt(story);
  const { request } = readExport(JSON.stringify(story));
  const { results } = await runStoryTests(request!, testsIn(request!.data), deps);
  return Object.fromEntries(
    results.flatMap(({ ok, problems, differences }, index) =>
      ok ? [] : [[index, [...problems, ...differences.map(({ text }) => text)]]],
    ),
  );
}

describe('stories as software: what tests say of a story that is broken in one place', () => {
  it('an option: the place in the mail', async () => {
    const said = await saidOf('scheduled-report', (story) => {
      optionsIn(story, 'Mail the report').subject = '<<group_by_team.count>> tickets';
    });
    expect(said).toEqual({
      0: ['Mail the report, mail 1, subject: expected "3 open tickets in 2 teams", found "3 tickets"'],
    });
  });

  it('a rule: what the trigger compared, behind each action that it decides of', async () => {
    const because = 'because "Is it urgent?" did not match: rule 1 (field>=value "90") found "80"';
    const said = await saidOf('alert-triage', (story) => {
      optionsIn(story, 'Is it urgent?').rules[0]!.value = '90';
    });
    expect(said).toEqual({
      0: [
        expect.stringMatching(
          /^Note for later: expected no event, found 1: \{.*\}, because "Is it urgent\?"/,
        ),
        `Open a ticket: expected 1 request, found none, ${because}`,
        `Tell who is on call: expected 1 mail, found none, ${because}`,
      ],
    });
  });

  it('the operator of a trigger without a link for no match', async () => {
    const said = await saidOf('scheduled-report', (story) => {
      optionsIn(story, 'Is any open?').rules[0]!.type = 'field<value';
    });
    expect(said).toEqual({
      0: [
        'Mail the report: expected 1 mail, found none, because "Is any open?" did not match: rule 1 (field<value "0") found "3"',
      ],
    });
  });

  it('a link: the action that nothing leads to any more', async () => {
    expect(
      await saidOf('alert-triage', (story) => unlink(story, 'Open a ticket', 'Tell who is on call')),
    ).toEqual({ 0: ['Tell who is on call: expected 1 mail, found none, because no link leads to it'] });
    const because = 'because no link leads to "Is it urgent?"';
    expect(
      await saidOf('alert-triage', (story) => unlink(story, 'Score the alert', 'Is it urgent?')),
    ).toEqual({
      0: [
        `Open a ticket: expected 1 request, found none, ${because}`,
        `Tell who is on call: expected 1 mail, found none, ${because}`,
      ],
      1: [`Note for later: expected 1 event, found none, ${because}`],
    });
  });

  it('a link for failure: the failure, and who is not told', async () => {
    const said = await saidOf('backup-check', (story) =>
      unlink(story, 'Read last night', 'Say it is not known'),
    );
    expect(said).toEqual({
      3: [
        'Read last night: expected no error, found 1: "backup.example.com answered 401"',
        'Say it is not known: expected 1 mail, found none, because no link leads to it',
      ],
    });
  });

  it('a URL: the request that has no answer, and both URLs', async () => {
    const said = await saidOf('alert-triage', (story) => {
      optionsIn(story, 'Open a ticket').url = '<<RESOURCE.tickets_url>>/ticket';
    });
    expect(said).toEqual({
      0: [
        'No answer of the test fits POST https://tickets.example.com/api/ticket',
        expect.stringMatching(/^Open a ticket: expected 1 request, found 3, all alike: \{"method":"POST"/),
        'Open a ticket, request 1, url: expected "https://tickets.example.com/api/tickets", found "https://tickets.example.com/api/ticket"',
      ],
    });
  });

  it('a header', async () => {
    const said = await saidOf('alert-triage', (story) => {
      const expected = story.fabula_tests[0]!.expect.requests!['Open a ticket']!;
      story.fabula_tests[0]!.expect.requests!['Open a ticket'] = [
        { ...(expected[0] as JsonObject), headers: { authorization: 'Bearer <credential tickets>' } },
      ];
      optionsIn(story, 'Open a ticket').headers['Authorization'] = 'Token <<CREDENTIAL.tickets>>';
    });
    expect(said).toEqual({
      0: [
        'Open a ticket, request 1, headers.authorization: expected "Bearer <credential tickets>", found "Token <credential tickets>"',
      ],
    });
  });

  it('a loop: how often, and what the first one lacks', async () => {
    const said = await saidOf('phishing-report', (story) => {
      delete optionsIn(story, 'Ask about each link').loop;
    });
    expect(said).toEqual({
      0: [
        'Ask about each link: expected 2 requests, found 1',
        'Ask about each link, request 1, body.url: expected "https://login.accounts-update.example/keep?u=ada", found ""',
      ],
      1: [
        'Give the all-clear: expected 1 mail, found none, because "Is a link malicious?" matched: rule 1 (formula) found [null]',
        expect.stringMatching(
          /^Thank the reporter: expected no mail, found 1: .*, because "Is a link malicious\?" matched/,
        ),
      ],
    });
  });

  it('the address of a mail: the resource that the test does not give', async () => {
    const said = await saidOf('alert-triage', (story) => {
      optionsIn(story, 'Tell who is on call').recipients = ['<<RESOURCE.on_cal_mail>>'];
    });
    expect(said).toEqual({
      0: [
        'The test gives no resource "on_cal_mail"',
        'Tell who is on call: expected no error, found 1: "recipients: no mail address"',
        'Tell who is on call: expected 1 mail, found none, because it failed: recipients: no mail address',
      ],
    });
  });

  it('the field of a record', async () => {
    const said = await saidOf('records-and-case', (story) => {
      actionIn(story, 'Write the record').record_writers[0]!.formula = '<<receive_incident.body.titel>>';
    });
    expect(said).toEqual({
      0: [
        expect.stringMatching(
          /^Write the record, record 1, record\.values\.Title: expected ".+", found null$/,
        ),
      ],
      1: ['Write the record, record 1, record.values.Title: expected "Typo", found null'],
    });
  });

  it('a formula with an error: the error first, then what it stops', async () => {
    const said = await saidOf('scheduled-report', (story) => {
      optionsIn(story, 'Group by team').payload['count'] = '=SIZZ(LOCAL.tickets)';
    });
    const error = 'payload.count: Unknown function SIZZ (line 1, column 2)';
    const failed = `Group by team: expected no error, found 1: "${error}"`;
    expect(said).toEqual({
      0: [failed, `Mail the report: expected 1 mail, found none, because "Group by team" failed: ${error}`],
      1: [failed],
    });
  });

  it('a formula that reads nothing: the trigger behind it', async () => {
    const said = await saidOf('scheduled-report', (story) => {
      optionsIn(story, 'Group by team').payload['count'] = '=SIZE(LOCAL.tikets)';
    });
    expect(said).toEqual({
      0: [
        'Mail the report: expected 1 mail, found none, because "Is any open?" did not match: rule 1 (field>value "0") found "0"',
      ],
    });
  });

  it('a disabled action, before others and as the first one', async () => {
    const because = 'because "Score the alert" is disabled';
    expect(await saidOf('alert-triage', disabled('Score the alert'))).toEqual({
      0: [
        `Open a ticket: expected 1 request, found none, ${because}`,
        `Tell who is on call: expected 1 mail, found none, ${because}`,
      ],
      1: [`Note for later: expected 1 event, found none, ${because}`],
    });
    const refused = '"Receive alert" is disabled, so runs cannot start at it';
    expect(await saidOf('alert-triage', disabled('Receive alert'))).toEqual({ 0: [refused], 1: [refused] });
  });

  it('a removed action: the tests that name it, or what lacks it', async () => {
    const absent = '"Alert triage" has no action "Tell who is on call"';
    expect(await saidOf('alert-triage', (story) => remove(story, 'Tell who is on call'))).toEqual({
      0: [absent],
      1: [absent],
    });
    expect(await saidOf('alert-triage', (story) => remove(story, 'Score the alert'))).toEqual({
      0: expect.arrayContaining([
        'Open a ticket: expected 1 request, found none, because no link leads to "Is it urgent?"',
      ]),
      1: ['Note for later: expected 1 event, found none, because no link leads to "Is it urgent?"'],
    });
  });
});
