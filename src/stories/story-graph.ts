import type { JsonObject } from '../platform/json.js';

/** An agent as the engine sees it. */
export interface AgentNode {
  id: number;
  guid: string;
  type: string;
  name: string;
  /** Under which its output is seen downstream (spec §5.1). */
  slug: string;
  disabled: boolean;
  options: JsonObject;
  /** Its links, in the order of the export. `secondary` is the no-match branch. */
  receivers: { agentId: number; secondary: boolean }[];
}

/** A story with its agents and links, as loaded by web and workers. Never changed once made. */
export interface StoryGraph {
  id: number;
  tenantId: number;
  teamId: number;
  name: string;
  guid: string;
  disabled: boolean;
  priority: boolean;
  schemaVersion: number;
  language: 'liquid' | 'formula';
  synchronousWebhooksEnabled: boolean;
  /** Webhooks that may answer with the run's result; undefined: all of them. */
  responseEntryGuids: ReadonlySet<string> | undefined;
  /** Agents whose event is the answer of a response-enabled webhook. */
  responseExitGuids: ReadonlySet<string>;
  /** Whether actions of other stories may call it; undefined: it does not say. */
  sendToStoryEnabled: boolean | undefined;
  /** The agent that such a call begins at. */
  entryGuid: string | undefined;
  /** Agents whose events the calling action gets. */
  exitGuids: ReadonlySet<string>;
  /** Raised by every change of the story. */
  version: number;
  agents: ReadonlyMap<number, AgentNode>;
}
