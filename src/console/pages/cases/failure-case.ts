import { CONSOLE_PATH } from '../../api/console-place.js';
import { nounWords } from '../../ui/words/figures.js';

const MOST_NAME_CHARS = 255;

/** Returns the name of a case about a failure in a story, as long as the API takes. */
export function failureName(storyName: string, cause: string): string {
  const name = `${storyName}: ${cause}`.replaceAll(/\s+/g, ' ');
  return Array.from(name).slice(0, MOST_NAME_CHARS).join('').slice(0, MOST_NAME_CHARS);
}

/** Returns the description of a case about a failure, in Markdown: the cause, and a list of what belongs to it. */
export function failureText(cause: string, items: readonly string[]): string {
  // A fence of the cause's own would end this one.
  return [`\`\`\`\n${cause.replaceAll('```', "'''")}\n\`\`\``, ...items.map((item) => `- ${item}`)].join(
    '\n',
  );
}

/** Returns a link to a page of the console, in Markdown. */
export const pageLink = (words: string, path: string): string =>
  `[${words.replaceAll(/[[\]]/g, '')}](${location.origin}${CONSOLE_PATH}${path})`;

/** Returns how many dead letters there are, and since when; `isAll`: no others were left uncounted. */
export const lettersSince = (count: number, since: string, isAll = true): string =>
  `${nounWords(count, 'dead letter')}${isAll ? '' : ' or more'} since ${since}`;
