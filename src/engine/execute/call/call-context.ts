import { type AgentContext, callsInLoop, type MailSender, type RequestSender } from '../../../agents/face.js';
import type { JsonObject } from '../../../platform/json.js';
import type { HttpClient, HttpRequest } from '../../../platform/outbound/http-exchange.js';
import type { Mailer } from '../../../platform/outbound/mail/mail.js';
import type { SecretCalls, TeamValuesSnapshot, TemplateScope } from '../../../language/face.js';
import type { AgentInput } from './agent-input.js';
import type { AgentCall, Work } from './call.js';
import { endedCalls } from '../../calls/call-results.js';
import type { AgentLogEntry } from '../../state/outcome.js';
import { createMailSender, createRequestSender } from '../../secrets/secret-senders.js';

// Classes instead of literals with getters: V8 gives each such literal its own shape, which makes property reads slow.

interface ScopeParts {
  input: AgentInput;
  values: TeamValuesSnapshot;
  prompt: TemplateScope['prompt'];
  secrets: SecretCalls | undefined;
}

/** The values that templates of one delivery may use; the event is assembled when it is read first. */
export class DeliveryScope implements TemplateScope {
  readonly resources: TemplateScope['resources'];
  readonly credentials: TemplateScope['credentials'];
  readonly stories: TemplateScope['stories'];
  readonly meta: JsonObject;
  readonly storyRunGuid: string;
  readonly prompt: TemplateScope['prompt'];
  readonly secrets: SecretCalls | undefined;
  private readonly input: AgentInput;

  constructor({ story, delivery }: Work, domain: string, { input, values, prompt, secrets }: ScopeParts) {
    const { storyRunGuid } = delivery;
    this.resources = values.resources;
    this.credentials = values.credentials;
    this.stories = values.stories;
    this.meta = {
      tenant: { domain },
      story: { id: story.id, name: story.name, guid: story.guid },
      story_run: { id: storyRunGuid, guid: storyRunGuid },
    };
    this.storyRunGuid = storyRunGuid;
    this.prompt = prompt;
    this.secrets = secrets;
    this.input = input;
  }

  get event(): JsonObject {
    return this.input.payload;
  }
}

/** The context of one agent execution. Clients are created at their first use: most agents need none. */
export class CallContext implements AgentContext {
  readonly agent: AgentContext['agent'];
  readonly story: AgentContext['story'];
  readonly storyRunGuid: string;
  readonly resumed: boolean;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly idempotencyKey: string;
  readonly round = '';
  readonly mailProgress: AgentContext['mailProgress'];
  readonly newGuid: AgentContext['newGuid'];
  readonly endedCalls: AgentContext['endedCalls'];
  readonly signal: AgentContext['signal'];
  readonly log: AgentContext['log'];
  readonly noteRules: AgentContext['noteRules'];
  writeResponse: AgentContext['writeResponse'];
  readResponse: AgentContext['readResponse'];
  private readonly input: AgentInput;
  private readonly call: AgentCall;
  private readonly tainted: boolean;

  constructor(
    { delivery, story, agent }: Work,
    call: AgentCall,
    { input, mark, tainted }: { input: AgentInput; mark: string; tainted: boolean },
  ) {
    this.agent = { id: agent.id, guid: agent.guid, name: agent.name, type: agent.type };
    this.story = {
      id: story.id,
      tenantId: story.tenantId,
      name: story.name,
      schemaVersion: story.schemaVersion,
    };
    this.storyRunGuid = delivery.storyRunGuid;
    this.resumed = delivery.resumed;
    this.attempt = delivery.attempts;
    this.maxAttempts = call.deps.limits.maxAttempts;
    this.idempotencyKey = `${mark}-${delivery.retries}`;
    this.mailProgress = call.mailProgress;
    this.newGuid = () => call.deps.newGuid();
    this.endedCalls = callsInLoop(agent) ? () => endedCalls(delivery.id, call.deps) : undefined;
    this.signal = () => call.stop.signal;
    this.log = (level: AgentLogEntry['level'], message: string) => void call.logs.push({ level, message });
    const { noteRules } = call.deps;
    this.noteRules = noteRules && ((rules) => noteRules(agent.id, rules));
    this.writeResponse = undefined;
    this.readResponse = undefined;
    this.input = input;
    this.call = call;
    this.tainted = tainted;
  }

  get event(): JsonObject {
    return this.input.payload;
  }

  get http(): RequestSender {
    const { deps, watched } = this.call;
    if (deps.keepsRequests === true) this.call.sent ??= { last: undefined };
    const { sent } = this.call;
    const client = this.noting(watched?.client?.(deps.http) ?? deps.http);
    const sender = createRequestSender(client, this.secrets(), sent);
    return deps.watchSender?.(sender) ?? sender;
  }

  get mailer(): MailSender {
    const mailer = this.tenantMailer();
    const noting: Mailer = {
      send: (mail, signal) => {
        this.call.hasSent = true;
        return mailer.send(mail, signal);
      },
      close: () => mailer.close(),
    };
    return createMailSender(noting, this.secrets());
  }

  private secrets() {
    return this.tainted ? this.call.secrets() : undefined;
  }

  /** Tells a webhook which run calls it. */
  private get chainHeaders(): Pick<HttpRequest, 'hopHeaders'> {
    const { chainMarks } = this.call.deps;
    return chainMarks === undefined ? {} : { hopHeaders: chainMarks.headersFor(this.storyRunGuid) };
  }

  private noting(http: HttpClient): HttpClient {
    return {
      request: (request) => {
        this.call.hasSent = true;
        return http.request({ ...request, ...this.chainHeaders });
      },
      close: () => http.close(),
    };
  }

  /** Changes that the tenant's mailer makes to a mail are written to the agent's log. */
  private tenantMailer(): Mailer {
    const { deps, logs, watched } = this.call;
    const mailer = deps.mailers.of(this.story.tenantId, (message) => logs.push({ level: 'warn', message }));
    return watched?.mailer?.(mailer) ?? mailer;
  }
}
