import { messageOf } from '../../../../platform/errors.js';
import { readYaml, writeYaml } from '../../../../platform/text/yaml/yaml.js';
import { MAX_OUTPUT_CHARACTERS } from '../../../limits.js';
import { TemplateError } from '../../../../platform/text/template-error.js';
import { shortened } from '../../../../platform/text/shortened.js';
import { isRecord, textOf } from '../../../values/values.js';
import { sizeWithin } from '../../../values/value-size.js';
import { numberFrom } from '../../evaluation/numbers.js';
import type { FunctionCall, FunctionTable } from '../formula-function.js';

/** Reading takes about a second for four times as much. */
const MAX_CHARACTERS = 256 * 1024;
/** The tree of a text takes far more memory, and time, than the text. */
const ELEMENTS_OF_CHARACTER = 16;
const SYMBOLS_VERSION = 2;

/** Functions that read and write YAML 1.1. */
export const yamlFunctions: FunctionTable = {
  YAML_PARSE: {
    takes: 'text, parse_date_or_time?, version?',
    gives:
      'the value of a YAML text; of several documents, the first. With `parse_date_or_time: TRUE`, times become `2007-04-01 12:00:00 UTC`; with `version: 2` so do they, and `:name` is `name`',
    example: ['YAML_PARSE("a: 1\\nb: [x, yes]")', { a: 1, b: ['x', true] }],
    run: ([text, readsTimes, version], call) => parsedYaml(textOf(text), { readsTimes, version }, call),
  },
  TO_YAML: {
    takes: 'value',
    gives: 'the value as YAML in blocks',
    example: ['TO_YAML({a: [1, "x"], b: "yes"})', '---\na:\n- 1\n- x\nb: "yes"\n'],
    run: ([value], { charge }) => {
      charge(sizeWithin(value, MAX_OUTPUT_CHARACTERS / ELEMENTS_OF_CHARACTER) * ELEMENTS_OF_CHARACTER);
      return writeYaml(value);
    },
  },
  IS_YAML: {
    takes: 'text, parse_date_or_time?, strict?',
    gives: 'TRUE for a text that is YAML; with `strict: TRUE` only if it has keys and values',
    example: ['IS_YAML("foo: bar- foo:")', false],
    run: ([text, readsTimes, strict], call) => {
      try {
        const value = parsedYaml(textOf(text), { readsTimes, version: undefined }, call);
        return strict !== true || isRecord(value);
      } catch (error) {
        if (error instanceof NotYaml) return false;
        throw error;
      }
    },
  },
};

class NotYaml extends TemplateError {}

function parsedYaml(
  text: string,
  { readsTimes, version }: { readsTimes: unknown; version: unknown },
  { charge }: FunctionCall,
): unknown {
  if (text.length > MAX_CHARACTERS)
    throw new TemplateError(`YAML can have at most ${MAX_CHARACTERS} characters`);
  charge(text.length * ELEMENTS_OF_CHARACTER);
  const readsSymbols = numberFrom(version) === SYMBOLS_VERSION;
  let value: unknown;
  try {
    value = readYaml(text, { readsTimes: readsSymbols || readsTimes === true, readsSymbols });
  } catch (error) {
    throw new NotYaml(`not valid YAML: ${shortened(messageOf(error), 300)}`, { cause: error });
  }
  sizeWithin(value, MAX_OUTPUT_CHARACTERS);
  return value;
}
