import { documents } from './hostile/documents.js';
import { formulaEscapes } from './hostile/formula-escapes.js';
import { formulaFunctions } from './hostile/formula-functions.js';
import { formulaGrowth } from './hostile/formula-growth.js';
import { formulaSyntax } from './hostile/formula-syntax.js';
import type { HostileFamily } from './hostile/hostile-case.js';
import { jsonPaths } from './hostile/json-paths.js';
import { liquidEscapes } from './hostile/liquid-escapes.js';
import { liquidFilters } from './hostile/liquid-filters.js';
import { liquidGrowth } from './hostile/liquid-growth.js';
import { liquidMarkup } from './hostile/liquid-markup.js';
import { liquidTexts } from './hostile/liquid-texts.js';
import { mails } from './hostile/mails.js';
import { options } from './hostile/options.js';
import { patterns } from './hostile/patterns.js';

/** THE list of texts and patterns built to hang, grow or escape, by family. */
export const FAMILIES: readonly HostileFamily[] = [
  liquidGrowth,
  liquidTexts,
  liquidFilters,
  liquidMarkup,
  liquidEscapes,
  formulaGrowth,
  formulaFunctions,
  formulaSyntax,
  formulaEscapes,
  options,
  jsonPaths,
  patterns,
  mails,
  documents,
];
