import { useQuery } from '@tanstack/react-query';
import type { StoryGraph } from '../../../../clients/typescript/api.js';
import { api, sendVersioned } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import type { TextAnswer } from '../../api/send-to.js';
import type { StoredGraph } from '../../story-model/editor-store.js';
import { parseExact } from '../../text/exact-json.js';
import type { GraphServer } from './save/saver.js';

/** The most that one answer may hold. */
const PAGE = 500;

/** Returns a story as it was when it was opened; later versions come into the editor by themselves. */
export function useOpenedGraph(id: number) {
  return useQuery({
    queryKey: keys.opened(id),
    queryFn: () => graphServer(id).read(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** Reads and writes the graph of a story or a draft. */
export function graphServer(id: number): GraphServer {
  const path = `/api/v1/stories/${id}/graph`;
  return {
    read: async () => storedIn(await sendVersioned({ method: 'GET', path })),
    write: async (body, etag) => {
      const text = JSON.stringify(body);
      return storedIn(
        await sendVersioned({ method: 'PUT', path, body: text, headers: { 'If-Match': etag } }),
      );
    },
  };
}

/** Returns the types of actions with the meaning of their options, by type. */
export function useAgentTypes() {
  return useQuery({
    queryKey: keys.agentTypes,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { agent_types: types } = await api.agentTypes.list({ per_page: PAGE });
      return new Map(types.map((type) => [type.type, type]));
    },
  });
}

function storedIn({ text, etag }: TextAnswer): StoredGraph {
  if (etag === undefined) throw new Error('The server sent a story without its version.');
  return { graph: parseExact(text) as StoryGraph, etag };
}
