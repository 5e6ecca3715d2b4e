/** A list of a text, with the text of each item. */
export interface TextList {
  name: string;
  from: number;
  items: { from: number; text: string }[];
}

const LINE = /[^\n]*\n|[^\n]+$/g;
const HEADER = /^([A-Za-z_]\w*):[ ]*(\[\])?[ ]*\r?\n?$/;

/**
 * Splits YAML that is lists below keys, as `lists` writes it, so that each item can be read by itself. Undefined: it has
 * another form. What it returns need not be valid.
 */
export function itemsIn(text: string): TextList[] | undefined {
  const lists: TextList[] = [];
  let isEmpty = false;
  for (const { 0: line, index: from } of text.matchAll(LINE)) {
    const list = lists.at(-1);
    const [, name, empty] = HEADER.exec(line) ?? [];
    if (name !== undefined) {
      if (lists.some((each) => each.name === name) || (list?.items.length === 0 && !isEmpty))
        return undefined;
      isEmpty = empty !== undefined;
      lists.push({ name, from, items: [] });
    } else if (/^-[ \r\n]/.test(line)) {
      if (list === undefined || isEmpty) return undefined;
      list.items.push({ from, text: line });
    } else if (/^(?: |#|\r?\n)/.test(line)) {
      const item = list?.items.at(-1);
      if (item !== undefined) item.text += line;
      else if (!/^ *(?:#.*)?\r?\n?$/.test(line)) return undefined;
    } else {
      return undefined;
    }
  }
  const isWhole = lists.length > 0 && (isEmpty || (lists.at(-1)?.items.length ?? 0) > 0);
  return isWhole ? lists : undefined;
}
