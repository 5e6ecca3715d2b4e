import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '../../src/platform/json.js';
import { renderLiquid } from '../support/render-liquid.js';

/** Templates of our own with the outputs that Ruby's Liquid 5.4 gave, lists and objects written as JSON. */
const { event, cases } = JSON.parse(
  readFileSync(path.resolve(__dirname, '../fixtures/liquid-cases.json'), 'utf8'),
) as { event: JsonObject; cases: [template: string, output: string][] };

describe("Ruby's Liquid", () => {
  it.each(cases)('renders %j as %j', (template, output) => {
    expect(renderLiquid(template, event)).toBe(output);
  });
});
