import type { Run, RunDetails } from '../../../../clients/typescript/api.js';
import type { Tone } from '../../ui/words/badge.js';
import type { RunState } from './run-query.js';

/** The tone of a run's state. */
export const TONES: Readonly<Record<Run['status'], Tone>> = {
  running: 'running',
  completed: 'ok',
  failed: 'bad',
  cancelled: 'plain',
};

/** Words for the states to choose from. */
export const STATE_WORDS: Readonly<Record<RunState, string>> = {
  running: 'running',
  completed: 'completed',
  warnings: 'completed with warnings',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** The spans to choose from, with words. */
export const SPAN_WORDS: readonly (readonly [string, string])[] = [
  ['', 'Any time'],
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
];

/** Words for the source of a run. */
export const SOURCE_WORDS: Readonly<Record<Run['source'], string>> = {
  webhook: 'Webhook',
  api: 'Manual or API',
  schedule: 'Schedule',
  send_to_story: 'Another story',
};

/** Returns the words for the source of a run that is known with its input: a call of a webhook by hand has none. */
export const runSourceWords = ({ source, input }: Pick<RunDetails, 'source' | 'input'>): string =>
  source === 'api' && input === null ? 'Test call' : SOURCE_WORDS[source];

/** Returns the path of a run's page. */
export const runPath = ({ story_id: story, guid }: Pick<Run, 'story_id' | 'guid'>) =>
  `/runs/${story}/${guid}`;

const RANDOM = { from: 24, to: 32 };

/** Returns the first eight random digits of a guid, whose beginning is its time, and whose end that of one process. */
export const shortGuid = (guid: string) => guid.slice(RANDOM.from, RANDOM.to);
