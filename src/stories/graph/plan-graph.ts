import { Conflict, type Problem, Unprocessable } from '../../platform/errors.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { mergedObjects } from '../../platform/json/ordered-object.js';
import { firstProblems } from '../../platform/validation/validate.js';
import { withActionInputs } from '../agents/mentions/action-inputs.js';
import { type Position, positionOf, withPositions } from '../agents/write/layout.js';
import { withoutAgents } from '../agents/write/remove-agent.js';
import type { ExportAgent, StoryExport } from '../export/export-form.js';
import { givenAddress, WEBHOOK_TYPE } from '../import/import-address.js';
import { LIMITS } from '../import/import-limits.js';
import { matchAgents } from '../import/plan/match-agents.js';
import { givenGuid } from '../import/plan/given-guid.js';
import { planStory } from '../import/plan/plan-story.js';
import type { ReplacedAgent, ReplacedStory, StoryPlan } from '../import/plan/story-plan.js';
import type { StoryRecord } from '../story/story-store.js';
import type { GraphAgent, GraphNote, GraphRequest } from './graph-body.js';

/** A story whose graph is to be replaced. */
export interface GraphTarget {
  story: StoryRecord;
  extra: JsonObject;
  replaced: ReplacedStory;
  /** Webhook paths in the request that other stories have. */
  taken: ReadonlySet<string>;
  /** Guids in the request that actions have already, of this story or of others. */
  takenGuids: ReadonlySet<string>;
}

/**
 * Plans a story with the actions, links and notes of the request; everything else stays. An action continues the one with its
 * id, else the one with its guid. A webhook that continues keeps its address unless its options have another. A new action has
 * the guid of the request if nobody has it: one whose removal is taken back is the same action to versions and comparisons.
 * @throws Unprocessable for ids that the story does not have; Conflict for a webhook path in use.
 */
export async function planGraph(
  { story, extra, replaced, taken, takenGuids }: GraphTarget,
  request: GraphRequest,
): Promise<StoryPlan> {
  const agents = continued(request.agents, replaced.agents);
  const matches = matchAgents(agents, replaced.agents);
  requireFreePaths(agents, matches, taken);
  const form = mergedObjects<JsonValue>(extra, {
    ...(changesNotes(request, extra) && { diagram_notes: notesOf(request.notes ?? [], extra) }),
    schema_version: story.schemaVersion,
    name: story.name,
    agents,
    links: request.links,
  }) as StoryExport;
  const { send_to_stories: embedded } = extra;
  const plan = await planStory(
    form,
    {
      name: story.name,
      replaced: { ...replaced, agents: withGivenAddresses(replaced.agents, matches) },
      subStories: Array.isArray(embedded) ? embedded : [],
    },
    { newGuid: givenGuid(takenGuids), taken: new Set(), warnings: [] },
  );
  const kept = new Set(matches.values());
  const gone = new Set(replaced.agents.filter((agent) => !kept.has(agent)).map(({ guid }) => guid));
  const rest = withoutAgents(plan.extra, gone);
  const extraAfter = withInputs(placed(rest, plan, request.agents), plan, request.agents);
  return { ...plan, extra: sized(extraAfter) };
}

/** Gives each action the guid of the one that its id names. */
function continued(agents: GraphAgent[], replaced: ReplacedAgent[]): ExportAgent[] {
  const byId = new Map(replaced.map((agent) => [agent.id, agent]));
  const problems: Problem[] = [];
  const seen = new Map<string, number>();
  const forms = agents.map(({ id, form }, index) => {
    const own = id === undefined ? undefined : byId.get(id);
    if (id !== undefined && own === undefined) {
      problems.push(problem(`agents[${index}].id`, `is ${id}, which is not an action of this story`));
    }
    const named = own === undefined ? form : (mergedObjects(form, { guid: own.guid }) as ExportAgent);
    if (typeof named.guid !== 'string') return named;
    const first = seen.get(named.guid);
    if (first !== undefined)
      problems.push(problem(`agents[${index}].id`, `refers to the same action as "agents[${first}]"`));
    seen.set(named.guid, index);
    return named;
  });
  if (problems.length > 0) throw new Unprocessable(firstProblems(problems));
  return forms;
}

function problem(place: string, message: string): Problem {
  return { message: `"${place}" ${message}`, details: place };
}

/** The plan of an import keeps the address of a webhook; an edited graph may change it. */
function withGivenAddresses(
  replaced: ReplacedAgent[],
  matches: ReadonlyMap<ExportAgent, ReplacedAgent>,
): ReplacedAgent[] {
  const given = new Map(
    [...matches]
      .filter(([{ type }]) => type === WEBHOOK_TYPE)
      .map(([{ options }, agent]) => [agent, givenAddress(options)]),
  );
  return replaced.map((agent) => {
    const { path, secret } = given.get(agent) ?? {};
    return { ...agent, webhookPath: path ?? agent.webhookPath, secret: secret ?? agent.secret };
  });
}

/** A story that lacks the list of notes goes on without it, as long as it has none. */
function changesNotes({ notes }: GraphRequest, { diagram_notes: before }: JsonObject): boolean {
  return notes !== undefined && (notes.length > 0 || Array.isArray(before));
}

/** Returns the notes in the form of an export; one that has not moved keeps its position as it was written. */
function notesOf(notes: GraphNote[], { diagram_notes: before }: JsonObject): JsonObject[] {
  const written = new Map<string, JsonValue>();
  for (const note of Array.isArray(before) ? before : []) {
    const place = isJsonObject(note) ? positionOf(note.position) : undefined;
    if (place !== undefined && isJsonObject(note))
      written.set(`${place.x} ${place.y}`, note.position ?? null);
  }
  return notes.map(({ form }) => {
    const { position } = form;
    if (!isJsonObject(position)) return form;
    const { x, y } = position as unknown as Position;
    return mergedObjects<JsonValue>(form, { position: written.get(`${x} ${y}`) ?? [x, y] });
  });
}

function placed(extra: JsonObject, plan: StoryPlan, agents: GraphAgent[]): JsonObject {
  const changes = agents.flatMap(({ position }, index): [string, Position | null][] => {
    const guid = plan.agents[index]?.guid;
    return position === undefined || guid === undefined ? [] : [[guid, position]];
  });
  const layout = withPositions(extra.diagram_layout, new Map(changes));
  return layout === undefined || layout === extra.diagram_layout
    ? extra
    : mergedObjects(extra, { diagram_layout: layout });
}

function withInputs(extra: JsonObject, plan: StoryPlan, agents: GraphAgent[]): JsonObject {
  const changes = agents.flatMap(({ inputs }, index): [string, readonly JsonValue[] | null][] => {
    const guid = plan.agents[index]?.guid;
    return inputs === undefined || guid === undefined ? [] : [[guid, inputs]];
  });
  return withActionInputs(extra, new Map(changes));
}

function sized(extra: JsonObject): JsonObject {
  if (Buffer.byteLength(stringifyJson(extra)) <= LIMITS.rowBytes) return extra;
  const message = `The notes, positions, pages and template inputs of a story can have at most ${LIMITS.rowBytes} bytes`;
  throw new Unprocessable([{ message, details: 'notes' }]);
}

/** Returns the guids that the request names. */
export function givenGuids({ agents }: GraphRequest): string[] {
  return agents.flatMap(({ form: { guid } }) => (typeof guid === 'string' ? [guid] : []));
}

/** Returns the webhook paths that the request names. */
export function givenPaths({ agents }: GraphRequest): string[] {
  return agents.flatMap(({ form }) =>
    form.type === WEBHOOK_TYPE ? (givenAddress(form.options).path ?? []) : [],
  );
}

/** @throws Conflict for webhook paths that other stories have, or that two webhooks of this one have. */
function requireFreePaths(
  agents: ExportAgent[],
  matches: ReadonlyMap<ExportAgent, ReplacedAgent>,
  taken: ReadonlySet<string>,
): void {
  const seen = new Set<string>();
  const problems = agents.flatMap((agent, index) => {
    if (agent.type !== WEBHOOK_TYPE) return [];
    const path = givenAddress(agent.options).path ?? matches.get(agent)?.webhookPath;
    if (path === undefined) return [];
    const isFree = !taken.has(path) && !seen.has(path);
    seen.add(path);
    if (isFree) return [];
    return [
      { message: `The webhook path "${path}" is already in use`, details: `agents[${index}].options.path` },
    ];
  });
  if (problems.length > 0) throw new Conflict(firstProblems(problems));
}
