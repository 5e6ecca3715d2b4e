import { agentsOf, withKnownGuids } from '../../../src/stories/face.js';
import type { ExportAgent } from '../../../src/stories/export/export-form.js';
import type { StoredStory } from '../../../src/stories/export/story-export-store.js';
import { lostWebhooks, matchAgents } from '../../../src/stories/import/plan/match-agents.js';
import type { ReplacedAgent } from '../../../src/stories/import/plan/story-plan.js';
import { continuedActions } from '../../../src/stories/promotions/plan/continued-actions.js';

const type = 'Agents::WebhookAgent';
const name = 'Webhook';

const incoming = (path: string | undefined) =>
  ({ type, name, options: path === undefined ? {} : { path } }) as unknown as ExportAgent;
const replaced = (webhookPath: string, id: number) =>
  ({ id, guid: `guid-${webhookPath}`, type, name, webhookPath }) as unknown as ReplacedAgent;

const form = (path: string, guid?: string) => ({
  type,
  name,
  options: { path },
  ...(guid !== undefined && { guid }),
});
const stored = (pairs: [guid: string, path: string][]) =>
  ({
    agents: pairs.map(([guid, path]) => ({ columns: { guid, type, name, options: { path } }, extra: {} })),
  }) as unknown as StoredStory;

/** Returns which live path each webhook of a file gets, and what is said. */
function matched(paths: (string | undefined)[], livePaths: string[]) {
  const agents = paths.map(incoming);
  const live = livePaths.map(replaced);
  const matches = matchAgents(agents, live);
  const kept = agents.map((agent) => matches.get(agent)?.webhookPath);
  return { kept, warnings: lostWebhooks(agents, live) };
}

describe('stories as software: several webhooks of one name', () => {
  const live = ['orders', 'invoices'];

  it.each<[string, (string | undefined)[], (string | undefined)[]]>([
    ['the other way round', ['invoices', 'orders'], ['invoices', 'orders']],
    ['with a third one', ['new', 'invoices', 'orders'], [undefined, 'invoices', 'orders']],
    ['without paths', [undefined, undefined], ['orders', 'invoices']],
    ['of which one says its path', [undefined, 'orders'], ['invoices', 'orders']],
    ['with one alone', ['invoices'], ['invoices']],
  ])('continue %s', (_name, paths, kept) => {
    expect(matched(paths, live)).toEqual({ kept, warnings: [] });
  });

  it('are not continued by one that says another path, and a warning names both', () => {
    const { kept, warnings } = matched(['new', 'orders'], live);
    expect(kept).toEqual([undefined, 'orders']);
    expect(warnings).toEqual([
      'The webhook "Webhook" with the path "invoices" is removed: nothing tells that it is the new one with the path "new"',
    ]);
    expect(matched([undefined, undefined, undefined], live).warnings).toHaveLength(2);
  });

  it('are known in files by their paths', () => {
    const onServer = { agents: [form('orders', 'a'), form('invoices', 'b')] };
    const { story, moved, lost } = withKnownGuids(
      { agents: [form('invoices'), form('orders')] },
      onServer,
      undefined,
    );
    expect(agentsOf(story).map(({ guid }) => guid)).toEqual(['b', 'a']);
    expect([moved, lost]).toEqual([[], []]);
    const other = withKnownGuids({ agents: [form('new'), form('orders')] }, onServer, undefined);
    expect(agentsOf(other.story).map(({ options }) => options)).toEqual([
      { path: 'new' },
      { path: 'orders' },
    ]);
    expect(other.lost).toEqual([expect.stringContaining('"invoices" is removed')]);
  });

  it('are continued by a promotion by their paths, and by order if nobody gave them one', () => {
    const target = stored([
      ['a', 'orders'],
      ['b', 'invoices'],
    ]);
    const pairsOf = (pairs: [string, string][]) => [...continuedActions(stored(pairs), target)];
    expect(
      pairsOf([
        ['1', 'invoices'],
        ['2', 'orders'],
      ]),
    ).toEqual([
      ['1', 'b'],
      ['2', 'a'],
    ]);
    expect(
      pairsOf([
        ['1', '1'],
        ['2', '2'],
      ]),
    ).toEqual([
      ['1', 'a'],
      ['2', 'b'],
    ]);
    expect(
      pairsOf([
        ['1', 'new'],
        ['2', 'newer'],
      ]),
    ).toEqual([]);
  });
});
