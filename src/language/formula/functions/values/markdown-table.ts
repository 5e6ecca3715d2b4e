import { MAX_LIST_ELEMENTS } from '../../../limits.js';
import { TemplateError } from '../../../../platform/text/template-error.js';
import { isNothing, isRecord } from '../../../values/values.js';
import { boundedTextOf } from './bounded-text.js';
import type { FunctionCall } from '../formula-function.js';
import { flatItems, itemsFrom } from './selectors.js';

/**
 * Returns a Markdown table of a list of objects. `|` is escaped, and a line break is `<br>`, so that each object stays in
 * its row. Without headers, its columns are the keys of the first object.
 */
export function markdownTable(list: unknown, headers: unknown, call: FunctionCall): string {
  const objects = flatItems(itemsFrom(list), call);
  const cellText = boundedTextOf();
  const names = isNothing(headers) ? keysOf(objects[0]) : itemsFrom(headers).map(cellText);
  if (names.length === 0) return '';
  if (names.length * objects.length > MAX_LIST_ELEMENTS * 20)
    throw new TemplateError('the table is too large');
  const rows = objects.map((object) => {
    if (!isRecord(object)) throw new TemplateError('every element must be an object');
    return names.map((name) => {
      call.step();
      return Object.hasOwn(object, name) ? cellText(object[name]) : '';
    });
  });
  return [names, names.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map(cell).join(' | ')} |`)
    .join('\n');
}

function keysOf(object: unknown): string[] {
  return isRecord(object) ? Object.keys(object) : [];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\r\n|\r|\n/g, '<br>');
}
