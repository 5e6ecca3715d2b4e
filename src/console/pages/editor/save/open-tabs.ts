const CHANNEL = 'fabula-editor';
/** A tab that is open answers sooner. */
const ANSWER_MS = 400;

type Message = { ask: string } | { here: string };

/** Lets other tabs know that this one is open. Returns the function that ends that. */
export function announceTab(tab: string): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if ('ask' in data && data.ask === tab) channel.postMessage({ here: tab } satisfies Message);
  });
  return () => channel.close();
}

/** Returns those of these tabs that are open in this browser. */
export async function openTabs(tabs: readonly string[]): Promise<Set<string>> {
  const open = new Set<string>();
  if (tabs.length === 0) return open;
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if ('here' in data) open.add(data.here);
  });
  for (const tab of tabs) channel.postMessage({ ask: tab } satisfies Message);
  await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
  channel.close();
  return open;
}
