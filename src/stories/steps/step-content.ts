import { randomBytes } from 'node:crypto';
import { Unprocessable } from '../../platform/errors.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { mergedObjects, orderedObject } from '../../platform/json/ordered-object.js';
import { inSlices } from '../../platform/steps.js';
import { hiddenExport } from '../agents/hidden-options.js';
import type { Position } from '../agents/write/layout.js';
import type { ExportAgent, ExportLink } from '../export/export-form.js';
import type { GraphRequest } from '../graph/graph-body.js';
import { WEBHOOK_TYPE } from '../import/import-address.js';
import { MARK, noteMarkOf, stepMarkOf, withMark } from './step-mark.js';

/** An action of a step: as in an export, with its place; its guid names it in the step. */
export interface StepAction extends ExportAgent {
  guid: string;
  position?: (Position & JsonObject) | null;
  action_inputs?: JsonValue[] | null;
}

/** A note of a step, with its place; its guid names it in the step. */
export interface StepNote extends JsonObject {
  guid: string;
}

/** The content of a version: no secrets, no ids and no addresses. */
export interface StepContent extends JsonObject {
  agents: StepAction[];
  links: ExportLink[];
  notes: StepNote[];
}

/** Bounds of the content of one version. */
const MOST_ACTIONS = 200;
const MOST_CHARACTERS = 1024 * 1024;

/**
 * Returns the content of a step, of actions that a request names. `guid`: the step; an action or a note that came from it
 * is the same in it. Secrets of webhooks are hidden, and their addresses are left out.
 * @throws Unprocessable for too much.
 */
export async function contentOf(request: GraphRequest, guid: string): Promise<StepContent> {
  if (request.agents.length === 0 || request.agents.length > MOST_ACTIONS) {
    throw new Unprocessable([
      { message: `"content.agents" must have 1 to ${MOST_ACTIONS} actions`, details: 'content.agents' },
    ]);
  }
  const taken = new Set<string>();
  const form: JsonObject = {
    agents: request.agents.map((agent) => {
      const mark = stepMarkOf(agent.form);
      const known = mark?.guid === guid ? mark.action : undefined;
      return actionOf(agent, freeKey([known, agent.form.guid], taken));
    }),
    links: request.links,
    notes: (request.notes ?? []).map(({ form: note }) => {
      const mark = noteMarkOf(note);
      const known = mark?.guid === guid ? mark.note : undefined;
      return withKey(note, { guid: freeKey([known, note.guid], taken) });
    }),
  };
  const hidden = (await inSlices(hiddenExport(form))) as StepContent;
  const content = { ...hidden, agents: hidden.agents.map(withoutAddress) };
  if (stringifyJson(content).length > MOST_CHARACTERS) {
    throw new Unprocessable([
      { message: `"content" can have at most ${MOST_CHARACTERS} characters as JSON`, details: 'content' },
    ]);
  }
  return content;
}

/** Returns the content of a version for clients: its actions and notes have the mark that they keep in a story. */
export function markedContent(
  text: string,
  { guid, version }: { guid: string; version: number },
): StepContent {
  const content = readStepContent(text);
  const agents = content.agents.map(
    (agent) => withMark(agent, { guid, version, action: agent.guid }) as StepAction,
  );
  const notes = content.notes.map((note) =>
    note.guid === undefined ? note : (withMark(note, { guid, note: note.guid }) as StepNote),
  );
  return { ...content, agents, notes };
}

/** Returns the content that `contentOf` made, of its text. */
export function readStepContent(text: string): StepContent {
  return parseJson(text) as unknown as StepContent;
}

/** Returns the first wanted key that no other part has, or a new one; it is taken then. */
function freeKey(wanted: readonly (JsonValue | undefined)[], taken: Set<string>): string {
  const free = wanted.find(
    (key): key is string => typeof key === 'string' && /^[0-9a-f]{32}$/.test(key) && !taken.has(key),
  );
  const key = free ?? randomBytes(16).toString('hex');
  taken.add(key);
  return key;
}

/** Returns a part without the step that it came from. */
function withKey(form: JsonObject, own: JsonObject & { guid: string }): StepNote {
  const kept = Object.entries(form).filter(([name]) => name !== MARK);
  return mergedObjects<JsonValue>(orderedObject(kept), own) as unknown as StepNote;
}

function actionOf({ form, position, inputs }: GraphRequest['agents'][number], key: string): StepAction {
  const own = {
    guid: key,
    ...(position && { position: { ...position } }),
    ...(inputs && { action_inputs: inputs }),
  };
  return withKey(form, own) as unknown as StepAction;
}

/** A webhook of its own has an address of its own. */
function withoutAddress(agent: StepAction): StepAction {
  if (agent.type !== WEBHOOK_TYPE) return agent;
  const options = orderedObject(
    Object.entries(agent.options).filter(([key]) => key !== 'path' && key !== 'secret'),
  );
  return mergedObjects<JsonValue>(agent, { options }) as unknown as StepAction;
}
