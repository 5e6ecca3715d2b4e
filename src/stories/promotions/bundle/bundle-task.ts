import { createLanguages } from '../../../language/face.js';
import type { JsonObject } from '../../../platform/json.js';
import { jsonLines } from '../../../platform/json/json-lines.js';
import { orderedObject } from '../../../platform/json/ordered-object.js';
import { atOnce } from '../../../platform/steps.js';
import { hiddenExport } from '../../agents/hidden-options.js';
import { exportAlone } from '../../export/export.js';
import type { StoryExport } from '../../export/export-form.js';
import { givenAddress, WEBHOOK_TYPE } from '../../import/import-address.js';
import { languageOf } from '../../import/plan/language.js';
import { requiredRecordTypes } from '../../import/plan/required-record-types.js';
import { storyOfSnapshot } from '../../versions/version-snapshot.js';
import { type NamedNeeds, namedNeeds } from './named-needs.js';

/** A story for a bundle. */
export interface BundledStory {
  /** The story in the export form, without secrets and embedded stories, in lines. */
  data: string;
  needs: NamedNeeds & { recordTypes: string[]; webhookPaths: string[] };
}

const LANGUAGES = createLanguages();

/** Makes a part of a bundle of the snapshot of a story. Pure; for a thread if the text is large. */
export function bundleStory(text: string): BundledStory {
  const form = exportAlone(storyOfSnapshot(text)) as StoryExport;
  const named = namedNeeds(form, LANGUAGES[languageOf(form)]);
  const webhookPaths = form.agents.flatMap(({ type, options }) =>
    type === WEBHOOK_TYPE ? (givenAddress(options).path ?? []) : [],
  );
  const recordTypes = requiredRecordTypes([form]).types.map(({ name }) => name);
  const entries = Object.entries(atOnce(hiddenExport(form)));
  const data: JsonObject = orderedObject(entries.filter(([key]) => key !== 'send_to_stories'));
  return { data: jsonLines(data), needs: { ...named, recordTypes, webhookPaths } };
}
