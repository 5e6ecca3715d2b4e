import { htmlToText } from '../../../src/agents/email/html-text.js';
import { isHtml } from '../../../src/agents/email/mail-markup.js';
import { recordingMailer, runType } from '../../support/agent-context.js';

async function sent(body: string) {
  const mailer = recordingMailer();
  await runType('Email', { recipients: 'ann@example.com', subject: 'S', body }, { mailer });
  return mailer.mails[0];
}

describe('C7: text with an address in angle brackets is no HTML', () => {
  test.each([
    'Contact Bob <bob@x.org>\nline 2',
    'see <https://x.org>\nline 2',
    'Reported by Bob <bob@example.com>\nline 2',
    'run <command> with <file name>\nthen <stop>',
    'if a<bb and cc>d\n<3',
    'x < y & z; AT&T; &unknown;',
    '<john.doe@example.com>\n<mailto:ann@x.org>',
  ])('%j keeps its lines', async (body) => {
    expect(isHtml(body)).toBe(false);
    const escaped = body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    expect(await sent(body)).toMatchObject({ text: body, html: escaped.replaceAll('\n', '<br>\n') });
  });

  test.each([
    'a<br>b',
    '<P CLASS="x">a',
    'a</div>',
    '<!-- c -->a',
    '<!DOCTYPE html>a',
    'a &uuml; b',
    'a<br/>b',
    '&#252;',
  ])('%j is HTML', async (body) => {
    expect((await sent(body))?.html).toBe(body);
  });
});

describe('B16: a mail to somebody named in angle brackets shows the address', () => {
  test('as plain text, and in the text part of HTML', async () => {
    expect((await sent('Reported by Bob <bob@example.com>\nline 2'))?.html).toBe(
      'Reported by Bob &lt;bob@example.com&gt;<br>\nline 2',
    );
    expect((await sent('<p>By <bob@example.com>, see <https://x.org/a?b=c></p>'))?.text).toBe(
      'By <bob@example.com>, see <https://x.org/a?b=c>\n',
    );
  });
});

describe('C32: the text part of HTML keeps lines, entities and what is behind attributes', () => {
  test.each([
    ['<pre>one\n  two\n\n\nthree</pre>', 'one\n  two\n\n\nthree\n'],
    ['a<pre class="x">\nb\r\n\tc\n</pre>d', 'a\n\nb\n\tc\nd\n'],
    ['<pre>a<br>b &lt;c&gt;</pre>', 'a\nb <c>\n'],
    ['&uuml;&eacute;&Auml;&szlig;&rarr;&check;', 'üéÄß→✓\n'],
    ['&#0000000000065;&#x00041;&#128;', 'AA€\n'],
    ['&nbsp;a&nbsp;&nbsp;b', 'a  b\n'],
    ['<p title="a > b">x', 'x\n'],
    ["<p title='<b>'>x</p>", 'x\n'],
    ['<a title="1 > 0" href=\'/a?b=1&amp;c="2"\'>y</a>', 'y (/a?b=1&c="2")\n'],
    ['&amp;lt; &unknown; a&b', '&lt; &unknown; a&b\n'],
    ['<script>if (a < b) "</p>"</script><style>p > a {}</style>x', 'x\n'],
    ['<title>a</title>x<!-- <p>b</p> -->y', 'xy\n'],
    ['a <b> b</b>  c', 'a b c\n'],
  ])('%j', (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });
});
