import { createTransport, type SMTPTransportOptions } from 'nodemailer';

/** How long a response of the server counts. */
const FRESH_MS = 5 * 60_000;
/** A login method of our own: it sends nothing, and is told what the server announced. */
const ASK = 'FABULA-ASK';

/**
 * Creates a function that tells whether the server announces SMTPUTF8 (RFC 6531). It asks over a connection of its own,
 * encrypted as those for mails are, at most once in five minutes.
 * @throws the function throws the mail library's error when the server cannot be asked.
 */
export function createUnicodeCheck(connection: SMTPTransportOptions): () => Promise<boolean> {
  let known: { until: number; response: Promise<boolean> } | undefined;
  return () => {
    if (known !== undefined && performance.now() < known.until) return known.response;
    const asked = { until: performance.now() + FRESH_MS, response: announcesUnicode(connection) };
    known = asked;
    asked.response.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked.response;
  };
}

async function announcesUnicode(connection: SMTPTransportOptions): Promise<boolean> {
  let extensions: readonly string[] = [];
  const transport = createTransport({
    ...connection,
    forceAuth: true,
    auth: { type: 'custom', method: ASK, user: ASK, pass: ASK },
    customAuth: {
      [ASK]: (server: { extensions: string[]; resolve: () => void }) => {
        extensions = server.extensions;
        server.resolve();
      },
    },
  });
  try {
    await transport.verify();
    return extensions.includes('SMTPUTF8');
  } finally {
    transport.close();
  }
}
