import { parseWithoutTests } from '../../../src/stories/tests/without-tests.js';
import { stringifyJson } from '../../../src/platform/json/exact-number.js';

const read = (text: string) => stringifyJson(parseWithoutTests(text));

describe('stories as software: what runs a story reads none of its tests', () => {
  it.each([
    ['{"a":1,"fabula_tests":[{"name":"}\\"],"}],"2":9007199254740993}', '{"a":1,"2":9007199254740993}'],
    ['{"fabula_tests":[]}', '{}'],
    ['{"a":"fabula_tests","b":{"fabula_tests":[1]}}', '{"a":"fabula_tests","b":{"fabula_tests":[1]}}'],
    ['{"a":"\\"fabula_tests\\""}', '{"a":"\\"fabula_tests\\""}'],
    ['{}', '{}'],
  ])('%s becomes %s', (text, others) => {
    expect(read(text)).toBe(others);
  });
});
