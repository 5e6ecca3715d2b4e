import { writeFileSync } from 'node:fs';
import { SCHEMA_FILE, storyFileSchema } from './story-schema.js';

/** `npm run docs:schema`: writes the JSON Schema of the files of stories. */
writeFileSync(SCHEMA_FILE, `${JSON.stringify(storyFileSchema(), null, 2)}\n`);
