import { parseMail } from '../../../src/language/mail/parse-mail.js';

const mail = (...lines: string[]) => parseMail([...lines, '', 'x'].join('\r\n'), () => undefined);

describe('C1: the sender of a mail cannot be forged with an encoded word', () => {
  test.each([
    ['=?utf-8?Q?boss=40company.com=2C?= <attacker@evil.com>', 'attacker@evil.com'],
    ['=?utf-8?Q?=3Cboss=40company.com=3E?= <attacker@evil.com>', 'attacker@evil.com'],
    ['=?utf-8?B?Ym9zc0Bjb21wYW55LmNvbTs=?= <attacker@evil.com>', 'attacker@evil.com'],
    ['"=?utf-8?Q?boss=40company.com=22=2C?=" <attacker@evil.com>', 'attacker@evil.com'],
    ['=?utf-8?Q?Group=3A_boss=40company.com=3B?= <attacker@evil.com>', 'attacker@evil.com'],
    ['=?utf-8?Q?boss=40company.com?= (=?utf-8?Q?=3Ca=40b.c=3E?=) <attacker@evil.com>', 'attacker@evil.com'],
    ['"boss@company.com" <attacker@evil.com>', 'attacker@evil.com'],
    ['boss@company.com <attacker@evil.com>', 'attacker@evil.com'],
    ['=?utf-8?Q?boss@company.com?= <attacker@evil.com>', 'attacker@evil.com'],
    ['=?utf-8?Q?=3Cboss=40company.com=3E?=', ''],
    ['=?utf-8?Q?boss@company.com?=', ''],
  ])('From: %s is from %j', (from, address) => {
    expect(mail(`From: ${from}`).from).toBe(address);
  });

  test.each([
    ['=?utf-8?B?dGVzdEBldmlsLmNv?=', []],
    ['=?utf-8?Q?a=40b.c=2C?= <d@e.f>, g@h.i', ['d@e.f', 'g@h.i']],
    ['=?utf-8?Q?=3Ca=40b.c=3E?= <d@e.f>', ['d@e.f']],
    ['=?utf-8?Q?a=3A_b?= <d@e.f>; g@h.i', ['d@e.f', 'g@h.i']],
  ])('To and Cc: %s are %j', (list, addresses) => {
    expect(mail(`To: ${list}`, `Cc: ${list}`)).toMatchObject({ to: addresses, cc: addresses });
  });
});

describe('C16: all lines of To and Cc count', () => {
  test('three of Cc, two of To', () => {
    const { to, cc } = mail(
      'To: a@x.org',
      'Cc: aaa@zzz.org',
      'to: b@x.org',
      'CC: bbb@zzz.org',
      'Cc: ccc@zzz.org',
    );
    expect(to).toEqual(['a@x.org', 'b@x.org']);
    expect(cc).toEqual(['aaa@zzz.org', 'bbb@zzz.org', 'ccc@zzz.org']);
  });

  test('also where one is empty, or repeats another', () => {
    expect(mail('To:', 'To: a@x.org', 'To: a@x.org').to).toEqual(['a@x.org', 'a@x.org']);
    expect(mail('From:', 'From: a@x.org').from).toBe('a@x.org');
  });
});

describe('C33: addresses of mails as RFC 5322 writes them', () => {
  test.each([
    ['a@x.org (a comment)', ['a@x.org']],
    ['Pete(A nice \\) chap) <pete(his account)@silly.test(his host)>', ['pete@silly.test']],
    ['big bug bb@bug.com', ['bb@bug.com']],
    ['a@x.org (an unclosed comment', ['a@x.org']],
    ['A Group:Ed Jones <joe@where.test>,John <jdoe@one.test>;', ['joe@where.test', 'jdoe@one.test']],
    ['Outer: a@x.org, Inner: b@x.org;, c@x.org;', ['a@x.org', 'b@x.org', 'c@x.org']],
    ['Undisclosed recipients:;', []],
    ['"quoted local"@x.org, a@[127.0.0.1]', ['"quoted local"@x.org', 'a@[127.0.0.1]']],
    ['"Lee, A." <lee@x.org>, =?utf-8?Q?J=C3=B6rg?= <j@x.org>', ['lee@x.org', 'j@x.org']],
    ['jörg@exämple.org', ['jörg@exämple.org']],
    ['<a@x.org>,,<b@x.org>,', ['a@x.org', 'b@x.org']],
  ])('%s are %j', (list, addresses) => {
    expect(mail(`To: ${list}`).to).toEqual(addresses);
  });
});
