import type { Config } from '../../../../context/config.ts'
import { newId } from '@kinora/platform/ids.ts'
import { createStorage } from '@kinora/platform/storage/create-storage.ts'
import type { Storage } from '@kinora/platform/storage/storage.ts'
import type { Report } from './finding.ts'

/** Checks that objects can be written and read; with MEDIA_DELIVERY=redirect, also by pages of the site (CORS). */
export async function checkBucket(config: Config, report: Report): Promise<void> {
  if (!config.storageUrl) return
  const key = `check/${newId()}`
  try {
    await using storage = await openStorage(config)
    report('bucket.works', 'good', 'Objects can be written to the bucket, listed, read and deleted')
    if (config.mediaDelivery !== 'redirect') return
    await storage.put(key, Buffer.from('kinora'))
    try {
      await checkAddress(config, (await storage.presignedUrl(key, plainText)) ?? '', report)
    } finally {
      await storage.delete(key)
    }
  } catch (error) {
    report('bucket.fails', 'bad', error instanceof Error ? error.message : String(error))
  }
}

const plainText = { type: 'text/plain', cacheControl: 'no-store' }

async function openStorage(config: Config): Promise<Storage & AsyncDisposable> {
  const storage = await createStorage(config)
  return Object.assign(storage, { [Symbol.asyncDispose]: () => storage.close() })
}

/** Sends a request as a page of the site would. */
async function checkAddress({ publicUrl, port }: Config, address: string, report: Report): Promise<void> {
  const origin = new URL(publicUrl ?? `http://localhost:${port}`).origin
  const response = await fetch(address, { headers: { origin }, signal: AbortSignal.timeout(10_000) })
  await response.arrayBuffer()
  const allowed = response.headers.get('access-control-allow-origin')
  if (!response.ok)
    report(
      'bucket.fails',
      'bad',
      `Browsers are redirected to the bucket, which responds with ${response.status}.`,
    )
  else if (allowed === '*' || allowed === origin)
    report('bucket.open', 'good', `Pages of ${origin} may load media from the bucket`)
  else
    report(
      'bucket.closed',
      'bad',
      `Browsers are redirected to the bucket, which does not allow pages of ${origin} to load from it. Allow GET and HEAD from that origin (CORS), or set MEDIA_DELIVERY=stream.`,
    )
}
