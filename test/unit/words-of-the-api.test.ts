import { createOpenApiDocument } from '../../src/api/openapi/openapi-document.js';
import { ROUTES } from '../../src/app/routes.js';
import { isJsonObject, type JsonValue } from '../../src/platform/json.js';

/** A text that begins so leaves its subject to the reader: `Stories of the team`, not `Those of the team`. */
const WITHOUT_SUBJECT = /^(?:what|who|whoever|whom|whose|of|those|as|where|which)\b/i;
const WORDS = new Set(['description', 'summary']);

/** Returns the texts for people in a document that begin so, each with its place. */
function withoutSubject(value: JsonValue, place: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each, at) => withoutSubject(each, `${place}[${at}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inside]) => {
    if (key === 'example' || key === 'examples') return [];
    const isFaulty = WORDS.has(key) && typeof inside === 'string' && WITHOUT_SUBJECT.test(inside);
    return isFaulty ? [`${place}: ${inside}`] : withoutSubject(inside, `${place}.${key}`);
  });
}

/** If it fails: begin with what the field or the answer is, or with a verb. The place is that in `/api/openapi.json`. */
it('texts of the API document begin with their subject', () => {
  const document = createOpenApiDocument(ROUTES, { version: '1.2.3', publicUrl: undefined });
  const { paths, components } = JSON.parse(JSON.stringify(document)) as Record<string, JsonValue>;
  const inComponents = withoutSubject(components ?? null, 'components');
  const inPaths = Object.entries(paths as object).flatMap(([path, methods]) =>
    withoutSubject(methods as JsonValue, path),
  );
  expect([...new Set([...inComponents, ...inPaths])]).toEqual([]);
});
