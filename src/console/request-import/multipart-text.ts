import type { FormPart } from './curl-request.js';

/** Reads a `multipart/form-data` body that a browser has copied. Returns undefined if it is not in that form. */
export function readMultipart(body: string, contentType: string): FormPart[] | undefined {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1]?.trim();
  if (boundary === undefined) return undefined;
  const [before, ...parts] = `\n${body.replaceAll('\r\n', '\n')}`.split(`\n--${boundary}`);
  const last = parts.pop();
  if (before?.trim() !== '' || last === undefined || !last.startsWith('--') || parts.length === 0)
    return undefined;
  const read = parts.map(readPart);
  return read.every((part) => part !== undefined) ? read : undefined;
}

function readPart(part: string): FormPart | undefined {
  const [, head = '', text = ''] = /^\n([\s\S]*?)\n\n([\s\S]*)$/.exec(part) ?? [];
  const name = /;\s*name="((?:[^"\\]|\\.)*)"/i.exec(head)?.[1];
  if (name === undefined) return undefined;
  const file = /;\s*filename="((?:[^"\\]|\\.)*)"/i.exec(head)?.[1];
  const type = /^content-type:\s*(.+)$/im.exec(head)?.[1]?.trim();
  return {
    name: unquoted(name),
    text,
    ...(file !== undefined && { file: unquoted(file) || 'file' }),
    ...(type !== undefined && { type }),
  };
}

/** Browsers write `"` in a name as `%22`. */
function unquoted(name: string): string {
  return name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}
