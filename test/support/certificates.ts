import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A key and a self-signed certificate for these loopback addresses, good for a day. */
export function selfSigned(...addresses: string[]): { key: string; cert: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'fabula-tls-'));
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const names = `subjectAltName=${addresses.map((address) => `IP:${address}`).join(',')}`;
  const form = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
  execFileSync('openssl', [...form, '-keyout', key, '-out', cert, '-addext', names], { stdio: 'ignore' });
  const made = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
}
