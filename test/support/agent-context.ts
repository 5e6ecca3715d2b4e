import type { AgentContext } from '../../src/agents/agent.js';
import { findAgentType } from '../../src/agents/index.js';
import { runAgent } from '../../src/agents/options.js';
import type { JsonObject, JsonValue } from '../../src/json.js';
import type { Mail } from '../../src/outbound/mailer.js';

/** A context for one run of an agent, with the lines it logs; guids count up. */
export function agentContext(overrides: Partial<AgentContext> = {}) {
  const logs: { level: string; message: string }[] = [];
  let guids = 0;
  const context: AgentContext = {
    agent: { id: 1, guid: 'a'.repeat(32), name: 'Agent', type: 'Agents::Any' },
    story: { id: 1, tenantId: 1, name: 'Story', schemaVersion: 3 },
    storyRunGuid: '01900000-0000-7000-8000-000000000000',
    event: {},
    resumed: false,
    attempt: 0,
    maxAttempts: 10,
    idempotencyKey: 'epoch-1-0',
    http: { request: () => Promise.reject(new Error('no HTTP here')), close: () => Promise.resolve() },
    mailer: { send: () => Promise.reject(new Error('no mail here')), close: () => Promise.resolve() },
    newGuid: () => `guid-${(guids += 1)}`,
    signal: () => new AbortController().signal,
    log: (level, message) => logs.push({ level, message }),
    ...overrides,
  };
  return { context, logs };
}

/** Runs an agent type on rendered options, as the engine does. */
export async function runType(name: string, options: JsonObject, overrides: Partial<AgentContext> = {}) {
  const agent = findAgentType(`Agents::${name}Agent`);
  if (agent === undefined) throw new Error(`no agent type ${name}`);
  const { context, logs } = agentContext(overrides);
  const result = await runAgent(agent, options, context);
  const outputs = 'outputs' in result ? result.outputs : [];
  return { result, outputs, logs, payloads: outputs.map(({ payload }): JsonValue => payload) };
}

/** A mailer that keeps what it is given. */
export function recordingMailer() {
  const mails: Mail[] = [];
  return {
    mails,
    send: (mail: Mail) => {
      mails.push(mail);
      return Promise.resolve([]);
    },
    close: () => Promise.resolve(),
  };
}
