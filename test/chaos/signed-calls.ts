import { createHmac } from 'node:crypto';

const SIX_MINUTES_S = 6 * 60;

/**
 * Calls a webhook with signatures of now, and of six minutes ago and ahead, by this process's clock, which is right.
 * Gives how many were accepted, and what should not be.
 */
export async function checkSignatures(
  url: string,
  address: string,
): Promise<{ accepted: number; wrong: string[] }> {
  const nowS = Math.floor(Date.now() / 1000);
  const fresh = await signedCall(url, address, nowS);
  const stale = [
    await signedCall(url, address, nowS - SIX_MINUTES_S),
    await signedCall(url, address, nowS + SIX_MINUTES_S),
  ];
  const accepted = [fresh, ...stale].filter((status) => status >= 200 && status < 300).length;
  return {
    accepted,
    wrong: [
      ...(fresh === 201 ? [] : [`a fresh signature was answered with ${fresh}`]),
      ...stale
        .filter((status) => status !== 401)
        .map((status) => `a stale signature was answered with ${status}`),
    ],
  };
}

/** The status. */
async function signedCall(origin: string, address: string, timestamp: number): Promise<number> {
  const [path = '', secret = ''] = address.split('/');
  const url = `${origin}/webhook/${path}`;
  const body = JSON.stringify({ signed: true });
  const hmac = createHmac('sha256', secret).update(`${timestamp}.${url}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-service-signature': `ts=${timestamp};sig1=${hmac}`,
  };
  const response = await fetch(url, { method: 'POST', headers, body });
  await response.body?.cancel();
  return response.status;
}
