import { createTransport } from 'nodemailer';

/**
 * Connects to a mail server, encrypts and logs in as a mailer would, and quits; sends no mail.
 * @throws the mail library's error: its `code` is EAUTH if the server refused the login.
 */
export async function verifySmtp(smtpUrl: string, limitMs: number): Promise<void> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: limitMs,
    greetingTimeout: limitMs,
    socketTimeout: limitMs,
    dnsTimeout: limitMs,
  });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}
