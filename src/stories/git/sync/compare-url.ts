import { gitRemote } from '../../../platform/git/git-remote.js';

const parts = (name: string) => name.split('/').map(encodeURIComponent).join('/');

/** Returns the page of the repository's host where a pull request from a branch is made; null: it has none. */
export function compareUrl(url: string, into: string, from: string): string | null {
  const remote = gitRemote(url);
  if (remote === undefined) return null;
  const { protocol, host, port, path } = remote;
  const isUsual = protocol === 'ssh' || port === (protocol === 'https' ? 443 : 80);
  const place = `${host.includes(':') ? `[${host}]` : host}${isUsual ? '' : `:${port}`}`;
  const page = `${protocol === 'http' ? 'http' : 'https'}://${place}${path.replace(/\.git$/, '').replace(/\/$/, '')}`;
  if (/(?:^|\.)gitlab\./.test(host)) {
    const query = new URLSearchParams({
      'merge_request[source_branch]': from,
      'merge_request[target_branch]': into,
    });
    return `${page}/-/merge_requests/new?${query.toString()}`;
  }
  return `${page}/compare/${parts(into)}...${parts(from)}`;
}
