import './json.css';

/** More than this makes the browser slow; the rest is named, not shown. */
const MOST_CHARACTERS = 200_000;

/** A JSON value as indented text. It is never HTML, whatever it holds. */
export function Json({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  const rest = text.length - MOST_CHARACTERS;
  return (
    <>
      {/* A region that scrolls must be reachable by keyboard. */}
      <pre className="json" tabIndex={0} role="region" aria-label="JSON">
        {text.slice(0, MOST_CHARACTERS)}
      </pre>
      {rest > 0 && <p className="faint">{rest.toLocaleString('en')} more characters not shown.</p>}
    </>
  );
}
