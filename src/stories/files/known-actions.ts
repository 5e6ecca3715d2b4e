import { randomBytes } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { mergedObjects } from '../../platform/json/ordered-object.js';
import { mapValues } from '../export/export-form.js';
import { givenAddress, WEBHOOK_TYPE } from '../import/import-address.js';
import { mapGuids } from '../import/plan/guid-map.js';
import { type NamedAction, pairByName, replacedWebhooks } from '../import/plan/pair-by-name.js';

/**
 * Returns a story that a person may have written with the guids of the story on the server: an action without a known guid
 * is the one of its type and name that no other action claims (`pairByName`), else a new one. Webhooks keep their addresses,
 * which no file changes. `moved` has the names of webhooks whose path in the file is another one; `lost` says which webhooks
 * go although others of their names come.
 */
export function withKnownGuids(
  story: JsonObject,
  live: JsonObject,
  base: JsonObject | undefined,
): { story: JsonObject; moved: string[]; lost: string[] } {
  const own = agentsOf(story);
  const known = new Map([...agentsOf(base ?? {}), ...agentsOf(live)].map((agent) => [guidOf(agent), agent]));
  const claimed = new Set<string>();
  const guids = own.map((agent) => claim(guidOf(agent), (guid) => known.has(guid), claimed));
  const pairs = pairByName(
    own.filter((_, index) => guids[index] === undefined).map(namedForm),
    agentsOf(live)
      .filter((each) => !claimed.has(guidOf(each)))
      .map(namedForm),
  );
  for (const [index, agent] of own.entries()) {
    const same = pairs.get(agent);
    guids[index] ??=
      claim(same === undefined ? '' : guidOf(same), () => true, claimed) ??
      claim(guidOf(agent), () => true, claimed) ??
      randomBytes(16).toString('hex');
  }
  const present = new Set(agentsOf(live).map(guidOf));
  const lost = replacedWebhooks(
    own.filter((_, index) => !present.has(guids[index] ?? '')).map(namedForm),
    agentsOf(live)
      .filter((each) => !claimed.has(guidOf(each)))
      .map(namedForm),
  );
  const changed = new Map(
    own.flatMap((agent, index): [string, string][] =>
      guidOf(agent) === '' ? [] : [[guidOf(agent), guids[index] ?? '']],
    ),
  );
  const moved: string[] = [];
  const agents = own.map((agent, index): JsonObject => {
    const guid = guids[index] ?? '';
    const given = mergedObjects<JsonValue>(mapGuids(agent, changed) as JsonObject, { guid });
    const address = addressOf(known.get(guid));
    const { options } = given;
    if (given.type !== WEBHOOK_TYPE || address === undefined || !isJsonObject(options ?? null)) return given;
    const { path } = options as JsonObject;
    if (typeof path === 'string' && path !== '' && path !== address.path) moved.push(nameOf(agent));
    return mergedObjects<JsonValue>(given, { options: mergedObjects(options as JsonObject, address) });
  });
  const whole = mapValues(mapGuids(story, changed) as JsonObject, (value, key) =>
    key === 'agents' ? agents : value,
  );
  return { story: live.guid === undefined ? whole : mergedObjects(whole, { guid: live.guid }), moved, lost };
}

/** Returns the guid if it may be taken and is still free. */
function claim(guid: string, may: (guid: string) => boolean, claimed: Set<string>): string | undefined {
  if (guid === '' || claimed.has(guid) || !may(guid)) return undefined;
  claimed.add(guid);
  return guid;
}

/** Returns path and secret of a webhook, those that it has; undefined for another action. */
function addressOf(agent: JsonObject | undefined): JsonObject | undefined {
  const { options } = agent ?? {};
  if (agent?.type !== WEBHOOK_TYPE || options === undefined || !isJsonObject(options)) return undefined;
  return Object.fromEntries(Object.entries(options).filter(([key]) => key === 'path' || key === 'secret'));
}

function namedForm(agent: JsonObject): NamedAction<JsonObject> {
  const { type, name, options } = agent;
  const path = options !== undefined && isJsonObject(options) ? givenAddress(options).path : undefined;
  return { action: agent, type, name, path };
}

/** Returns the actions of an export. */
export function agentsOf({ agents }: JsonObject): JsonObject[] {
  return Array.isArray(agents) ? agents.filter(isJsonObject) : [];
}

function guidOf({ guid }: JsonObject): string {
  return typeof guid === 'string' ? guid : '';
}

function nameOf({ name }: JsonObject): string {
  return typeof name === 'string' ? name : '';
}
