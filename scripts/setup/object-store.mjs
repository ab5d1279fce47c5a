import { installPackages } from './packages.mjs'
import { onPath } from './steps.mjs'

/**
 * Ceph's object gateway, against which the tests try STORAGE_URL. Where it cannot be had they say so and go without:
 * everything else keeps its files on the disk.
 */
export async function tryForObjectStore() {
  if (onPath('radosgw').length > 0 || onPath('apt-get').length === 0) return
  const packages = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-mgr', 'ceph-common']
  await installPackages('an S3 server to test against', packages).catch((error) =>
    console.warn(error.message),
  )
}
