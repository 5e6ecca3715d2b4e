import { Tokenizer } from 'htmlparser2';

/** Elements that begin and end a line of their own. */
const BLOCKS = new Set(
  `address article aside blockquote caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3
   h4 h5 h6 header hr li main nav ol p pre section summary table tr ul`.split(/\s+/),
);
/** Block elements with an empty line before and after. */
const PARAGRAPHS = /^(p|h[1-6])$/;
/** Elements whose content is not shown. */
const HIDDEN = new Set(['head', 'script', 'style', 'template', 'title']);
/** An address in angle brackets, which a tokenizer takes for a tag. */
const ADDRESS = /^(?:[^\s<>]*@[^\s<>]*|(?:https?|mailto):[^\s<>]*)$/i;

/** Converts HTML to readable text: lines for blocks and `<br>`, links followed by their address. Takes linear time. */
export function htmlToText(html: string): string {
  const writer = new TextWriter(html);
  // The library's parser keeps a stack, which takes quadratic time for deep nesting; its tokenizer has none.
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, writer);
  tokenizer.write(html);
  tokenizer.end();
  return writer.text();
}

interface Tag {
  name: string;
  /** The place of its `<`. */
  start: number;
  attribute: string;
  href: string;
}

/** Writes the text while the tokenizer reads the HTML. Parts are joined once, at the end, to keep long mails cheap. */
class TextWriter {
  private readonly parts: string[] = [];
  /** Line ends at the end of the output so far. */
  private lineEnds = 2;
  private endsInSpace = true;
  /** Name of the current hidden element. */
  private hidden: string | undefined;
  /** Depth of `<pre>`, where white space is kept. */
  private preformatted = 0;
  private tag: Tag | undefined;
  /** Address of the current link, and the index of the part where its text begins. */
  private link: { href: string; start: number } | undefined;

  constructor(private readonly html: string) {}

  text(): string {
    const lines = this.parts.join('').split('\n');
    const text = lines.map((line) => line.trimEnd()).join('\n');
    return `${text.replace(/^\n+/, '').trimEnd()}\n`;
  }

  ontext(start: number, end: number): void {
    const text = this.html.slice(start, end);
    if (this.preformatted > 0) this.putLines(text.replace(/\r\n?/g, '\n'));
    else this.put(text.replace(/\s+/g, ' '));
  }

  ontextentity(code: number): void {
    const character = String.fromCodePoint(code);
    if (character === '\u00a0' && this.lineEnds === 0) this.write(' ');
    else if (this.preformatted > 0) this.putLines(character);
    else this.put(character.replace(/\s/, ' '));
  }

  onopentagname(start: number, end: number): void {
    this.tag = {
      name: this.html.slice(start, end).toLowerCase(),
      start: start - 1,
      attribute: '',
      href: '',
    };
  }

  onattribname(start: number, end: number): void {
    if (this.tag !== undefined) this.tag.attribute = this.html.slice(start, end).toLowerCase();
  }

  onattribdata(start: number, end: number): void {
    if (this.tag?.attribute === 'href') this.tag.href += this.html.slice(start, end);
  }

  onattribentity(code: number): void {
    if (this.tag?.attribute === 'href') this.tag.href += String.fromCodePoint(code);
  }

  onopentagend(end: number): void {
    const { tag } = this;
    this.tag = undefined;
    if (tag === undefined) return;
    const { name } = tag;
    if (name === 'body') this.hidden = undefined;
    if (this.hidden !== undefined) return;
    if (HIDDEN.has(name)) this.hidden = name;
    else if (name === 'br') this.endLine(Math.min(this.lineEnds + 1, 2));
    else if (name === 'a') this.link = { href: tag.href, start: this.parts.length };
    else if (BLOCKS.has(name)) this.block(name, 1);
    else if (ADDRESS.test(this.html.slice(tag.start + 1, end))) this.put(this.html.slice(tag.start, end + 1));
    if (name === 'li') this.write('- ');
  }

  onselfclosingtag(end: number): void {
    this.onopentagend(end);
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    if (this.hidden !== undefined) {
      if (name === this.hidden) this.hidden = undefined;
    } else if (name === 'td' || name === 'th') {
      if (this.lineEnds === 0) this.write('\t');
    } else if (name === 'a') this.endLink();
    else if (BLOCKS.has(name)) this.block(name, -1);
  }

  onattribend(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}

  private block(name: string, change: 1 | -1): void {
    if (name === 'pre') this.preformatted = Math.max(0, this.preformatted + change);
    this.endLine(PARAGRAPHS.test(name) ? 2 : 1);
  }

  private endLink(): void {
    const { link } = this;
    this.link = undefined;
    if (link === undefined || link.href === '' || link.href.startsWith('#')) return;
    const shown = this.parts.slice(link.start).join('').trim();
    if (shown !== link.href && `mailto:${shown}` !== link.href) this.put(` (${link.href})`);
  }

  /** Writes text of one line; white space at the start of a line and after white space is left out. */
  private put(text: string): void {
    const plain = this.endsInSpace ? text.replace(/^ /, '') : text;
    if (plain !== '') this.write(plain);
  }

  /** Writes text with its lines and its white space. */
  private putLines(text: string): void {
    if (text === '' || this.hidden !== undefined) return;
    this.write(text);
    const rest = /\n{0,2}$/.exec(text)?.[0].length ?? 0;
    this.lineEnds = rest === text.length ? Math.min(2, this.lineEnds + rest) : rest;
    this.endsInSpace = rest > 0;
  }

  private write(text: string): void {
    if (this.hidden !== undefined) return;
    this.parts.push(text);
    this.lineEnds = 0;
    this.endsInSpace = /\s$/.test(text);
  }

  /** Ends the line, and adds an empty line if `lineEnds` is 2; there is never more than one empty line. */
  private endLine(lineEnds: number): void {
    while (this.lineEnds < lineEnds) {
      this.parts.push('\n');
      this.lineEnds += 1;
    }
    this.endsInSpace = true;
  }
}
