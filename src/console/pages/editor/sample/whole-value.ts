import type { GraphAction } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import type { Path } from '../../../story-model/value-in.js';
import { textOf } from '../publish/difference-groups.js';
import { type SampleSource, sampleQuery } from './sample-source.js';

interface Wanted {
  /** The options as the form shows them. */
  options: GraphAction['options'];
  /** The story or the draft. */
  storyId: number;
  source: SampleSource | undefined;
  /** What the sample of this browser gives the action. */
  saved: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Returns the value of one option in the sample, with all of its text: other values are indented JSON. @throws Error for
 * options that cannot be rendered.
 */
export async function wholeValue(
  { guid, type, action_inputs: inputs }: GraphAction,
  path: Path,
  { options, storyId, source, saved }: Wanted,
): Promise<string> {
  const { value, error } = await api.templates.render({
    options,
    type,
    story_id: storyId,
    ...(inputs && { action_inputs: inputs }),
    ...sampleQuery(source, guid, saved),
  });
  if (error !== null) throw new Error([error.option, error.message].filter(Boolean).join(': '));
  const found = path.reduce<unknown>((whole, step) => (whole as Record<string, unknown>)[step], value);
  return textOf(found ?? 'null');
}
