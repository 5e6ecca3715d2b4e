import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StoredMailProgress } from '../../../src/engine/execute/call/mail-progress.js';
import { parseMail } from '../../../src/language/mail/parse-mail.js';
import { parseAddresses } from '../../../src/agents/email/addresses.js';
import { AgentError, NotYet, PermanentJobError } from '../../../src/platform/errors.js';
import type { JsonObject } from '../../../src/platform/json.js';
import { createMailer } from '../../../src/platform/outbound/mail/mailer.js';
import type { Mailer } from '../../../src/platform/outbound/mail/mail.js';
import { runType } from '../../support/agent-context.js';
import { type SmtpTestServer, startSmtpServer } from '../../support/smtp-server.js';

let smtp: SmtpTestServer;
let mailer: Mailer;

beforeAll(async () => {
  smtp = await startSmtpServer();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'fabula-mail-'));
  mailer = createMailer({ smtpUrl: smtp.url, mailFrom: 'Fabula <fabula@example.org>', dataDir });
});
afterAll(async () => {
  await mailer.close();
  await smtp.close();
});
beforeEach(() => smtp.clear());

/** Runs attempts as the engine does: what was noted is stored between them. Gives what the last one put out. */
async function attempts(options: JsonObject, { most = 10, between = (_attempt: number) => {} } = {}) {
  let stored: string | null = null;
  const failures: unknown[] = [];
  let attempt = 0;
  for (let round = 0; round < 50; round += 1) {
    const mailProgress = new StoredMailProgress(stored);
    try {
      const all = { subject: 'S', body: 'B', ...options };
      const { payloads, logs } = await runType('Email', all, {
        mailer,
        mailProgress,
        attempt,
        maxAttempts: most,
      });
      return { payload: payloads[0] as JsonObject, failures, logs };
    } catch (error) {
      failures.push(error);
      if (error instanceof PermanentJobError) return { payload: undefined, failures, logs: [] };
      if (!(error instanceof NotYet)) attempt += 1;
      if (attempt >= most) return { payload: undefined, failures, logs: [] };
      stored = mailProgress.changedText() ?? stored;
      between(attempt);
    }
  }
  throw new Error('the attempts do not end');
}

const sentTo = () => smtp.mails.map(({ to }) => to);

describe('B5: a refusal for now is tried again, for those recipients alone', () => {
  test('greylisting: nobody gets the mail twice', async () => {
    smtp.refuse('grey@example.com', 450, 'Greylisted');
    const { payload, failures } = await attempts(
      { recipients: 'ann@example.com, grey@example.com', cc: 'bob@example.com' },
      { between: (attempt) => attempt === 2 && smtp.accept('grey@example.com') },
    );
    expect(failures).toEqual([expect.any(AgentError), expect.any(AgentError)]);
    expect(sentTo()).toEqual([['ann@example.com', 'bob@example.com'], ['grey@example.com']]);
    expect(payload).toMatchObject({ recipients: ['ann@example.com', 'grey@example.com'] });
    expect(payload).not.toHaveProperty('rejected');
    expect(new Set(smtp.mails.map((mail) => mail.header('message-id'))).size).toBe(1);
  });

  test('452: the rest follows in further transactions, at once', async () => {
    smtp.limitRecipients(3);
    const recipients = [0, 1, 2, 3, 4, 5, 6].map((n) => `limit${n}@example.com`);
    const { payload, failures } = await attempts({ recipients });
    expect(failures).toEqual([expect.any(NotYet), expect.any(NotYet)]);
    expect(sentTo()).toEqual([recipients.slice(0, 3), recipients.slice(3, 6), recipients.slice(6)]);
    expect(payload).toMatchObject({ recipients });
  });

  test('552 too many recipients means the same', async () => {
    smtp.limitRecipients(2, { code: 552, message: 'Too many recipients' });
    const recipients = ['a@example.com', 'b@example.com', 'c@example.com'];
    expect((await attempts({ recipients })).payload).toMatchObject({ recipients });
    expect(sentTo()).toEqual([recipients.slice(0, 2), recipients.slice(2)]);
  });

  test('a refusal for good is listed, and not tried again', async () => {
    smtp.refuse('gone@example.com', 550);
    smtp.refuse('grey@example.com', 451, 'later');
    const { payload } = await attempts(
      { recipients: 'ann@example.com, gone@example.com, grey@example.com' },
      { between: () => smtp.accept('grey@example.com') },
    );
    expect(sentTo()).toEqual([['ann@example.com'], ['grey@example.com']]);
    expect(payload).toMatchObject({
      recipients: ['ann@example.com', 'grey@example.com'],
      rejected: ['gone@example.com'],
    });
  });

  test('a refusal for good at a later attempt ends with an event: the others have the mail', async () => {
    smtp.refuse('grey@example.com', 450);
    const { payload } = await attempts(
      { recipients: 'ann@example.com, grey@example.com' },
      { between: () => smtp.refuse('grey@example.com', 550) },
    );
    expect(sentTo()).toEqual([['ann@example.com']]);
    expect(payload).toMatchObject({ recipients: ['ann@example.com'], rejected: ['grey@example.com'] });
  });

  test('what is refused for now at the last attempt is listed as rejected', async () => {
    smtp.refuse('grey@example.com', 450, 'Greylisted');
    const { payload, failures, logs } = await attempts(
      { recipients: 'ann@example.com, grey@example.com' },
      { most: 3 },
    );
    expect(failures).toHaveLength(2);
    expect(payload).toMatchObject({ recipients: ['ann@example.com'], rejected: ['grey@example.com'] });
    expect(logs.map(({ message }) => message).join()).toContain('grey@example.com was rejected: 450');
  });

  test('with nobody reached it is as before: another attempt, or a dead letter', async () => {
    smtp.refuse('grey@example.com', 450);
    smtp.refuse('gone@example.com', 550);
    const both = await attempts({ recipients: 'grey@example.com, gone@example.com' }, { most: 2 });
    expect(both.payload).toBeUndefined();
    const { failures } = await attempts({ recipients: 'gone@example.com' });
    expect(failures).toEqual([expect.any(PermanentJobError)]);
    expect(sentTo()).toEqual([]);
  });

  test('a server that is busy for the whole mail gets it again for all who lack it', async () => {
    smtp.beBusyFor(1);
    smtp.refuse('grey@example.com', 450);
    await attempts(
      { recipients: 'ann@example.com, grey@example.com' },
      { between: (attempt) => attempt === 2 && smtp.accept('grey@example.com') },
    );
    expect(sentTo()).toEqual([['ann@example.com'], ['grey@example.com']]);
  });
});

describe('B16: lines and addresses of mails are as the standards ask', () => {
  test.each([
    ['a long address', `see https://example.com/${'x'.repeat(2000)}`],
    ['one word', 'y'.repeat(5000)],
    ['many words', 'word '.repeat(1000).trim()],
    ['a long word of other letters', 'ü'.repeat(2000)],
  ])('no line of a subject with %s is longer than 998 octets', async (_name, subject) => {
    await attempts({ recipients: 'ann@example.com', subject });
    const lines = (smtp.mails[0]?.raw ?? '').split('\r\n');
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(998);
    expect(parseMail(smtp.mails[0]?.raw ?? '', () => undefined).subject).toBe(subject);
  });

  test.each([
    ['a@example.com (Alice, A.), b@example.com', ['a@example.com', 'b@example.com']],
    ['Team: a@example.com, b@example.com;', ['a@example.com', 'b@example.com']],
    ['"Team, all": a@example.com;, c@example.com', ['a@example.com', 'c@example.com']],
    ['"quoted,local"@example.com', ['"quoted,local"@example.com']],
    ['a@[127.0.0.1]', ['a@[127.0.0.1]']],
    ['Ann (the first) <a@example.com>', ['a@example.com']],
    ['ann@exämple.com', ['ann@exämple.com']],
  ])('recipients %s get the mail', async (recipients, addresses) => {
    const { payload } = await attempts({ recipients });
    expect(sentTo()).toEqual([addresses]);
    expect(payload).not.toHaveProperty('rejected');
  });
});

describe('B16: an address that is not ASCII is not sent raw to a server without SMTPUTF8', () => {
  let ascii: SmtpTestServer;
  let unicode: Mailer;

  beforeAll(async () => {
    ascii = await startSmtpServer({ takesUnicode: false });
    unicode = mailer;
  });
  beforeEach(() => {
    ascii.clear();
    mailer = createMailer({ smtpUrl: ascii.url, mailFrom: 'Fabula <fabula@example.org>', dataDir: '' });
  });
  afterEach(async () => {
    await mailer.close();
    mailer = unicode;
  });
  afterAll(() => ascii.close());

  const REASON = 'the mail server does not accept non-ASCII addresses (SMTPUTF8)';

  test('the others have the mail, and it does not name the address', async () => {
    const { payload, failures, logs } = await attempts({
      recipients: 'ann@example.com, ü@example.com',
      cc: 'Bö <bö@example.com>, ann@exämple.com',
      bcc: '用户@example.com',
    });
    expect(failures).toEqual([]);
    expect(payload).toMatchObject({
      recipients: ['ann@example.com'],
      rejected: ['ü@example.com', 'bö@example.com', '用户@example.com'],
    });
    expect(logs.map(({ message }) => message)).toContain(`ü@example.com was rejected: ${REASON}`);
    expect(ascii.received()).toContain('RCPT TO:<ann@xn--exmple-cua.com>');
    expect(ascii.received()).toMatch(/^\p{ASCII}*$/u);
    expect(ascii.mails).toHaveLength(1);
  });

  test('with nobody else there is no mail, and no other attempt', async () => {
    const { failures } = await attempts({ recipients: 'ü@example.com' });
    expect(failures).toEqual([expect.any(PermanentJobError)]);
    expect(String(failures[0])).toContain(`refused: ü@example.com: ${REASON}`);
    expect(ascii.received()).not.toContain('RCPT TO');
  });

  test('what the server refuses for now is tried again, the address is not', async () => {
    ascii.refuse('grey@example.com', 450, 'Greylisted');
    const { payload, failures } = await attempts(
      { recipients: 'grey@example.com, ü@example.com' },
      { between: () => ascii.accept('grey@example.com') },
    );
    expect(failures).toHaveLength(1);
    expect(payload).toMatchObject({ recipients: ['grey@example.com'], rejected: ['ü@example.com'] });
  });

  test.each(['reply_to', 'sender_address'])('a mail whose %s is one is refused', async (option) => {
    const { failures } = await attempts({ recipients: 'ann@example.com', [option]: 'ü@example.com' });
    expect(failures).toEqual([expect.any(PermanentJobError)]);
    expect(String(failures[0])).toContain(`${option}: ${REASON}`);
    expect(ascii.received()).not.toContain('RCPT TO');
  });

  test('the server is asked once for many mails, and not at all for ASCII', async () => {
    const before = ascii.connections();
    await attempts({ recipients: 'ann@example.com' });
    expect(ascii.connections() - before).toBe(1);
    await Promise.all([1, 2, 3].map(() => attempts({ recipients: 'ü@example.com' })));
    expect(ascii.connections() - before).toBe(2);
  });

  test('a server that cannot be asked is no refusal: another attempt', async () => {
    const gone = await startSmtpServer({ takesUnicode: false });
    await gone.close();
    await mailer.close();
    mailer = createMailer({ smtpUrl: gone.url, mailFrom: 'fabula@example.org', dataDir: '' });
    const { failures } = await attempts({ recipients: 'ü@example.com' }, { most: 2 });
    expect(failures.map((error) => error instanceof PermanentJobError)).toEqual([false, false]);
  });

  test('a server with SMTPUTF8 gets it as it is', async () => {
    await mailer.close();
    mailer = createMailer({ smtpUrl: smtp.url, mailFrom: 'fabula@example.org', dataDir: '' });
    const { payload } = await attempts({ recipients: 'ü@example.com, ann@example.com', reply_to: 'ö@x.org' });
    expect(payload).not.toHaveProperty('rejected');
    expect(sentTo()).toEqual([['ü@example.com', 'ann@example.com']]);
    expect(smtp.mails[0]?.header('reply-to')).toBe('ö@x.org');
  });
});

describe('B16: quoted local parts', () => {
  test.each(['"quoted local"@x.org', '"a\\"b"@x.org', '"x@y"@[IPv6:2001:db8::1]'])(
    '%s is an address',
    (text) => {
      expect(parseAddresses(`Ann <${text}>, ${text}`)).toEqual({
        addresses: [{ name: 'Ann', address: text }],
        malformed: [],
      });
    },
  );
});

describe('B17: HTML shows an attachment inline by its content_id', () => {
  const image = { filename: 'a.png', base64encodedcontents: 'iVBORw0K', content_type: 'image/png' };

  test.each(['logo', '<logo>', 'logo@example.com'])('with the id %s', async (id) => {
    await attempts({
      recipients: 'ann@example.com',
      body: '<img src="cid:logo">',
      attachments: [{ ...image, content_id: id }],
    });
    const raw = smtp.mails[0]?.raw ?? '';
    expect(raw).toContain(`Content-ID: <${id.replace(/[<>]/g, '')}>`);
    expect(raw).toMatch(/Content-Disposition: inline; filename=a\.png/);
    expect(raw).toContain('multipart/related');
  });

  test('an id that would be another header is refused', async () => {
    const attachments = [{ ...image, content_id: 'a>\r\nBcc: x@example.com' }];
    const { failures } = await attempts({ recipients: 'ann@example.com', attachments });
    expect(failures).toEqual([expect.any(PermanentJobError)]);
    expect(smtp.mails).toEqual([]);
  });
});
