import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Parsed } from './manage-api.js';
import { builtFile } from './processes.js';

/** The result of a tool: the JSON of its text, if it is JSON. */
export interface ToolResponse {
  isError: boolean;
  value: Parsed;
}

/** The same, with what it was read from. */
export interface WholeToolResponse extends ToolResponse {
  text: string;
  structured: unknown;
}

export interface McpTestClient {
  client: Client;
  tool: (name: string, args?: Record<string, unknown>) => Promise<ToolResponse>;
  whole: (name: string, args?: Record<string, unknown>) => Promise<WholeToolResponse>;
  close(): Promise<void>;
}

/** Connects as assistants do that know only address and key. */
export async function connectOverHttp(url: string, key: string): Promise<McpTestClient> {
  const headers = { Authorization: `Bearer ${key}` };
  return connected(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
}

/** Connects as assistants do that start the command `fabula mcp`. */
export async function connectOverStdio(url: string, key: string): Promise<McpTestClient> {
  const { PATH = '' } = process.env;
  return connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [builtFile('cli'), 'mcp'],
      env: { PATH, FABULA_URL: url, FABULA_KEY: key },
    }),
  );
}

async function connected(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
): Promise<McpTestClient> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  // It checks the results of tools that it knows.
  await client.listTools();
  const whole = async (name: string, args: Record<string, unknown> = {}) => {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
    const [{ text }] = content as [{ text: string }];
    return { isError: isError === true, value: parsed(text), text, structured: structuredContent };
  };
  return {
    client,
    whole,
    async tool(name, args) {
      const { isError, value } = await whole(name, args);
      return { isError, value };
    },
    close: () => client.close(),
  };
}

function parsed(text: string): Parsed {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
