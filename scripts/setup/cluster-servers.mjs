import { installPackages } from './packages.mjs'
import { onPath } from './steps.mjs'

/** Installs PostgreSQL's failover for `npm run test:cluster`. Its tests are skipped if it is not available. */
export async function tryForClusterServers() {
  const packages = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy' }
  const missing = Object.entries(packages).flatMap(([program, name]) =>
    onPath(program).length > 0 ? [] : [name],
  )
  if (missing.length === 0 || onPath('apt-get').length === 0) return
  await installPackages('servers for the cluster tests', missing).catch((error) =>
    console.warn(error.message),
  )
}
