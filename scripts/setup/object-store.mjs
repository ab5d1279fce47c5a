import { installPackages } from './packages.mjs'
import { onPath } from './steps.mjs'

/**
 * Installs Ceph's object gateway for tests of STORAGE_URL. Those tests are skipped if it is not available.
 */
export async function tryForObjectStore() {
  if (onPath('radosgw').length > 0 || onPath('apt-get').length === 0) return
  const packages = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-mgr', 'ceph-common']
  await installPackages('an S3 server to test against', packages).catch((error) =>
    console.warn(error.message),
  )
}
