import { statfs } from 'node:fs/promises'
import type { Config } from '../../../../context/config.ts'
import { type FileSystem, freeSpaceOf } from '@kinora/platform/files/disk-space.ts'
import { formatBytes } from '@kinora/platform/format-bytes.ts'
import type { Report } from './finding.ts'

const lowDiskBytes = 5e9

/** Checks the free space of the disk of DATA_DIR, which exists. */
export async function checkDisk({ dataDir }: Pick<Config, 'dataDir'>, report: Report): Promise<void> {
  reportDisk(await statfs(dataDir), report)
}

/** Exported for the test, which cannot fill a disk. */
export function reportDisk(disk: FileSystem, report: Report): void {
  const { freeBytes, floorBytes } = freeSpaceOf(disk)
  const free = `${formatBytes(freeBytes)} of ${formatBytes(disk.blocks * disk.bsize)} are free`
  if (freeBytes < floorBytes)
    report(
      'disk.full',
      'bad',
      `Only ${free}. Uploads are rejected below ${formatBytes(floorBytes)}. Delete files or use a larger disk.`,
    )
  else if (freeBytes < lowDiskBytes)
    report(
      'disk.low',
      'bad',
      `Only ${free}. Uploads will be rejected soon. Delete files or use a larger disk.`,
    )
  else report('disk.free', 'good', free)
}
