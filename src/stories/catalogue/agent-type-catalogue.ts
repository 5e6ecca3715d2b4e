import type Joi from 'joi';
import {
  AGENT_DOCS,
  AGENT_TYPES,
  type AgentDocs,
  IMPORT_ONLY_TYPES,
  LOCAL_OPTION,
  LOOP_OPTION,
  MODES,
  type OptionTable,
} from '../../agents/face.js';
import { jsonSchemaOf } from '../../api/face.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';

/** An option of an agent type, as a response shows it. */
export interface OptionView extends JsonObject {
  name: string;
  description: string;
  required: boolean;
  /** JSON Schema of the rendered value. */
  schema: JsonObject;
  /** null: none. */
  default: JsonValue;
  example: JsonValue;
}

/** A mode of an agent type, as a response shows it. */
export interface ModeView extends JsonObject {
  mode: string;
  description: string;
  emits: string;
  options: OptionView[];
}

/** An agent type, as a response shows it. Keys in snake_case. */
export interface AgentTypeView extends JsonObject {
  type: string;
  name: string;
  description: string;
  /** Whether it runs on this server. */
  runnable: boolean;
  /** Why it does not run; otherwise null. */
  reason: string | null;
  receives: string | null;
  emits: string | null;
  options: OptionView[];
  modes: ModeView[];
}

/** Returns all agent types: those that run, with the options that their schemas check, then those that are only stored. */
export function agentTypeCatalogue(): AgentTypeView[] {
  const running = [...AGENT_TYPES.values()].map(({ type, options }) => {
    const docs = AGENT_DOCS.get(type);
    if (docs === undefined) throw new Error(`The agent type ${type} has no documentation`);
    return shownType(type, options, docs);
  });
  return [...running, ...[...IMPORT_ONLY_TYPES].map(([type, reason]) => stored(type, reason))];
}

function shownType(type: string, schema: Joi.Schema, docs: AgentDocs): AgentTypeView {
  const { name, description, receives, emits, modes = {} } = docs;
  const common = optionsOf({ ...(docs.loops && LOOP_OPTION), ...LOCAL_OPTION }, {});
  return {
    type,
    name,
    description,
    runnable: true,
    reason: null,
    receives,
    emits,
    options: [...optionsOf(docs.options, jsonSchemaOf(schema)), ...common],
    modes: Object.entries(modes).map(([mode, { options, ...about }]) => ({
      mode,
      ...about,
      options: optionsOf(options, modeSchema(mode)),
    })),
  };
}

function stored(type: string, reason: string): AgentTypeView {
  return {
    type,
    name: type.replace(/^Agents::|Agent$/g, ''),
    description: 'A type of the export format that is stored and does not run.',
    runnable: false,
    reason,
    receives: null,
    emits: null,
    options: [],
    modes: [],
  };
}

function modeSchema(mode: string): JsonObject {
  const found = MODES.get(mode);
  if (found === undefined) throw new Error(`There is no transformation mode ${mode}`);
  return jsonSchemaOf(found.options);
}

function optionsOf(table: OptionTable, { properties, required }: JsonObject): OptionView[] {
  return Object.entries(table).map(([name, { description, example }]) => {
    const schema = isJsonObject(properties) ? properties[name] : undefined;
    const shown = isJsonObject(schema) ? schema : {};
    return {
      name,
      description,
      required: Array.isArray(required) && required.includes(name),
      schema: shown,
      default: shown['default'] ?? null,
      example,
    };
  });
}
