/** Returns the value of a header, one character for each byte, as text: its bytes are UTF-8 if they can be, otherwise Latin-1 (RFC 9110 §5.5). */
export function headerText(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value;
  const text = Buffer.from(value, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? value : text;
}
