import type { AgentLogLevel } from '../../agents/face.js';
import type { AgentNode, StoryGraph } from '../../stories/face.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import type { EventPort } from '../report/trial-report.js';

/** The input of a trial: a run's input as JSON text, or a stored event with what led to it. */
export type TrialInput = { json: string } | { eventId: number; storyRunGuid: string };

/** An action to try once, without storing anything. */
export interface TrialOrder {
  story: StoryGraph;
  /** With the options to try. */
  agent: AgentNode;
  input: TrialInput;
  /** Whether its requests and mails are sent. */
  sends: boolean;
  /** Aborts when nobody waits for the result any more. */
  left: AbortSignal;
}

/** A request that the action sent, or would send. */
export interface TrialRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Parsed JSON, else text, else base64; undefined without a body. */
  body: JsonValue | undefined;
  /** Status of the response; 0: there was none; undefined: it was not sent. */
  status: number | undefined;
}

/** A mail that the action sent, or would send. */
export interface TrialMail extends JsonObject {
  to: string[];
  subject: string;
  text: string;
}

/** An event that the action would emit, with the actions that would receive it. */
export interface TrialOutput {
  payload: JsonValue;
  port: EventPort;
  receiverIds: number[];
}

/** An effect of the action besides, or instead of, emitting events. */
export interface TrialEffect extends JsonObject {
  kind: string;
}

/** The result of a trial. Secrets are markers in all of it. */
export interface ActionTrial {
  /** Undefined: the options did not render. */
  options: JsonObject | undefined;
  requests: TrialRequest[];
  mails: TrialMail[];
  outputs: TrialOutput[];
  effect: TrialEffect | undefined;
  logs: { level: AgentLogLevel; message: string }[];
  error: string | undefined;
  /** Parts that were too large for the response. */
  leftOut: string[];
  tookMs: number;
}

/**
 * Runs an action once, off this process's event loop where it takes long, and stores nothing.
 * @throws Unavailable if too many are tried at once, or no thread is free; NotFound for an event that is gone; the reason of `left`.
 */
export type TryAction = (order: TrialOrder) => Promise<ActionTrial>;
