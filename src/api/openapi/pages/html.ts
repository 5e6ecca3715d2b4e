import { escapeHtml } from '../../../platform/text/escape-html.js';

/** Converts prose to HTML: paragraphs, and text between back-ticks as code. */
export function proseHtml(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${inlineHtml(paragraph)}</p>`)
    .join('\n');
}

/** Converts a line of prose to HTML. */
export function inlineHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** Returns a block of code. */
export function codeHtml(text: string): string {
  return `<pre><code>${escapeHtml(text)}</code></pre>`;
}

/** Returns a table; cells are HTML. Returns an empty text without rows. */
export function tableHtml(head: readonly string[], rows: readonly string[][]): string {
  if (rows.length === 0) return '';
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n');
  return `<table><thead><tr>${cells('th', head)}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}

function cells(tag: 'th' | 'td', row: readonly string[]): string {
  return row.map((cell) => `<${tag}>${cell}</${tag}>`).join('');
}
