import { say } from '../../../ui/overlay/toasts.js';
import { type PayloadPlace, savePayload } from '../../editor/sample/payload-store.js';
import { writeSample } from '../../editor/sample/sample-source.js';

/** The name of the sample that a story begins with. */
const NAME = 'Pasted call';

/** The name of that sample in addresses of the editor. */
export const PASTED_SAMPLE = writeSample({ kind: 'saved', name: NAME });

/** Keeps a payload in this browser. Returns the sample for the address of the editor; none where nothing can be kept. */
export async function keptSample(place: PayloadPlace, text: string): Promise<{ sample?: string }> {
  try {
    await savePayload(place, { name: NAME, text });
    return { sample: PASTED_SAMPLE };
  } catch {
    say('This browser cannot keep the call as a sample.', 'bad');
    return {};
  }
}
