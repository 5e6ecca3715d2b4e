import type { JsonObject } from '../../src/platform/json.js';
import { eventually } from './eventually.js';
import type { TestFabula } from './fabula.js';
import { agentIds, call, runsOf } from './run-api.js';

/** A shadow as the API shows it. */
export type ShownShadow = JsonObject & { id: number; state: string; same: number; different: number };

/** A run that a shadow lists, as the API shows it. */
export interface ListedRun {
  run_guid: string;
  verdict: string;
  not_compared_because: string | null;
}

/** A story with a draft, whose runs go through the draft. */
export interface ShadowWorld {
  id: number;
  draft: number;
  /** The actions of the draft, id by name. */
  draftAgents: Record<string, number>;
  path: string;
  /** Calls the webhook `Hook` with each number, 50 at once. */
  begin(numbers: number[]): Promise<void>;
  /** The same, and waits until all is done. */
  fire(numbers: number[]): Promise<void>;
  /** Changes an action of the draft. */
  change(name: string, options: JsonObject): Promise<void>;
  start(body: JsonObject): Promise<ShownShadow>;
  shown(id: number): Promise<ShownShadow>;
  /** Waits until it no longer runs. */
  ended(id: number, ms?: number): Promise<ShownShadow>;
  differences(id: number): Promise<JsonObject[]>;
  /** All listed runs of the shadow, newest first; `query` narrows them. */
  listed(id: number, query?: string): Promise<ListedRun[]>;
  /** The guids of the runs by the number of their event. */
  guids(): Promise<Map<number, string>>;
}

/** Imports a story and makes a draft of it. */
export async function shadowWorld(fabula: TestFabula, data: JsonObject): Promise<ShadowWorld> {
  const { id, webhooks } = await fabula.importStory(data);
  const made = await call(fabula, `POST /api/v1/stories/${id}/drafts`, { body: { name: 'Next' } });
  const draft = (made.body as { id: number }).id;
  const draftAgents = await agentIds(fabula, draft);
  const path = `/api/v1/stories/${id}/drafts/${draft}/shadows`;
  const shown = async (shadow: number) => (await call(fabula, `GET ${path}/${shadow}`)).body as ShownShadow;
  const begin = async (numbers: number[]) => {
    for (let at = 0; at < numbers.length; at += 50)
      await Promise.all(numbers.slice(at, at + 50).map((n) => fabula.fire(webhooks['Hook']!, { n })));
  };
  return {
    id,
    draft,
    draftAgents,
    path,
    shown,
    begin,
    async fire(numbers) {
      await begin(numbers);
      await fabula.settled();
    },
    async change(name, options) {
      const response = await call(fabula, `PUT /api/v1/actions/${draftAgents[name]}`, { body: { options } });
      if (response.status !== 200) throw new Error(JSON.stringify(response.body));
    },
    async start(body) {
      const response = await call(fabula, `POST ${path}`, { body });
      if (response.status !== 201) throw new Error(JSON.stringify(response.body));
      return response.body as ShownShadow;
    },
    async ended(shadow, ms = 60_000) {
      await eventually(async () => (await shown(shadow)).state !== 'running', ms);
      return shown(shadow);
    },
    async differences(shadow) {
      const { body } = await call(fabula, `GET ${path}/${shadow}/differences`);
      return (body as { differences: JsonObject[] }).differences;
    },
    async listed(shadow, query = '') {
      const runs: ListedRun[] = [];
      let next: string | null = `${path}/${shadow}/runs?per_page=100${query}`;
      while (next !== null) {
        const { body } = await call(fabula, `GET ${next}`);
        const page = body as { runs: ListedRun[]; meta: { next_page: string | null } };
        runs.push(...page.runs);
        next = page.meta.next_page && page.meta.next_page.replace(/^https?:\/\/[^/]+/, '');
      }
      return runs;
    },
    async guids() {
      const found = new Map<number, string>();
      for (const { guid } of await runsOf(fabula, id, '?per_page=100')) {
        const { body } = await call(fabula, `GET /api/v1/stories/${id}/runs/${guid}`);
        const [first] = (body as { events: { payload: { n: number } }[] }).events;
        found.set(first!.payload.n, guid);
      }
      return found;
    },
  };
}
