import type { CreateTrialBody, DeadLetter } from '../../../../../clients/typescript/api.js';

/** How requests of a trial are answered; nothing leaves the server. */
export interface GivenAnswer {
  /** 0: there is no response. */
  status: number;
  /** JSON, or text. */
  body: string;
}

/**
 * Returns the trial of a letter against the present story: its action gets the event again. An action that was the
 * first of its run has no event: then the run is tried from its beginning.
 */
export function trialOf(letter: DeadLetter, answer: GivenAnswer): CreateTrialBody {
  const { story_id: story, story_run_guid: run, event_id: event, agent_id: action } = letter;
  const start = event === null ? { run_guid: run } : { event_id: event, action };
  return { story_id: story, ...start, responses: [{ url: '*', ...ruleOf(answer) }] };
}

/** Returns how a rule answers. The body goes as the text that it is, so that its numbers keep all their digits. */
export function ruleOf({ status, body }: GivenAnswer) {
  if (status === 0) return { status };
  const isJson = /^\s*[[{]/.test(body);
  return { status, answer: body, ...(isJson && { headers: { 'content-type': 'application/json' } }) };
}
