import express from 'express';
import { type ConsolePlace, toConsole } from '../../../src/app/to-console.js';
import { serve } from '../../support/app.js';

async function opened(
  place: ConsolePlace,
  headers: Record<string, string>,
): Promise<[number, string | null]> {
  const app = express();
  app.get('/', toConsole(place));
  const server = await serve(app);
  const response = await fetch(server.url, { headers, redirect: 'manual' });
  await server.close();
  return [response.status, response.headers.get('location')];
}

const BROWSER = { accept: 'text/html,*/*;q=0.8' };
const LOCAL = { adminPort: 3001, adminHost: '127.0.0.1' };

describe('the root of the API', () => {
  it('sends a browser on this machine to the console', async () => {
    expect(await opened(LOCAL, BROWSER)).toEqual([303, 'http://127.0.0.1:3001/console/']);
  });

  it('sends every browser to the origin of people', async () => {
    const place = { adminOrigin: 'https://console.example.com' };
    expect(await opened(place, BROWSER)).toEqual([303, 'https://console.example.com/console/']);
  });

  it.each([
    ['a program', LOCAL, { accept: 'application/json' }],
    ['a browser, if the port is not known', { adminPort: 0 }, BROWSER],
    ['a browser, if there is no console', {}, BROWSER],
  ])('sends %s nowhere', async (_what, place, headers) => {
    expect(await opened(place, headers)).toEqual([404, null]);
  });
});
