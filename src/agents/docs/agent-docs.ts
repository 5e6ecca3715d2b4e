import type { JsonValue } from '../../platform/json.js';

/** An option for the author of a story. Its schema says the type and the default. */
export interface OptionDocs {
  /** The meaning, as sentences. */
  description: string;
  /** A value that the schema takes. */
  example: JsonValue;
}

/** Options by name. A test compares the names with the schema, and runs each example through it. */
export type OptionTable = Readonly<Record<string, OptionDocs>>;

/** One way in which a type works: a value of the option `mode`. */
export interface ModeDocs {
  description: string;
  /** The event that it emits. */
  emits: string;
  options: OptionTable;
}

/** A type of agent for the author of a story; shown at `GET /api/v1/agent_types`. */
export interface AgentDocs {
  /** `HTTP request` */
  name: string;
  description: string;
  /** The events and requests that it receives. */
  receives: string;
  /** The event that it emits. */
  emits: string;
  options: OptionTable;
  /** By the value of `mode`. */
  modes?: Readonly<Record<string, ModeDocs>>;
  /** Whether the option `loop` works. */
  loops: boolean;
}
