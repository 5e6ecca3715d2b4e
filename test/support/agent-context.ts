import type { AgentContext, MailSender, RequestSender } from '../../src/agents/agent.js';
import { findAgentType } from '../../src/agents/index.js';
import { StoredMailProgress } from '../../src/engine/execute/call/mail-progress.js';
import { runAgent } from '../../src/agents/options/options.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import type { HttpClient } from '../../src/platform/outbound/http-exchange.js';
import type { Mail, Mailer } from '../../src/platform/outbound/mail/mail.js';

/** Parts that a test may replace; the clients as they are below the engine. */
export type ContextOverrides = Omit<Partial<AgentContext>, 'http' | 'mailer'> & {
  http?: Pick<HttpClient, 'request'>;
  mailer?: Pick<Mailer, 'send'>;
};

/** Sends what is built, as the engine does where no secret is in it. */
function requestSender(http: Pick<HttpClient, 'request'>): RequestSender {
  return {
    async send(options, build) {
      const request = build(options);
      return { response: await http.request(request), host: new URL(request.url).host };
    },
  };
}

function mailSender(mailer: Pick<Mailer, 'send'>): MailSender {
  return {
    async send(options, build, signal) {
      const built = build(options);
      return { built, refused: await mailer.send(built.mail, signal) };
    },
  };
}

const NO_HTTP = { request: () => Promise.reject(new Error('no HTTP here')) };
const NO_MAIL = { send: () => Promise.reject(new Error('no mail here')) };

/** A context for one run of an agent, with the lines it logs; guids count up. */
export function agentContext({ http = NO_HTTP, mailer = NO_MAIL, ...overrides }: ContextOverrides = {}) {
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
    round: '',
    mailProgress: new StoredMailProgress(null),
    http: requestSender(http),
    mailer: mailSender(mailer),
    newGuid: () => `guid-${(guids += 1)}`,
    signal: () => new AbortController().signal,
    log: (level, message) => logs.push({ level, message }),
    ...overrides,
  };
  return { context, logs };
}

/** Runs an agent type on rendered options, as the engine does. */
export async function runType(name: string, options: JsonObject, overrides: ContextOverrides = {}) {
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
