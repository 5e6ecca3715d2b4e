import type { CreateTrialBody, StoryTrial } from '../../../../../clients/typescript/api.js';
import type { StoryDraft } from '../../../story-model/story-draft.js';
import { type GivenAnswer, ruleOf } from '../../dead-letters/trial/trial-input.js';

/** A rule of a person that answers requests. */
export interface RequestRule extends GivenAnswer {
  key: string;
  /** Empty: any method. */
  method: string;
  /** `*` stands for any text. */
  url: string;
}

/** What a trial begins with. */
export type TrialBeginning =
  /** A run answers and is compared. `eventId`: the event of it to begin with; absent: its first. */
  | { kind: 'run'; guid: string; eventId?: number | undefined; action?: string | undefined }
  | { kind: 'event'; id: number; action: string | undefined }
  | { kind: 'payload'; event: Readonly<Record<string, unknown>>; action: string | undefined };

/** The story or the draft that is tried. */
export interface TriedPlace {
  storyId: number;
  draftId: number | undefined;
}

/** Returns the request of a trial. Rules without a URL answer nothing, so they are left out. */
export function trialBody(
  { storyId, draftId }: TriedPlace,
  beginning: TrialBeginning,
  rules: readonly RequestRule[],
): CreateTrialBody {
  const responses = rules
    .filter(({ url }) => url.trim() !== '')
    .map(({ method, url, status, body }) => ({
      ...(method !== '' && { method }),
      url: url.trim(),
      ...ruleOf({ status, body }),
    }));
  return {
    ...(draftId === undefined ? { story_id: storyId } : { draft_id: draftId }),
    ...beginningOf(beginning),
    ...(responses.length > 0 && { responses }),
  };
}

function beginningOf(beginning: TrialBeginning): Partial<CreateTrialBody> {
  const { action } = beginning;
  return { ...startOf(beginning), ...(action !== undefined && { action }) };
}

function startOf(beginning: TrialBeginning): Partial<CreateTrialBody> {
  if (beginning.kind === 'event') return { event_id: beginning.id };
  if (beginning.kind === 'payload') return { event: { ...beginning.event } };
  const { guid, eventId } = beginning;
  return { run_guid: guid, ...(eventId !== undefined && { event_id: eventId }) };
}

/** Requests to one host that a trial would send. */
export interface SentGroup {
  method: string;
  host: string;
  count: number;
}

/** Returns the requests of a trial that no rule answered, by method and host, in the order of the first of each. */
export function toSend({ requests }: Pick<StoryTrial, 'requests'>): SentGroup[] {
  const groups = new Map<string, SentGroup>();
  for (const { method, url, response_from: from } of requests) {
    if (from === 'rule') continue;
    const host = URL.canParse(url) ? new URL(url).host : url;
    const key = `${method} ${host}`;
    groups.set(key, { method, host, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  return [...groups.values()];
}

/** The server takes so many rules. */
const MOST_RULES = 200;

/**
 * Returns a request that sends what the last trial asked for. Actions that made no request in it send nothing: nobody has seen
 * what they would send. @throws Error with a sentence if these are more than a request can name.
 */
export function sendingBody(
  body: CreateTrialBody,
  { requests }: Pick<StoryTrial, 'requests'>,
  { actions }: StoryDraft,
): CreateTrialBody {
  const seen = new Set(requests.map(({ action }) => action?.guid));
  const silent = [...actions.values()].flatMap(({ guid, type }) =>
    guid === undefined || !SENDING.has(type) || seen.has(guid) ? [] : [guid],
  );
  const blocks = silent.map((action) => ({
    action,
    url: '*',
    status: 0,
    answer: 'Not confirmed for sending',
  }));
  const responses = [...(body.responses ?? []), ...blocks];
  if (responses.length > MOST_RULES)
    throw new Error('The story has too many HTTP actions to send this trial.');
  return { ...body, responses, send: true };
}

/** Types whose actions may make requests. */
const SENDING: ReadonlySet<string> = new Set(['Agents::HTTPRequestAgent']);
