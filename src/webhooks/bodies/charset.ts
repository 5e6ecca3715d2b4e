import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Decodes `bytes` and strips a byte order mark. Returns undefined if they are not valid in that charset.
 * An unknown charset counts as UTF-8.
 */
export function decodeText(bytes: Buffer, charset = 'utf-8'): string | undefined {
  if (charset === 'utf-8' || charset === 'utf8') return decodeUtf8(bytes);
  const decoder = decoderFor(charset);
  if (decoder === undefined) return decodeUtf8(bytes);
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeUtf8(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function decoderFor(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return undefined;
  }
}
