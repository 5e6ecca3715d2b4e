/** The address of the console, `/console/` with the prefix of a proxy before it; the server writes it into the page. */
const home = new URL('.', document.baseURI);

/** The path of the console without the slash at its end, for the routes: `/console`. */
export const CONSOLE_PATH = home.pathname.replace(/\/$/, '');

/** Returns the absolute address of a query at the start of the console, such as `?reset=…`. */
export const consoleAddress = (query: string): string => new URL(query, home).href;

/** Returns the absolute address of a path of the server, such as `/api/v1/info`. */
export function addressOf(path: string): string {
  return new URL(`..${path}`, home).href.replace(/\/$/, '');
}
