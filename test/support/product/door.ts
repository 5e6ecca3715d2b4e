import type { QueueName } from '../../../src/engine/dispatch/jobs.js';
import type { Inner } from './inner.js';

/** Calls of a test file to the test product: name, input and output of each, as JSON. */
export interface Door {
  /** Starts Fabula beside those that run. */
  start(options: StartOptions): { id: number; url: string; adminUrl: string };
  /** Stops it; one that has stopped stays as it is. */
  stop(id: number): void;
  /** Makes it forget stories whose rows were deleted. */
  forget(order: { id: number; storyIds: number[] }): void;
  /** Does something inside it (`inner.ts`); `input` are the arguments. */
  inner(order: { id: number; name: keyof Inner; input: unknown[] }): unknown;
  /** Runs a command of the command line. */
  runCommand(order: CommandOrder): CommandResult;
  /** Returns what in a response differs from the OpenAPI document. */
  checkResponse(facts: ResponseFacts): string[];
}

export interface StartOptions {
  env: NodeJS.ProcessEnv;
  queues?: readonly QueueName[] | undefined;
  relay?: boolean | undefined;
}

/** A call of the command line. */
export interface CommandOrder {
  /** Without the name of the program. */
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Its standard input; undefined: a terminal. */
  input?: string | undefined;
}

export interface CommandResult {
  code: number;
  out: string;
  err: string;
}

/** A response to a request, such as `GET` of `/api/v1/teams?page=2`. */
export interface ResponseFacts {
  method: string;
  path: string;
  status: number;
  contentType: string | null;
  /** Its body. */
  text: string;
}
