import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { StoryGraph, TemplateFilter, TemplateFunction } from '../../../../clients/typescript/api.js';
import { api, sendVersioned } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import type { TextResponse } from '../../api/send-to.js';
import type { KnownRecordType } from '../../inspector/form/field-context.js';
import type { Callable, Knowledge } from '../../inspector/template-field/completions.js';
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

function storedIn({ text, etag }: TextResponse): StoredGraph {
  if (etag === undefined) throw new Error('The server sent a story without its version.');
  return { graph: parseExact(text) as StoryGraph, etag };
}

/** Returns what templates can name besides a sample: functions, filters, resources, credentials and stories of the team. */
export function useTemplateNames(teamId: number) {
  const callables = useQuery({
    queryKey: keys.callables,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: readCallables,
  });
  const names = useQuery({ queryKey: keys.names(teamId), queryFn: () => readNames(teamId) });
  return useMemo(
    () => ({ ...NO_CALLABLES, ...NO_NAMES, ...callables.data, ...names.data }),
    [callables.data, names.data],
  );
}

/** Returns the types of records of the team with their own fields; none until they are needed. */
export function useRecordTypeNames(teamId: number, isNeeded: boolean): readonly KnownRecordType[] {
  const types = useQuery({
    queryKey: keys.recordTypes,
    enabled: isNeeded,
    queryFn: async () => (await api.recordTypes.list({ per_page: PAGE })).record_types,
  });
  return useMemo(
    () =>
      (types.data ?? [])
        .filter(({ team_id: team }) => team === teamId)
        .map(({ name, record_fields: fields }) => ({ name, fields: fields.map((field) => field.name) })),
    [types.data, teamId],
  );
}

const NO_CALLABLES: Pick<Knowledge, 'functions' | 'filters'> = { functions: [], filters: [] };
const NO_NAMES: Pick<Knowledge, 'resources' | 'credentials' | 'stories'> = {
  resources: [],
  credentials: [],
  stories: [],
};

async function readCallables(): Promise<typeof NO_CALLABLES> {
  const [functions, filters] = await Promise.all([
    api.functions.list({ per_page: PAGE }),
    api.filters.list({ per_page: PAGE }),
  ]);
  return { functions: functions.functions.map(callableOf), filters: filters.filters.map(callableOf) };
}

async function readNames(teamId: number): Promise<typeof NO_NAMES> {
  const asked = { team_id: teamId, per_page: PAGE };
  const [resources, credentials, stories] = await Promise.all([
    api.globalResources.list(asked),
    api.userCredentials.list(asked),
    api.stories.list({ ...asked, order: 'NAME' }),
  ]);
  return {
    resources: resources.global_resources.map(({ name }) => name),
    credentials: credentials.user_credentials.map(({ name }) => name),
    stories: stories.stories.map(({ name }) => name),
  };
}

function callableOf({
  name,
  arguments: given,
  description,
  example,
}: TemplateFunction | TemplateFilter): Callable {
  const list = given.map(
    ({ name: each, required, repeats }) => `${each}${repeats ? '…' : ''}${required ? '' : '?'}`,
  );
  return {
    name,
    signature: list.length === 0 ? name : `${name}(${list.join(', ')})`,
    description,
    example: `${example.template} → ${JSON.stringify(example.result)}`,
  };
}
