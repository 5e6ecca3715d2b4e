import Joi from 'joi';
import { checkOptions, runnable } from '../../agents/face.js';
import { component, idSchema } from '../../api/face.js';
import type { Problem } from '../../platform/errors.js';
import { idField } from '../../platform/http/address/path-id.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { orderedObject } from '../../platform/json/ordered-object.js';
import { withoutEmptyStrangers } from '../../platform/validation/strangers.js';
import { inspect, type Usable } from '../../platform/validation/partial-input.js';
import { mergedProblems } from '../../platform/validation/validate.js';
import { inputsField, positionField } from '../agents/write/agent-body.js';
import type { Position } from '../agents/write/layout.js';
import type { ExportAgent, ExportLink, StoryExport } from '../export/export-form.js';
import { checkExport } from '../import/check-export.js';
import { exceedsDepth, LIMITS } from '../import/import-limits.js';
import { exportedAgent, exportedLink } from '../import/import-request.js';

/** An agent of a graph: as in an export, with the agent that it continues and its place on the board. */
export interface GraphAgent {
  form: ExportAgent;
  id: number | undefined;
  /** undefined: as it is; null: none. */
  position: Position | null | undefined;
  /** The template inputs; undefined: as they are; null: none. */
  inputs: JsonValue[] | null | undefined;
}

/** A note of a graph: as in an export, with the note that it continues. */
export interface GraphNote {
  form: JsonObject;
  id: number | undefined;
}

/** The actions, links and notes of a story. */
export interface GraphRequest {
  agents: GraphAgent[];
  links: ExportLink[];
  /** undefined: as they are. */
  notes: GraphNote[] | undefined;
}

/** A graph that was read, with all problems that need no database. */
export interface ReadGraph {
  /** Undefined if there are problems. */
  request: GraphRequest | undefined;
  /** The version of the story that the client has edited; undefined: any. */
  version: number | undefined;
  problems: Problem[];
}

type AgentBody = ExportAgent & {
  id?: number | null;
  position?: Position | null;
  action_inputs?: JsonValue[] | null;
};

type NoteBody = JsonObject & { id?: number | null };

interface GraphBody {
  agents: AgentBody[];
  links: ExportLink[];
  notes?: NoteBody[];
  version?: number | null;
}

const pair = Joi.array().items(Joi.number().required(), Joi.number().required()).length(2);

const graphAgent = component(
  'GraphAction',
  exportedAgent
    .keys({
      id: idField.allow(null).description('The existing action; identified by guid if absent'),
      position: positionField.description('Position on the canvas; unchanged if absent, removed if null'),
      action_inputs: inputsField.description(
        'Template inputs, available as `INPUT`; unchanged if absent, removed if null',
      ),
    })
    .description('An action of a story; unknown keys are kept'),
);

const graphNote = component(
  'GraphNote',
  Joi.object({
    id: idField.allow(null).description('The existing note; identified by guid or text if absent'),
    guid: Joi.string().max(255).allow('', null).description('Id that is stable across exports'),
    content: Joi.string().allow('').required().description('Text, which may contain markup'),
    position: Joi.alternatives(positionField, pair).description('Position on the canvas'),
  })
    .unknown(true)
    .description('A note on the canvas; unknown keys are kept'),
);

/** The parts of a graph in a response: as a request takes them, with the ids that they have. */
export const storedParts = {
  action: component(
    'StoredGraphAction',
    graphAgent
      .keys({ id: idSchema.required().description('The action') })
      .description('An action of a story'),
  ),
  link: exportedLink,
  note: component(
    'StoredGraphNote',
    graphNote
      .keys({ id: idSchema.allow(null).required().description('The note; null if none') })
      .description('A note on the canvas'),
  ),
};

/** The body of a whole graph (spec §3.14). */
export const graphBody = component(
  'StoryGraphChanges',
  Joi.object<GraphBody>({
    agents: Joi.array()
      .items(graphAgent)
      .max(LIMITS.agents)
      .required()
      .description('All actions of the story'),
    links: Joi.array().items(exportedLink).max(LIMITS.links).required().description('All links between them'),
    notes: Joi.array()
      .items(graphNote)
      .max(LIMITS.notes)
      .description('All notes on the canvas; unchanged if absent'),
    version: Joi.number()
      .integer()
      .min(0)
      .allow(null)
      .description(
        'The edited version, as returned with the graph; if the story has changed since, the response is 412. `If-Match` takes precedence; absent or null matches any',
      ),
  }),
);

/** Reads the body of a whole graph. Pure, for a thread if it is large. */
export function readGraph(body: unknown): ReadGraph {
  if (exceedsDepth(body, LIMITS.depth)) {
    return {
      request: undefined,
      version: undefined,
      problems: [{ message: `The body is nested deeper than ${LIMITS.depth} levels` }],
    };
  }
  const {
    value,
    usable,
    problems: shape,
  } = inspect<GraphBody>(graphBody, withoutEmptyStrangers(graphBody, body));
  const problems = mergedProblems(shape, checkExport(exportOf(usable), { checkOptions, runnable }, ''));
  const isWhole = value !== undefined && problems.length === 0;
  return { request: isWhole ? requestOf(value) : undefined, version: usable.version ?? undefined, problems };
}

/** Returns the parts that an import checks too. */
function exportOf({ agents, links }: Usable<GraphBody>): Usable<StoryExport> {
  return { agents, links } as Usable<StoryExport>;
}

function requestOf({ agents, links, notes }: GraphBody): GraphRequest {
  return {
    agents: agents.map((agent) => ({
      form: without(agent, ['id', 'position', 'action_inputs']) as ExportAgent,
      id: agent.id ?? undefined,
      position: agent.position,
      inputs: agent.action_inputs,
    })),
    links,
    notes: notes?.map((note) => ({ form: without(note, ['id']), id: note.id ?? undefined })),
  };
}

/** Returns the object without these keys; the others stay in their order. */
function without(object: JsonObject, keys: string[]): JsonObject {
  return orderedObject(Object.entries(object).filter(([key]) => !keys.includes(key)));
}
