import Joi from 'joi';
import type { JsonValue } from '../../platform/json.js';
import { KNOWN_NAMES } from '../options/option-rules.js';
import { flag, scalar, optionText, word } from '../options/options.js';
import { compileOptionPattern, startSearches } from '../pattern.js';
import { defineMode } from './mode.js';
import { orderedObject } from '../../platform/json/ordered-object.js';

interface Matcher {
  path?: JsonValue;
  regexp: string;
  to: string;
}

interface ExtractOptions {
  matchers: Matcher[];
  emit_no_match: boolean;
}

/**
 * `extract`: emits one event with all matches of each matcher's pattern in the text at its `path`, as a list under `to`
 * (spec §5.3: like Ruby's `String#scan`, so a pattern with groups gives a list of lists). Emits nothing
 * if no matcher matches, unless `emit_no_match`.
 */
export const extract = defineMode<ExtractOptions>({
  options: Joi.object({
    matchers: Joi.array()
      .items(
        Joi.object({
          path: Joi.any(),
          regexp: word().trim(false).required(),
          to: scalar().required(),
        })
          .unknown(true)
          .meta(KNOWN_NAMES),
      )
      .single()
      .required(),
    emit_no_match: flag().default(false),
  }).unknown(true),
  run({ matchers, emit_no_match: emitNoMatch }, { log }) {
    const found = new Map<string, JsonValue[]>();
    const time = startSearches();
    for (const [index, { path, regexp, to }] of matchers.entries()) {
      const pattern = compileOptionPattern(regexp, { name: `matchers[${index}].regexp`, ignoreCase: false });
      const { matches, searched, length } = pattern.scan(optionText(path), time);
      if (searched < length) {
        log('warn', `matchers[${index}]: only the first ${searched} of ${length} characters were searched`);
      }
      found.set(to, [...(found.get(to) ?? []), ...matches]);
    }
    const empty = [...found.values()].every((list) => list.length === 0);
    return empty && !emitNoMatch ? [] : [orderedObject([...found])];
  },
});
