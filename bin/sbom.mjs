// `npm run sbom`: prints the packages inside the build, with digests and licences, as a bill of materials (CycloneDX 1.5, JSON).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { npmCommand } from './bootstrap.mjs';
import { root } from './run.mjs';

const LIMIT_MS = 60_000;
const LIMIT_BYTES = 64 * 1024 * 1024;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.stdout.write(bomText({ time: new Date(), dist: path.join(root, 'dist') }));
}

/**
 * Returns the bill of materials of the build in the folder `dist`. With the same `time` it has the same bytes: npm's number for
 * each call is left out.
 */
export function bomText({ time, dist }) {
  const [program, ...first] = npmCommand();
  const args = [...first, 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const text = execFileSync(program, args, { cwd: root, timeout: LIMIT_MS, maxBuffer: LIMIT_BYTES });
  const { serialNumber: _, ...bom } = ofBuild(
    JSON.parse(text),
    JSON.parse(readFileSync(path.join(dist, 'packages.json'), 'utf8')),
  );
  const { name, version, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  Object.assign(bom.metadata, { timestamp: time.toISOString() });
  // npm names the folder of the checkout.
  Object.assign(bom.metadata.component, {
    name,
    version,
    type: 'application',
    licenses: [{ license: { id: license } }],
  });
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** Leaves the packages that the bundles contain: `packages` are their names and versions. */
function ofBuild(bom, packages) {
  const built = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const components = bom.components.filter(({ group, name, version }) =>
    built.has(`${group === undefined ? name : `${group}/${name}`}@${version}`),
  );
  const kept = new Set(components.map((component) => component['bom-ref']));
  const dependencies = bom.dependencies
    .filter(({ ref }) => kept.has(ref) || ref === bom.metadata.component['bom-ref'])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
  return { ...bom, components, dependencies };
}
