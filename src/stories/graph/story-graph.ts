import type { JsonObject } from '../../platform/json.js';

/**
 * The kind of a link. `secondary`: the no-match branch of a trigger. `failure`: the error of an action that failed for
 * good (docs/build/agents.md, Failures).
 */
export type LinkKind = 'normal' | 'secondary' | 'failure';

/** An agent in the form that the engine uses. */
export interface AgentNode {
  id: number;
  guid: string;
  type: string;
  name: string;
  /** The key of its output in downstream input (spec §5.1). */
  slug: string;
  disabled: boolean;
  options: JsonObject;
  /** Its template inputs, which templates see as `INPUT`, by slug; absent: it has none. */
  inputs?: JsonObject | undefined;
  /** Its links, in the order of the export. */
  receivers: { agentId: number; kind: LinkKind }[];
  /** The ids that it had in other installations, oldest first, separated by commas. */
  pastIds?: string | undefined;
}

/** A story with its agents and links, as web and workers load it. Immutable. */
export interface StoryGraph {
  id: number;
  tenantId: number;
  teamId: number;
  name: string;
  guid: string;
  disabled: boolean;
  /** Its tenant is being moved: nothing begins, and nothing is worked on. */
  frozen?: boolean | undefined;
  priority: boolean;
  schemaVersion: number;
  language: 'liquid' | 'formula';
  synchronousWebhooksEnabled: boolean;
  /** Webhooks that may respond with the run's result; undefined: all of them. */
  responseEntryGuids: ReadonlySet<string> | undefined;
  /** Agents whose event is the response of a response-enabled webhook. */
  responseExitGuids: ReadonlySet<string>;
  /** Whether actions of other stories may start its runs; undefined: not set. */
  sendToStoryEnabled: boolean | undefined;
  /** Stories of which teams may start its runs; null: of its own. */
  access: 'TEAM' | 'GLOBAL' | 'SPECIFIC_TEAMS' | null;
  /** Slugs of the teams of `SPECIFIC_TEAMS`. */
  sharedTeamSlugs: ReadonlySet<string>;
  /** The first agent of a run that Send to story starts. */
  entryGuid: string | undefined;
  /** Agents whose events are returned to the Send to story action. */
  exitGuids: ReadonlySet<string>;
  /** The story that this is a draft of: its records are test records. undefined: it is no draft. */
  draftOf?: number | undefined;
  /** Incremented by every change of the story. */
  version: number;
  agents: ReadonlyMap<number, AgentNode>;
}
