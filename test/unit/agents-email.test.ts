import { parseAddresses } from '../../src/agents/email/addresses.js';
import { htmlToText } from '../../src/agents/email/html-text.js';
import { PermanentJobError } from '../../src/platform/errors.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { recordingMailer, runType } from '../support/agent-context.js';
import { cpuMsOfSync } from '../support/cpu-time.js';

async function send(options: JsonObject) {
  const mailer = recordingMailer();
  const result = await runType(
    'Email',
    { recipients: 'ann@example.com', subject: 'S', body: 'B', ...options },
    { mailer },
  );
  return { ...result, mail: mailer.mails[0] };
}

describe('addresses', () => {
  test.each<[JsonValue, string[], string[]]>([
    ['a@x.com, b@x.com;c@x.com\nd@x.com', ['a@x.com', 'b@x.com', 'c@x.com', 'd@x.com'], []],
    [['a@x.com', 'b@x.com, c@x.com'], ['a@x.com', 'b@x.com', 'c@x.com'], []],
    ['["a@x.com","b@x.com"]', ['a@x.com', 'b@x.com'], []],
    [[['a@x.com']], ['a@x.com'], []],
    ['"Doe, Jane" <jane@x.com>, Bob <bob@x.com>', ['jane@x.com', 'bob@x.com'], []],
    ['a@x.com, A@X.com', ['a@x.com'], []],
    ['nobody, a@x.com, @x.com, a b@x.com', ['a@x.com'], ['nobody', '@x.com', 'a b@x.com']],
    ['a@x.com\r\nBcc: evil@x.com', ['a@x.com'], ['Bcc: evil@x.com']],
    ['münchen@exämple.de', ['münchen@exämple.de'], []],
    ['', [], []],
    [null, [], []],
  ])('in %j are %j', (value, addresses, malformed) => {
    const parsed = parseAddresses(value);
    expect(parsed.addresses.map(({ address }) => address)).toEqual(addresses);
    expect(parsed.malformed).toEqual(malformed);
  });

  test('keep their names', () => {
    expect(parseAddresses('"Doe, Jane" <jane@x.com>').addresses).toEqual([
      { name: 'Doe, Jane', address: 'jane@x.com' },
    ]);
  });
});

describe('the text of HTML', () => {
  test.each([
    ['Hi!<br><br>  Thanks &amp; bye', 'Hi!\n\nThanks & bye\n'],
    ['<p>One</p><p>Two</p>', 'One\n\nTwo\n'],
    ['<style>p{}</style><p>One</p><script>x()</script>', 'One\n'],
    ['<a href="https://x.example/?a=1&amp;b=2">here</a>', 'here (https://x.example/?a=1&b=2)\n'],
    ['<a href="https://x.example">https://x.example</a>', 'https://x.example\n'],
    ['<ul><li>a</li><li>b</li></ul>', '- a\n- b\n'],
    ['<table><tr><td>a</td><td>b</td></tr></table>', 'a\tb\n'],
    ['a &#8364; &#x41; &unknown; <!-- no --> c', 'a € A &unknown; c\n'],
    ['1 < 2', '1 < 2\n'],
  ])('%s', (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  test('is made in linear time', () => {
    const texts = [
      '<'.repeat(200_000),
      '<!--'.repeat(50_000),
      '<a href="'.repeat(20_000),
      '&#'.repeat(100_000),
    ];
    expect(cpuMsOfSync(() => texts.forEach((text) => htmlToText(text)))).toBeLessThan(2000);
  });
});

describe('an e-mail', () => {
  test('is sent to all recipients and reported', async () => {
    const { mail, payloads } = await send({
      recipients: ['ann@example.com', 'Bob <bob@example.com>'],
      cc: 'cc@example.com',
      bcc: ['bcc@example.com'],
      reply_to: 'reply@example.com',
      sender_name: 'Alerts',
      subject: 'Two\nlines',
      body: 'Hi<br>there',
    });
    expect(mail).toMatchObject({
      to: [{ address: 'ann@example.com' }, { name: 'Bob', address: 'bob@example.com' }],
      cc: [{ address: 'cc@example.com' }],
      bcc: [{ address: 'bcc@example.com' }],
      replyTo: [{ address: 'reply@example.com' }],
      senderName: 'Alerts',
      subject: 'Two lines',
      html: 'Hi<br>there',
      text: 'Hi\nthere\n',
    });
    expect(payloads).toEqual([
      {
        recipients: ['ann@example.com', 'bob@example.com'],
        subject: 'Two lines',
        message_id: '<epoch-1-0@fabula>',
      },
    ]);
  });

  test('of plain text looks the same as HTML', async () => {
    const { mail } = await send({ body: 'a < b\nc & d' });
    expect(mail).toMatchObject({ text: 'a < b\nc & d', html: 'a &lt; b<br>\nc &amp; d' });
  });

  test('has the files of the event', async () => {
    const attachments = [
      { filename: 'a.csv', base64encodedcontents: 'eCx5', content_type: 'auto' },
      { filename: 'b', base64encodedcontents: '_-8=', content_type: 'text/plain' },
    ];
    expect((await send({ attachments })).mail?.attachments).toEqual([
      { filename: 'a.csv', content: Buffer.from('x,y') },
      { filename: 'b', content: Buffer.from([0xff, 0xef]), contentType: 'text/plain' },
    ]);
    expect((await send({ attachments: attachments[0]! })).mail?.attachments).toHaveLength(1);
    expect((await send({ attachments: JSON.stringify(attachments) })).mail?.attachments).toHaveLength(2);
    expect((await send({ attachments: '' })).mail?.attachments).toEqual([]);
  });

  test('reaches the others when an address is malformed or refused', async () => {
    const mailer = {
      send: () => Promise.resolve([{ address: 'bob@example.com', reason: '550 no', permanent: true }]),
      close: () => Promise.resolve(),
    };
    const options = { recipients: 'ann@example.com, nobody, bob@example.com', subject: 's', body: 'b' };
    const { payloads, logs } = await runType('Email', options, { mailer });
    expect(payloads).toMatchObject([
      { recipients: ['ann@example.com'], rejected: ['nobody', 'bob@example.com'] },
    ]);
    expect(logs.map(({ message }) => message)).toEqual([
      '"nobody" is not a mail address',
      'bob@example.com was rejected: 550 no',
    ]);
  });

  test.each([
    [{ recipients: [] }, /no mail address/],
    [{ recipients: 'nobody' }, /no mail address that is valid/],
    [
      { attachments: [{ filename: 'a', base64encodedcontents: '***' }] },
      /attachments\[0\]\.base64encodedcontents is not base64/,
    ],
    [{ attachments: ['x'] }, /attachments\[0\] must be an object/],
  ])('with %j is set aside', async (options, message) => {
    await expect(send(options as JsonObject)).rejects.toThrow(message);
    await expect(send(options as JsonObject)).rejects.toBeInstanceOf(PermanentJobError);
  });

  test('without subject and body is still an e-mail', async () => {
    expect((await send({ subject: '', body: '' })).mail).toMatchObject({ subject: '', text: '', html: '' });
  });
});
