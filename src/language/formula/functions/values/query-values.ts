import qs from 'node:querystring';
import { countText } from '../../../../platform/text/find-text.js';
import { MAX_LIST_ELEMENTS } from '../../../limits.js';
import { TemplateError } from '../../../../platform/text/template-error.js';

/**
 * Returns the names and values of a query or form; a repeated name has a list of values.
 * @throws TemplateError for more values than a list may have.
 */
export function queryValues(query: string): Record<string, unknown> {
  const text = query.replace(/^\?/, '');
  const count = countText(text, '&') + 1;
  if (count > MAX_LIST_ELEMENTS) throw new TemplateError(`${count} names and values exceed the limit`);
  return { ...qs.parse(text, '&', '=', { maxKeys: 0 }) };
}
