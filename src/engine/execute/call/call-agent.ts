import type { AgentCall, CallDeps, CallResult, Work } from './call.js';
import { findAgentType, webhookAgent } from '../../../agents/face.js';
import { isTransient } from '../../../platform/mysql/db-errors.js';
import { messageOf, PermanentJobError } from '../../../platform/errors.js';
import { TemplateError } from '../../../platform/text/template-error.js';
import {
  type NeededValues,
  type RenderOptionsInput,
  type SecretCalls,
  type TeamValuesSnapshot,
  type TemplateLanguage,
} from '../../../language/face.js';
import { type AgentInput, loadInput } from './agent-input.js';
import { CallContext, DeliveryScope } from './call-context.js';
import type { CachedEvent } from '../../state/events/event-cache.js';
import { runInLane, mentionsOf } from '../scheduling/run-in-lane.js';
import { linksWith } from '../../prompts/prompt-links.js';
import { createTeamSecretCalls } from '../../secrets/team-secret-calls.js';
import { verificationKeys } from '../../secrets/verification-keys.js';
import { usesTestValues } from '../../secrets/uses-test-values.js';
import { threadScope } from '../scheduling/thread-scope.js';
import type { ThreadScope } from '../scheduling/thread-work.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';

/** Renders the agent's options for its input and runs it. */
export async function callAgent(work: Work, call: AgentCall): Promise<CallResult> {
  const { story, agent } = work;
  const type = findAgentType(agent.type);
  if (type === undefined) throw new PermanentJobError(`This server cannot run actions of type ${agent.type}`);
  if (work.isStart && agent.type === webhookAgent.type) return inputAsOutput(work.event);
  const language = call.deps.languages[story.language];
  const named = await mentionsOf(work, language, call);
  const needed = type.readsWholeEvent?.(agent.options) === true ? 'all' : named.slugs;
  const input = await loadInput(work.event, needed, call.deps.loader);
  const mark = (await call.deps.idempotencyKeys())(work.delivery);
  const prompts = { ...(await call.deps.prompts.keys()), mark };
  const tainted = named.credentials || input.holdsReference;
  const runWith = async (values: TeamValuesSnapshot): Promise<CallResult> => {
    const keys = tainted ? await keysOf(work, { values, input, language }, call) : NO_KEYS;
    const render: RenderOptionsInput = {
      language,
      scope: new DeliveryScope(work, call.deps.domain, {
        input,
        values,
        prompt: linksWith(prompts)(mark, call.prompts),
        secrets: tainted ? secretCalls(work, keys, call) : undefined,
      }),
      mostCharacters: type.mostCharacters,
      valueOptions: type.valueOptions ?? [],
      rawOptions: type.rawOptions ?? [],
      inputs: agent.inputs,
    };
    const context = new CallContext(work, call, { input, mark, tainted });
    const scope = () =>
      threadScope({ render, input, prompts, secrets: secretsFor(render, { work, keys }, call) });
    return runInLane(work, { type, render, input, context, scope, call });
  };
  return needsValues(named) ? withValues(runWith, named, { story, call }) : runWith(NO_VALUES);
}

/**
 * Runs an agent with the team's values. If a template fails, and the team has credentials or stories that are newer than
 * what was cached, it is rendered again with these: not after a loop has sent something, which would be sent twice.
 */
async function withValues(
  run: (values: TeamValuesSnapshot) => Promise<CallResult>,
  named: NeededValues,
  { story, call }: { story: Work['story']; call: AgentCall },
): Promise<CallResult> {
  const began = performance.now();
  const values = await loadValues(story, named, call.deps);
  try {
    return await run(values);
  } catch (error) {
    if (!(error instanceof TemplateError) || call.hasSent === true) throw error;
    const newer = await loadValues(story, named, call.deps, began);
    const has = (names: (of: TeamValuesSnapshot) => ReadonlyMap<string, unknown>) =>
      [...names(newer).keys()].some((name) => !names(values).has(name));
    if (!has(({ credentials }) => credentials) && !has(({ stories }) => stories)) throw error;
    call.logs.length = 0;
    call.prompts.clear();
    return run(newer);
  }
}

/** Returns the run's input, as stored, as the output of its webhook agent. */
function inputAsOutput(event: CachedEvent): CallResult {
  return { texts: [{ payload: event.text ?? stringifyJson(event.payload), branch: 'normal' }] };
}

const NO_KEYS: ReadonlyMap<string, string> = new Map();

/** Not the secrets of the clients: a key is sent nowhere, and may be bound to any host. */
function keysOf(
  { agent, story }: Work,
  { values, input, language }: { values: TeamValuesSnapshot; input: AgentInput; language: TemplateLanguage },
  { deps }: AgentCall,
): Promise<ReadonlyMap<string, string>> {
  const eventTexts = () => (input.holdsReference ? input.texts().map(([, text]) => text) : []);
  return verificationKeys(
    { options: agent.options, language, credentials: values.credentials, eventTexts },
    () => deps.vault.forTeam(story.teamId, story.tenantId),
  );
}

function secretCalls(
  { story }: Work,
  keys: ReadonlyMap<string, string>,
  { deps, logs }: AgentCall,
): SecretCalls {
  return createTeamSecretCalls(story.teamId, {
    sign: (content) => deps.vault.signer().sign(content),
    logs,
    keys,
  });
}

/** Returns what a thread needs for the same secret calls; undefined without secrets. */
function secretsFor(
  { scope }: RenderOptionsInput,
  { work, keys }: { work: Work; keys: ReadonlyMap<string, string> },
  { deps }: AgentCall,
): ThreadScope['secrets'] {
  if (scope.secrets === undefined) return undefined;
  const key = deps.vault.hasKey ? deps.vault.signer().signingKey : undefined;
  return { teamId: work.story.teamId, key, keys: [...keys] };
}

const NO_VALUES: TeamValuesSnapshot = { resources: new Map(), credentials: new Map(), stories: new Map() };

function needsValues({ resources, credentials, stories }: NeededValues): boolean {
  return resources || credentials || stories;
}

/** Only transient errors are retried: a missing ENCRYPTION_KEY, for example, is still missing at the next attempt. */
async function loadValues(
  story: Work['story'],
  needs: NeededValues,
  deps: CallDeps,
  since?: number,
): Promise<TeamValuesSnapshot> {
  const asked = usesTestValues(story) ? { ...needs, isTest: true } : needs;
  try {
    return await deps.values.load(story.teamId, asked, since);
  } catch (error) {
    if (isTransient(error)) throw error;
    throw new PermanentJobError(messageOf(error), { cause: error });
  }
}
