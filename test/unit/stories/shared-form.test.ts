import { gitRemote } from '../../../src/platform/git/git-remote.js';
import { parseJson } from '../../../src/platform/json/parse-json.js';
import type { JsonObject } from '../../../src/platform/json.js';
import { stringifyJson } from '../../../src/platform/json/exact-number.js';
import { storyOfFiles } from '../../../src/stories/files/story-files.js';
import { compareSides } from '../../../src/stories/git/sides/compare-sides-task.js';
import { compareUrl } from '../../../src/stories/git/sync/compare-url.js';
import { keysOfHost } from '../../../src/stories/git/api/host-keys.js';
import { requestBranch } from '../../../src/stories/git/sync/push-stories.js';
import { storyPlaces, writtenDigest } from '../../../src/stories/git/sides/story-places.js';
import { blobOid } from '../../../src/platform/git/blob-oid.js';

const branch = (id: number, teamName: string, place: string) => requestBranch({ id, teamName, place });

const FORM = { layout: 'file', format: 'yaml', stem: 'a' } as const;

const agent = (id: number, type: string, name: string, options: JsonObject) => ({
  id,
  type,
  name,
  guid: String(id).repeat(32).slice(0, 32),
  disabled: 0,
  options,
  keep_events_for: 0,
  extra: { type: null, name: null, options: null, guid: `origin-${id}`, disabled: null },
});
const entry = (path: string, mode = '100644', size = 5) => ({ path, mode, oid: blobOid(path), size });
const read = (path: string, text: string) =>
  compareSides({ live: null, base: null, files: [{ path, text }], form: FORM });

/** The text of a snapshot of a story with a webhook that was imported from elsewhere. */
function snapshot(change: { by?: string; secret?: string; extra?: JsonObject } = {}): string {
  const { by = 'first', secret = 'a-long-secret', extra = {} } = change;
  return stringifyJson({
    story: {
      id: 7,
      name: 'Story',
      description: null,
      guid: 's'.repeat(32),
      schema_version: 3,
      keep_events_for: 604800,
      disabled: 0,
      priority: 0,
      synchronous_webhooks_enabled: 0,
      extra: {
        schema_version: null,
        name: null,
        guid: 'origin-story',
        agents: null,
        links: null,
        exported_at: null,
        entry_agent_guid: '1'.repeat(32),
        runbook: `Call https://fabula.example/webhook/path/${secret} by hand`,
        ...extra,
      },
    },
    agents: [
      agent(1, 'Agents::WebhookAgent', 'Receive', { path: 'path', secret, verbs: 'post' }),
      agent(2, 'Agents::EventTransformationAgent', 'Mark', { mode: 'message_only', payload: { by } }),
    ],
    links: [{ sourceId: 1, receiverId: 2, linkType: null, extra: { source: null, receiver: null } }],
  });
}

describe('stories as software: what a repository has of a story', () => {
  const { written } = compareSides({ live: snapshot(), base: null, files: null, form: FORM });

  it('has the guids that things came with, and no secrets', () => {
    const [file] = written;
    expect(file?.path).toBe('a.yaml');
    const story = storyOfFiles(written);
    expect(story).toMatchObject({ guid: 'origin-story', entry_agent_guid: 'origin-1' });
    expect(story).not.toHaveProperty('exported_at');
    expect(file?.text).not.toContain('a-long-secret');
    expect(file?.text).toContain('[hidden]');
  });

  it('is the same for a story that differs in its secret only', () => {
    const compared = compareSides({
      live: snapshot({ secret: 'another-secret' }),
      base: snapshot(),
      files: written,
      form: FORM,
    });
    expect(compared).toMatchObject({ isChangedHere: false, isSame: true, problems: [] });
  });

  it('gives texts their secrets back', () => {
    const text = written[0]?.text.replace('by: first', 'by: git') ?? '';
    const compared = compareSides({
      live: snapshot(),
      base: snapshot(),
      files: [{ path: 'a.yaml', text }],
      form: FORM,
    });
    expect(compared).toMatchObject({ isChangedHere: false, isSame: false });
    const data = parseJson((compared.data ?? '').split('\n')[0] ?? '') as JsonObject;
    expect(data.runbook).toBe('Call https://fabula.example/webhook/path/a-long-secret by hand');
  });

  it('tells which webhooks go although the files have others of their names', () => {
    const agents = ['one', 'two'].map((path) => ({
      type: 'Agents::WebhookAgent',
      name: 'Receive',
      options: { path, secret: '', verbs: 'post' },
    }));
    const text = stringifyJson({ name: 'Story', schema_version: 3, agents, links: [] });
    const { problems, warnings } = compareSides({
      live: snapshot(),
      base: snapshot(),
      files: [{ path: 'a.json', text }],
      form: FORM,
    });
    expect(problems).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('with the path "path" is removed')]);
  });

  it('is not there for a story without a form as files, whose fault is told', () => {
    const alone = { base: null, files: null, form: FORM };
    const marked = compareSides({ ...alone, live: snapshot({ extra: { fabula_files: 1 } }) });
    expect(marked).toMatchObject({ written: [], isChangedHere: true });
    expect(marked.problems).toEqual([expect.stringContaining('fabula_files')]);
    const large = compareSides({ ...alone, live: snapshot({ extra: { notes: 'x'.repeat(9_000_000) } }) });
    expect(large.problems).toEqual([expect.stringContaining('larger than')]);
  });

  it('tells files of other programs from stories with faults', () => {
    expect(read('package.json', '{"name":"x","dependencies":{}}').isOther).toBe(true);
    expect(
      read('x.json', '{"name":"x","schema_version":3,"agents":[{"type":1}],"links":[]}').problems,
    ).not.toEqual([]);
    expect(read('x.yaml', 'a: *b').problems).not.toEqual([]);
  });
});

describe('stories as software: places of stories in a commit', () => {
  it('are files and folders with a file "story"; all else is left', () => {
    const places = storyPlaces(
      [
        entry('stories/one.yaml'),
        entry('stories/two/story.yaml'),
        entry('stories/two/actions/a.yaml'),
        entry('stories/two/README.md'),
        entry('stories/notes/x.yaml'),
        entry('stories/README.md'),
        entry('other.yaml'),
      ],
      'stories',
    );
    expect(places.map(({ stem, entries }) => [stem, entries.length])).toEqual([
      ['one', 1],
      ['two', 2],
    ]);
  });

  it('are not read if they are links, too large, or in several places', () => {
    const problems = storyPlaces(
      [
        ...Array.from({ length: 9 }, (_, index) => entry(`many/${index}.yaml`, '100644', 8_000_000)),
        entry('many/story.yaml'),
        entry('a.yaml', '120000'),
        entry('b.yaml', '100644', 1e9),
        entry('c.yaml'),
        entry('c.json'),
        entry('d.yaml'),
      ],
      '',
    ).map(({ problem }) => problem);
    expect(problems).toEqual([
      expect.stringContaining('together'),
      expect.stringContaining('link'),
      expect.stringContaining('larger'),
      expect.stringContaining('several places'),
      undefined,
    ]);
  });

  it('have the digest of what would be written', () => {
    const text = 'a: 1\n';
    const [place] = storyPlaces([{ path: 'a.yaml', mode: '100644', oid: blobOid(text), size: 5 }], '');
    expect(place?.digest).toBe(writtenDigest([{ path: 'a.yaml', text }]));
  });
});

describe('stories as software: pages of pull requests, and keys of hosts', () => {
  it.each([
    ['git@github.com:soc/stories.git', 'https://github.com/soc/stories/compare/main...fabula/soc/a'],
    [
      'https://gitlab.example.com/soc/stories.git',
      'https://gitlab.example.com/soc/stories/-/merge_requests/new?merge_request%5Bsource_branch%5D=fabula%2Fsoc%2Fa&merge_request%5Btarget_branch%5D=main',
    ],
    [
      'https://git.example.com:3000/soc/stories',
      'https://git.example.com:3000/soc/stories/compare/main...fabula/soc/a',
    ],
  ])('of %s', (address, page) => {
    expect(compareUrl(gitRemote(address)?.url ?? '', 'main', 'fabula/soc/a')).toBe(page);
  });

  it('name a branch by team and story, each another one', () => {
    expect(branch(1, 'Security Ops', 'triage-alerts')).toMatch(
      /^fabula\/security-ops\/triage-alerts-[0-9a-f]{8}$/,
    );
    expect(branch(1, '東京', '警報')).toMatch(/^fabula\/team\/story-[0-9a-f]{8}$/);
    const long = 'x'.repeat(70);
    const branches = [
      branch(1, 'Ops', '警報'),
      branch(1, 'Ops', '事件'),
      branch(2, 'Ops', '警報'),
      branch(1, 'Ops', `${long}-a`),
      branch(1, 'Ops', `${long}-b`),
    ];
    expect(new Set(branches).size).toBe(5);
  });

  it('reads what ssh-keyscan prints', () => {
    const text =
      '# host:22 SSH-2.0\n[git.example.com]:22 ssh-ed25519 AAAAC3Nz\nssh-rsa AAAAB3 someone\nnothing\n';
    expect(keysOfHost(text)).toEqual(['ssh-ed25519 AAAAC3Nz', 'ssh-rsa AAAAB3']);
  });
});
