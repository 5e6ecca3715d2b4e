import { jsonFormat } from './json-format.js';
import type { FormatName, TextFormat } from './text-format.js';
import { yamlFormat } from './yaml-format.js';

/** The formats of texts that people edit. Loaded with the editor of texts: its readers are large. */
export const FORMATS: Readonly<Record<FormatName, TextFormat>> = { json: jsonFormat, yaml: yamlFormat };
