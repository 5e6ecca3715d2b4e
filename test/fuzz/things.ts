import { isJsonObject, type JsonValue } from '../../src/platform/json.js';
import type { Randomness } from '../chaos/randomness.js';

/** Things that answers told of: what further requests can be about. */
export interface Things {
  /** Learns what a response with success has. */
  learn(method: string, path: string, body: unknown): void;
  /** Forgets the thing that a path leads to: it is gone. */
  forget(path: string): void;
  /** Returns the address of a thing that fits the path of the document, as far as its last parameter; undefined if none is known. */
  addressFor(template: string): string | undefined;
  /** Returns the id of a thing by the name of a field such as `story_id`; undefined if the field names none. */
  idFor(name: string): JsonValue | undefined;
}

/** No thing has it. */
export const NO_ID = 999_999_999;

/** Parts of addresses that lead to the same things. */
const SAME = [
  ['/api/v1/agents', '/api/v1/actions'],
  ['/api/v1/notes', '/api/v1/annotations'],
  ['/api/v1/credentials', '/api/v1/user_credentials'],
  ['/api/v1/users', '/api/v1/admin/users'],
] as const;

/** Only those that were made here: a change of the callers’ own would end the run. */
const OWN_ONLY = /\/(api_keys|users|teams|members)$/;

const COLLECTIONS: Record<string, string> = {
  story: '/api/v1/stories',
  agent: '/api/v1/agents',
  action: '/api/v1/agents',
  folder: '/api/v1/folders',
  record_type: '/api/v1/record_types',
  record: '/api/v1/records',
  case: '/api/v2/cases',
  linked_case: '/api/v2/cases',
  user: '/api/v1/users',
  event: '/api/v1/events',
  live_resource: '/api/v1/global_resources',
  live_credential: '/api/v1/credentials',
};

/** Parts of a story, which a request about another story cannot name. */
const OF_A_STORY = /^(draft|source|receiver|entry_agent|exit_agent|entry_action|exit_action)$/;

/** Creates an empty store of things. All stories, records and the like are made in the team. */
export function createThings(random: Randomness, teamId: number): Things {
  const addresses = new Map<string, string[]>();
  const add = (address: string): void => {
    for (const one of alsoCalled(address)) {
      const known = addresses.get(templateOf(one)) ?? [];
      if (!known.includes(one)) addresses.set(templateOf(one), [...known, one].slice(-MOST));
    }
  };
  const addressFor = (template: string): string | undefined => {
    const known = addresses.get(template.replaceAll(/\{\w+\}/g, '{}'));
    return known === undefined || known.length === 0 ? undefined : random.pick(known);
  };
  /** Things that belong together were made together. */
  const newest = (template: string): string | undefined => addresses.get(template)?.at(-1);
  let fieldId = NO_ID;
  let requestId = NO_ID;
  return {
    addressFor,
    learn(method, path, body) {
      for (const address of addressesIn(method, path, body)) add(address);
      fieldId = fieldIdIn(body) ?? fieldId;
      requestId = requestIdIn(body) ?? requestId;
    },
    forget(path) {
      const [place = ''] = path.split('?');
      for (const [template, known] of addresses) {
        addresses.set(
          template,
          known.filter((address) => address !== place && !address.startsWith(`${place}/`)),
        );
      }
    },
    idFor(name) {
      const [, kind] = /^(\w+?)_ids?$/.exec(name) ?? [];
      if (kind === undefined) return undefined;
      if (kind === 'team') return teamId;
      if (kind === 'field') return fieldId;
      if (kind === 'change_request') return requestId;
      if (OF_A_STORY.test(kind)) return null;
      const collection = COLLECTIONS[kind];
      if (collection === undefined) return undefined;
      const address = newest(`${collection}/{}`);
      return address === undefined ? NO_ID : Number(address.slice(address.lastIndexOf('/') + 1));
    },
  };
}

/** The id of the first field of a record type. */
function fieldIdIn(body: unknown): number | undefined {
  const fields = isJsonObject(body) ? body['record_fields'] : undefined;
  const first = Array.isArray(fields) ? fields[0] : undefined;
  return isJsonObject(first) ? Number(first['id']) : undefined;
}

/** The id of the change request that a response shows. */
function requestIdIn(body: unknown): number | undefined {
  const request = isJsonObject(body) ? body['change_request'] : undefined;
  return isJsonObject(request) ? Number(request['id']) : undefined;
}

/** Things of one kind that are remembered. */
const MOST = 20;

/** The addresses of the things that a response has. */
function addressesIn(method: string, path: string, body: unknown): string[] {
  const [place = ''] = path.split('?');
  if (!isJsonObject(body) || /\d$/.test(place)) return [];
  if (method === 'POST') return idsOf(body).map((id) => `${place}/${id}`);
  if (OWN_ONLY.test(place)) return [];
  return Object.entries(body).flatMap(([key, list]) =>
    (Array.isArray(list) ? list : []).flatMap((item) =>
      idsOf(item).flatMap((id) => [`${place}/${id}`, `/api/v1/${key}/${id}`]),
    ),
  );
}

function idsOf(item: unknown): (string | number)[] {
  if (!isJsonObject(item)) return [];
  const id = item['id'] ?? item['case_id'] ?? item['guid'] ?? item['story_run_guid'];
  return typeof id === 'number' || typeof id === 'string' ? [id] : [];
}

function alsoCalled(address: string): string[] {
  const others = SAME.flatMap(([one, other]) => [
    ...(address.startsWith(`${one}/`) ? [address.replace(one, other)] : []),
    ...(address.startsWith(`${other}/`) ? [address.replace(other, one)] : []),
  ]);
  const [, draft] = /\/stories\/\d+(\/drafts\/\d+)$/.exec(address) ?? [];
  return [address, ...others, ...(draft === undefined ? [] : [`/api/v1${draft}`])];
}

/** `/api/v1/stories/{}` of `/api/v1/stories/12`. */
function templateOf(address: string): string {
  return address.replaceAll(/\/(\d+|[0-9a-f]{32})(?=\/|$)/g, '/{}');
}
