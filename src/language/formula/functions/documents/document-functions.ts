import { messageOf } from '../../../../platform/errors.js';
import { bytesOf } from '../../../../platform/text/byte-text.js';
import { decodeDocument } from '../../../../platform/text/charsets/document-charset.js';
import { countText } from '../../../../platform/text/find-text.js';
import { escapedOnceLess } from '../../../../platform/secrets/secret-reference.js';
import { parseXml } from '../../../../platform/text/xml/xml.js';
import { MAX_SEPARATOR_CHARACTERS } from '../../../filters/lists/csv-table.js';
import { formatFilters } from '../../../filters/format-filters.js';
import { jsonFilters } from '../../../filters/json-filters.js';
import { queryJsonPath } from '../../../values/json-path.js';
import { jsonWeight } from '../../../values/json-result.js';
import { MAX_LIST_ELEMENTS } from '../../../limits.js';
import { shortened } from '../../../../platform/text/shortened.js';
import { TemplateError } from '../../../../platform/text/template-error.js';
import { isNothing, isRecord, jsonOf, textOf } from '../../../values/values.js';
import { boundedTextOf } from '../values/bounded-text.js';
import { csvOfObjects, csvOfRows, spacedCsvOf } from '../values/csv-values.js';
import { type FunctionCall, type FunctionTable, Lambda } from '../formula-function.js';
import { flatItems, itemsFrom } from '../values/selectors.js';
import { queryValues } from '../values/query-values.js';
import { viaFilter } from '../via-filter.js';
import { queryEscaped } from '../../../values/query-escaped.js';
import { parseTemplateJson } from '../../../../platform/json/whole-json.js';
import { xmlOf } from '../values/xml-values.js';
import { yamlFunctions } from './yaml-functions.js';

const WITHOUT_HEADERS: ReadonlyMap<string, unknown> = new Map([['headers', false]]);

/** Functions that read and write JSON, CSV, XML, mail and addresses. */
export const documentFunctions: FunctionTable = {
  JSON_PARSE: {
    takes: 'text',
    gives: 'the value of a JSON text; NULL for an empty text; other values unchanged',
    example: ['JSON_PARSE("{\\"a\\": [1]}").a[0]', 1],
    run: viaFilter(jsonFilters.json_parse),
  },
  TO_JSON: {
    takes: 'value',
    gives: 'the value as JSON in one line',
    example: ['TO_JSON({a: [1, NULL]})', '{"a":[1,null]}'],
    run: ([value]) => jsonOf(value),
  },
  NEAT_JSON: {
    takes: 'value',
    gives: 'the value as JSON in indented lines',
    example: ['NEAT_JSON({a: 1})', '{\n  "a": 1\n}'],
    run: ([value]) => jsonOf(value, 2),
  },
  JSON_LINES_PARSE: {
    takes: 'text',
    gives: 'a list of the values of a text with one JSON value per line',
    example: ['JSON_LINES_PARSE("{\\"a\\":1}\\n{\\"a\\":2}")', [{ a: 1 }, { a: 2 }]],
    run: ([given], { step, charge }) => {
      const text = textOf(given);
      charge(countText(text, '\n') * 4 + jsonWeight(text) * 2);
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      if (lines.length > MAX_LIST_ELEMENTS) throw new TemplateError(`${lines.length} lines are too many`);
      return lines.map((line, index) => {
        step();
        return parsedLine(line, index);
      });
    },
  },
  IS_JSON: {
    takes: 'text',
    gives: 'TRUE for a text that is JSON',
    example: ['IS_JSON("[1,")', false],
    run: ([text], { charge }) => {
      charge(jsonWeight(textOf(text)));
      return isJsonText(textOf(text));
    },
  },
  JSONPATH: {
    takes: 'value, path',
    gives: 'a list of the values at the JSONPath (RFC 9535); `$.` is optional',
    example: ['JSONPATH([{email: "a"}, {email: "b"}], "*.email")', ['a', 'b']],
    run: ([value, path], { checkTime }) => queryJsonPath(value, textOf(path), checkTime),
  },
  CSV_PARSE: {
    takes: 'text, separator?',
    gives: 'a list of lists: the fields of each line, the first one included ([how](liquid.md#csv))',
    example: [
      'CSV_PARSE("a,b\\n1,2")',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    run: ([text, ...args], call) => parsedCsv(text, args, WITHOUT_HEADERS, call),
  },
  CSV_PARSE_TO_OBJECTS: {
    takes: 'text, separator?',
    gives: 'a list of objects, by the names in the first line ([how](liquid.md#csv))',
    example: ['CSV_PARSE_TO_OBJECTS("a,b\\n1,2")', [{ a: '1', b: '2' }]],
    run: ([text, ...args], call) => parsedCsv(text, args, new Map(), call),
  },
  OBJECTS_TO_CSV: {
    takes: 'objects, headers?, separator?',
    gives:
      'CSV with the headers in the first line (default: the keys of all objects); text instead of the headers is the separator',
    example: ['OBJECTS_TO_CSV([{a: 1, b: "x, y"}, {a: 2}])', 'a,b\n1,"x, y"\n2,'],
    run: ([objects, headers, separator], call) =>
      typeof headers === 'string'
        ? csvOfObjects(objects, null, separatorFrom(headers), call)
        : csvOfObjects(objects, headers, separatorFrom(separator), call),
  },
  LISTS_TO_CSV: {
    takes: 'list, separator?',
    gives: 'CSV of a list of lists, one line per list',
    example: ['LISTS_TO_CSV([["a", "b"], [1, 2]])', 'a,b\n1,2'],
    run: ([list, separator], call) =>
      csvOfRows(Array.isArray(list) ? list : [], separatorFrom(separator), call),
  },
  TO_CSV: {
    takes: 'lists',
    gives:
      'CSV of a list of lists with a comma and a space between fields, quotes round a field with white space, and a line end behind each line',
    example: ['TO_CSV([["a b", "c"], [1, 2]])', '"a b", c\n1, 2\n'],
    run: ([lists], call) => spacedCsvOf(Array.isArray(lists) ? lists : [], call),
  },
  TO_XML: {
    takes: 'value, root_element_name?',
    gives:
      'XML of an object or list, as Rails writes it: `-` for `_` in names, a type on numbers, TRUE, FALSE and lists, `nil="true"` for NULL; the root is `hash`, of a list `objects`',
    example: [
      'TO_XML({a_b: 1}, "Data")',
      '<?xml version="1.0" encoding="UTF-8"?>\n<Data>\n  <a-b type="integer">1</a-b>\n</Data>\n',
    ],
    run: ([value, root], call) => xmlOf(value, textOf(root), call),
  },
  XML_PARSE: {
    takes: 'text',
    gives:
      'the document as an object: attributes next to child elements, repeated elements as a list, text next to either as `#text` ([table](../use/webhooks.md#xml))',
    example: ['XML_PARSE("<a x=\\"1\\"><b>2</b></a>")', { a: { x: '1', b: '2' } }],
    run: ([text]) => {
      try {
        return parseXml(decodedXml(textOf(text)));
      } catch (error) {
        throw new TemplateError(`not valid XML: ${shortened(messageOf(error), 300)}`, { cause: error });
      }
    },
  },
  ...yamlFunctions,
  EML_PARSE: {
    takes: 'text, single_body?',
    gives:
      'a mail as an object: from, to, cc, subject, date, headers, body, text, html, attachments; body is the HTML, or the text if there is none; with single_body FALSE, body_html and body_text',
    example: ['EML_PARSE("From: a@x.org\\nSubject: Hi\\n\\nText").subject', 'Hi'],
    run: viaFilter(formatFilters.eml_parse),
  },
  OBJECTS_TO_MARKDOWN_TABLE: {
    takes: 'objects, headers?',
    gives: 'a table in Markdown; its columns are the headers, or the keys of the first object',
    example: [
      'OBJECTS_TO_MARKDOWN_TABLE([{name: "Ada", city: "London"}])',
      '| name | city |\n| --- | --- |\n| Ada | London |',
    ],
    run: ([list, headers], call) => markdownTable(list, headers, call),
  },
  QUERY_PARSE: {
    takes: 'text',
    gives: 'the names and values of a query or form; repeated names become a list',
    example: ['QUERY_PARSE("a=1&b=x+y&a=2")', { a: ['1', '2'], b: 'x y' }],
    run: ([text]) => queryValues(textOf(text)),
  },
  TO_QUERY: {
    takes: 'object',
    gives: 'the object as a query or form',
    example: ['TO_QUERY({a: 1, b: "x y"})', 'a=1&b=x%20y'],
    run: ([object], { step }) => {
      if (!isRecord(object) || object instanceof Lambda) throw new TemplateError('an object is required');
      const valueText = boundedTextOf();
      const pairs = Object.entries(object).flatMap(([key, value]) => {
        const values: unknown[] = Array.isArray(value) ? value : [value];
        step(values.length);
        return values.map((item) => [key, valueText(item)]);
      });
      return pairs.map((pair) => pair.map((part) => queryEscaped(part ?? '')).join('=')).join('&');
    },
  },
};

function parsedCsv(
  text: unknown,
  args: unknown[],
  named: ReadonlyMap<string, unknown>,
  { isDecimal, checkTime, charge }: FunctionCall,
): unknown {
  return formatFilters.csv_parse?.(text, { args, named, isDecimal, checkTime, charge });
}

/** Bytes of a file, such as those of BASE64_DECODE, are in the encoding that the document declares. */
function decodedXml(text: string): string {
  if (!/\p{Surrogate}/u.test(text)) return text;
  return decodeDocument(bytesOf(text), { mediaType: 'application/xml' }) ?? text;
}

function separatorFrom(value: unknown): string {
  const separator = textOf(value) || ',';
  if (separator.length <= MAX_SEPARATOR_CHARACTERS) return separator;
  throw new TemplateError(`a separator can have at most ${MAX_SEPARATOR_CHARACTERS} characters`);
}

function parsedLine(line: string, index: number): unknown {
  try {
    return parseTemplateJson(escapedOnceLess(line));
  } catch (error) {
    throw new TemplateError(`line ${index + 1} is not JSON`, { cause: error });
  }
}

function isJsonText(text: string): boolean {
  try {
    parseTemplateJson(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns a Markdown table of a list of objects. `|` is escaped, and a line break is `<br>`, so that each object stays in
 * its row. Without headers, its columns are the keys of the first object.
 */
function markdownTable(list: unknown, headers: unknown, call: FunctionCall): string {
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
