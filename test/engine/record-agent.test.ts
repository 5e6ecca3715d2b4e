import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { QUEUES } from '../../src/engine/dispatch/jobs.js';
import { eventually } from '../support/eventually.js';
import { type FabulaOptions, startFabula } from '../support/fabula.js';
import { realExports, type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { shareFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = shareFabula(stores);
const start = (options: FabulaOptions = {}) => fabula.runWith(options);

type Fields = Record<string, [resultType: string, formula: string | null, fixedValues?: string[]]>;

/** A field in the export's form; its id is one of another server. */
const fieldOf = (name: string, resultType: string, fixedValues: string[] = []) => ({
  id: 102_600 + name.length,
  name,
  description: null,
  result_type: resultType,
  fixed_values: fixedValues,
});

/** An action in the form of the v28 export: what it writes stands beside its options. */
function recordAction(type: string, fields: Fields, options: JsonObject = {}): ShortAgent {
  const all: Fields = {
    'Story name': ['TEXT', '<<META.story.name>>'],
    Timestamp: ['TIMESTAMP', '<<DATE("now", "%Y-%m-%d %H:%M:%S")>>'],
    'Updated at': ['TIMESTAMP', null],
    ...fields,
  };
  const entries = Object.entries(all);
  return [
    'Record',
    { mode: 'create', record_result_mode: '', record_type_id: '', record_writers: '', ...options },
    {
      record_writers: entries
        .filter(([, [, formula]]) => formula !== null)
        .map(([name, [resultType, formula, fixed]]) => ({
          formula,
          include_in_update: false,
          record_field: fieldOf(name, resultType, fixed),
        })),
      record_type: {
        id: 58_597,
        name: type,
        editable: false,
        record_fields: entries.map(([name, [resultType, , fixed]]) => fieldOf(name, resultType, fixed)),
      },
    },
  ];
}

const HOST: Fields = {
  Host: ['TEXT', '<<explode.host.name>>'],
  Tags: ['TEXT', '<<explode.host.tags>>'],
  Score: ['NUMBER', '<<explode.host.score>>'],
  Seen: ['TIMESTAMP', '<<DATE(explode.host.seen, "%Y-%m-%d %H:%M:%S")>>'],
  Exposed: ['BOOLEAN', '<<explode.host.exposed>>'],
  Severity: ['TEXT_ENUM', '=explode.host.severity', ['Low', 'High']],
};

const storyWith = (capture: ShortAgent, overrides: JsonObject = {}) =>
  storyOf(
    {
      Hook: ['Webhook', {}],
      Explode: ['EventTransformation', { mode: 'explode', path: '=hook.body.hosts', to: 'host' }],
      'Capture Record': capture,
      After: [
        'EventTransformation',
        {
          mode: 'message_only',
          payload: { host: '<<capture_record.values.Host>>', record: '=capture_record' },
        },
      ],
    },
    ['Hook > Explode > Capture Record > After'],
    overrides,
  );

const host = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  tags: ['a', 'b'],
  score: 7.5,
  seen: '2026-11-20T10:00:00Z',
  exposed: true,
  severity: 'High',
  ...more,
});

async function importStory(data: JsonObject) {
  const body = { new_name: data['name'], team_id: fabula.account.team.id, data };
  const response = await fabula.api('POST', '/api/v1/stories/import', body);
  expect(response.status).toBe(200);
  return (await response.json()) as { id: number; warnings?: string[] };
}

async function fire(hosts: JsonObject[]): Promise<void> {
  const rows = await stores.db.read((session) =>
    session.rows<{ path: string; options: string }>(
      'SELECT webhook_path AS path, options FROM agents WHERE webhook_path IS NOT NULL ORDER BY id DESC LIMIT 1',
    ),
  );
  const secret = (JSON.parse(rows[0]!.options) as { secret: string }).secret;
  await fabula.fire(`${rows[0]!.path}/${secret}`, { hosts });
}

const payloadsOf = async (agent: string) =>
  (await fabula.events())
    .filter((event) => event.agent === agent)
    .map(({ payload }) => payload as JsonObject);

/** The records of the only type as the API lists them, oldest first. */
async function listed(): Promise<JsonObject[]> {
  const types = (await (await fabula.api('GET', '/api/v1/record_types')).json()) as {
    record_types: { id: number }[];
  };
  const query = `record_type_id=${types.record_types[0]!.id}&order_direction=ASC&per_page=500`;
  const response = await fabula.api('GET', `/api/v1/records?${query}`);
  return ((await response.json()) as { record_results: JsonObject[] }).record_results;
}

const without = ({ id: _id, Timestamp: _time, ...rest }: JsonObject): JsonObject => rest;

describe('a record action', () => {
  beforeEach(() => start());

  it('writes a record with a value of each type, and the record is its event', async () => {
    const { id } = await importStory(storyWith(recordAction('Hosts', HOST), { name: 'KEV' }));
    await fire([host('web-1')]);
    await fabula.settled();
    expect(await fabula.deadLetters()).toEqual([]);

    const records = await listed();
    const values = {
      'Story name': 'KEV',
      Host: 'web-1',
      Tags: '["a","b"]',
      Score: 7.5,
      Seen: '2026-11-20 10:00:00',
      Exposed: true,
      Severity: 'High',
    };
    expect(records.map(without)).toEqual([values]);

    const [event] = await payloadsOf('Capture Record');
    const runs = await stores.db.read((session) =>
      session.rows<{ guid: string }>('SELECT guid FROM story_runs'),
    );
    expect(event).toEqual({
      id: records[0]!['id'],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
      story: { id, name: 'KEV' },
      story_run_guid: runs[0]!.guid,
      record_type: { id: expect.any(Number) as number, name: 'Hosts' },
      values: { ...values, Timestamp: records[0]!['Timestamp'] },
    });
    expect(await payloadsOf('After')).toEqual([{ host: 'web-1', record: event }]);

    const shown = (await (
      await fabula.api('GET', `/api/v1/records/${event!['id'] as number}`)
    ).json()) as JsonObject;
    expect(shown).toMatchObject({
      story: { id, name: 'KEV' },
      story_run_guid: runs[0]!.guid,
      test_mode: false,
    });
  });

  it('leaves a field empty that its formula has nothing for, and keeps texts to the letter', async () => {
    await importStory(
      storyWith(recordAction('Hosts', { ...HOST, Version: ['TEXT', '<<explode.host.version>>'] })),
    );
    await fire([host('web-1', { version: '010.10', score: null, seen: '', exposed: null, severity: '' })]);
    await fabula.settled();
    expect((await listed()).map(without)).toMatchObject([{ Version: '010.10', Score: null, Exposed: null }]);
  });

  it('sets one bad value aside, naming the field and not the value; the others are written', async () => {
    await importStory(storyWith(recordAction('Hosts', HOST)));
    const bad = [
      host('bad-1', { score: 'hush' }),
      host('bad-2', { severity: 'Some', exposed: 'hush' }),
      host('x'.repeat(200_000)),
    ];
    const good = Array.from({ length: 40 }, (_, index) => host(`web-${index}`));
    await fire([...good.slice(0, 20), bad[0]!, ...good.slice(20), ...bad.slice(1)]);
    await fabula.settled();
    expect((await fabula.deadLetters()).map(({ error }) => error)).toEqual([
      expect.stringMatching(/^The record of type "Hosts" was not written: field "Score" must be a number/),
      'The record of type "Hosts" was not written: field "Exposed" must be true or false; field "Severity" must be one of Low, High',
      'The record of type "Hosts" was not written: field "Host" must be a text of at most 131072 bytes',
    ]);
    expect(JSON.stringify([await fabula.deadLetters(), await fabula.logs()])).not.toContain('hush');
    expect(new Set((await listed()).map((record) => record['Host']))).toEqual(
      new Set(good.map(({ name }) => name)),
    );
    expect(await listed()).toHaveLength(good.length);
    expect(await payloadsOf('After')).toHaveLength(good.length);
  });

  it('says so when the team has no such type, or the type no such field', async () => {
    await importStory(storyWith(recordAction('Hosts', HOST)));
    await stores.sql("DELETE FROM record_fields WHERE name = 'Host'");
    await fire([host('web-1')]);
    await fabula.settled();
    await stores.sql("UPDATE record_types SET name = 'Other'");
    await fire([host('web-2')]);
    await fabula.settled();
    expect((await fabula.deadLetters()).map(({ error }) => error)).toEqual([
      'The record of type "Hosts" was not written: there is no field "Host"',
      'This team has no record type "Hosts"',
    ]);
  });

  it('keeps credentials out of records', async () => {
    await fabula.inner.setCredential(fabula.account.team.id, 'token', 'sekret-value');
    await importStory(
      storyWith(recordAction('Hosts', { ...HOST, Host: ['TEXT', 'x <<CREDENTIAL.token>>'] })),
    );
    await fire([host('web-1')]);
    await fabula.settled();
    expect((await listed())[0]!['Host']).toBe('x [credential token]');
  });

  it('cannot loop, and says so', async () => {
    await importStory(storyWith(recordAction('Hosts', HOST, { loop: '=[1]' })));
    await fire([host('web-1')]);
    await fabula.settled();
    expect((await fabula.deadLetters())[0]?.error).toMatch(/cannot loop/);
  });
});

describe('a record', () => {
  it('is written once, whoever runs the job how often', async () => {
    await start({ queues: QUEUES.filter((queue) => queue !== 'event-transformation'), relay: false });
    await importStory(
      storyOf(
        {
          Hook: ['Webhook', {}],
          Capture: recordAction('Hosts', { Host: ['TEXT', '<<hook.body.hosts[0].name>>'] }),
        },
        ['Hook > Capture'],
      ),
    );
    await fire([host('web-1')]);
    const job = await eventually(async () => {
      const [row] = await stores.db.read((session) =>
        session.rows<{ id: number }>('SELECT id FROM deliveries'),
      );
      return row && { deliveryId: row.id, generation: 0 };
    });
    const run = () => fabula.inner.runDelivery(job);
    const other = await startFabula(stores, { queues: [], relay: false });
    const outcomes = await Promise.all([run(), run(), other.inner.runDelivery(job)]);
    outcomes.push(await run());
    await other.close();
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['done', 'gone', 'gone', 'gone']);
    expect(await listed()).toHaveLength(1);
    const counted = await stores.db.read((session) =>
      session.rows<{ records: string }>('SELECT SUM(records) AS records FROM record_counts'),
    );
    expect(Number(counted[0]!.records)).toBe(1);
    expect(await payloadsOf('Capture')).toHaveLength(1);
  });

  it('that was refused is written when its delivery is sent again', async () => {
    await start({ queues: [], relay: false });
    await importStory(
      storyOf(
        {
          Hook: ['Webhook', {}],
          Capture: recordAction('Hosts', { Host: ['TEXT', '<<hook.body.hosts[0].name>>'] }),
        },
        ['Hook > Capture'],
      ),
    );
    await stores.sql("UPDATE record_types SET name = 'Other'");
    await fire([host('web-1')]);
    const [row] = await stores.db.read((session) =>
      session.rows<{ id: number }>('SELECT id FROM deliveries'),
    );
    const run = (generation: number) => fabula.inner.runDelivery({ deliveryId: row!.id, generation });
    expect(await run(0)).toEqual({
      outcome: 'failed',
      error: 'This team has no record type "Hosts"',
    });
    await stores.db.read(async (session) => {
      await session.run("UPDATE record_types SET name = 'Hosts'");
      await session.run("UPDATE deliveries SET state = 'pending', retries = 1");
    });
    expect(await run(1)).toMatchObject({ outcome: 'done' });
    expect(await listed()).toHaveLength(1);
  });
});

describe('an import of record actions', () => {
  beforeEach(() => start());

  it('makes the record types that the team lacks, and says so', async () => {
    const story = storyWith(recordAction('Hosts', HOST));
    expect((await importStory(story)).warnings).toEqual([
      'The record type "Hosts" was created with 6 fields',
    ]);
    expect((await importStory(story)).warnings).toBeUndefined();
    const { record_types: types } = (await (await fabula.api('GET', '/api/v1/record_types')).json()) as {
      record_types: { name: string; team_id: number; record_fields: JsonObject[] }[];
    };
    expect(types).toHaveLength(1);
    expect(types[0]).toMatchObject({ name: 'Hosts', team_id: fabula.account.team.id });
    const fields = types[0]!.record_fields.map(({ name, result_type, fixed_values }): JsonValue[] => [
      name!,
      result_type!,
      fixed_values!,
    ]);
    expect(fields).toEqual(
      Object.entries(HOST).map(([name, [resultType, , fixed]]) => [name, resultType, fixed ?? []]),
    );
  });

  it('says what the type that the team has lacks, or has otherwise', async () => {
    await importStory(storyWith(recordAction('Hosts', { Host: ['TEXT', 'x'], Score: ['TEXT', '1'] })));
    const { warnings } = await importStory(storyWith(recordAction('Hosts', HOST)));
    expect(warnings).toEqual([
      `The team's record type "Hosts" is missing fields that the story writes: "Tags", "Seen", "Exposed", "Severity"`,
      `The team's record type "Hosts" has fields with a different type: "Score" is TEXT, not NUMBER`,
    ]);
  });

  it('goes on without a type that cannot be made', async () => {
    const { warnings } = await importStory(storyWith(recordAction('Hosts', { Files: ['JSON', 'x'] })));
    expect(warnings).toEqual([
      expect.stringMatching(/^No record type was created for "Capture Record": .*result_type/),
    ]);
    const twice = recordAction('Two', { id: ['TEXT', 'x'] });
    expect((await importStory(storyWith(twice))).warnings).toEqual([
      expect.stringMatching(/^The record type "Two" was not created: .*is reserved: id/),
    ]);
  });

  it('leaves no type behind when it fails', async () => {
    const data = storyWith(recordAction('Hosts', HOST), { links: [{ source: 0, receiver: 9 }] });
    const body = { new_name: 'Story', team_id: fabula.account.team.id, data };
    expect((await fabula.api('POST', '/api/v1/stories/import', body)).status).toBe(422);
    expect(await stores.db.read((session) => session.rows('SELECT id FROM record_types'))).toEqual([]);
  });

  it('warns of a mode that does not run', async () => {
    const { warnings } = await importStory(storyWith(recordAction('Hosts', HOST, { mode: 'update' })));
    expect(warnings).toContain(
      'Agents::RecordAgent was stored but cannot run (a story can only create records; the mode "update" is not supported): "Capture Record"',
    );
    await fire([host('web-1')]);
    await fabula.settled();
    expect((await fabula.deadLetters())[0]?.error).toMatch(/option mode/);
  });
});

const v28 = new Map(realExports()).get('v28-cisa-kev-crowdstrike-hosts.json');

(v28 === undefined ? test.skip : test)(
  'the real export makes its two types and gives its actions back (skipped where it is missing)',
  async () => {
    await start();
    const data = JSON.parse(v28 ?? '{}') as JsonObject & { agents: JsonObject[] };
    const { id, warnings } = await importStory(data);
    expect(warnings).toEqual(
      expect.arrayContaining([
        'The record type "KEV_CS_Host (1)" was created with 16 fields',
        'The record type "CISA KEV in CrowdStrike - Overview" was created with 6 fields',
      ]),
    );
    const exported = (await (await fabula.api('GET', `/api/v1/stories/${id}/export`)).json()) as typeof data;
    const writers = (story: typeof data) =>
      story.agents
        .filter(({ type }) => type === 'Agents::RecordAgent')
        .map(({ options, record_type, record_writers }) => ({ options, record_type, record_writers }));
    expect(writers(exported)).toEqual(writers(data));
  },
);
