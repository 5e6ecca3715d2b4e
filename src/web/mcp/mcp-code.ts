import { setImmediate as turn } from 'node:timers/promises';
import type { AnyRoute } from '../../api/face.js';
import { type ApiTool, eachTool } from './tool.js';

const tools = new WeakMap<readonly object[], Promise<ApiTool<never>[]>>();

/** Loads the code of the protocol: a quarter of a second of processor time, so a web process does it before it listens. */
export async function loadProtocol() {
  const [{ createMcpServer }, { WebStandardStreamableHTTPServerTransport: Transport }] = await Promise.all([
    import('./mcp-server.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  ]);
  return { createMcpServer, Transport };
}

/** Returns the tools of these routes. They are made once, in as many turns of the event loop as there are tools. */
export function loadTools<Services>(routes: readonly AnyRoute<Services>[]): Promise<ApiTool<Services>[]> {
  const loading = (tools.get(routes) ?? makeTools(routes)) as Promise<ApiTool<Services>[]>;
  tools.set(routes, loading);
  return loading;
}

async function makeTools<Services>(routes: readonly AnyRoute<Services>[]): Promise<ApiTool<Services>[]> {
  const made: ApiTool<Services>[] = [];
  for (const tool of eachTool(routes)) {
    made.push(tool);
    await turn();
  }
  return made;
}
