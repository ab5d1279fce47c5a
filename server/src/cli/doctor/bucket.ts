import type { Config } from '../../config.ts'
import { newId } from '../../platform/ids.ts'
import { createStorage } from '../../platform/storage/create-storage.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { Report } from './finding.ts'

/** Whether objects can be written and read, and by pages of the site as well where browsers are sent to the bucket. */
export async function checkBucket(config: Config, report: Report): Promise<void> {
  if (!config.storageUrl) return
  const key = `check/${newId()}`
  try {
    await using storage = await openStorage(config)
    report('bucket', 'good', 'Objects can be written to the bucket, listed, read and deleted')
    if (config.mediaDelivery !== 'redirect') return
    await storage.put(key, Buffer.from('kinora'))
    try {
      await checkAddress(config, (await storage.presignedUrl(key, plainText)) ?? '', report)
    } finally {
      await storage.delete(key)
    }
  } catch (error) {
    report('bucket', 'bad', error instanceof Error ? error.message : String(error))
  }
}

const plainText = { type: 'text/plain', cacheControl: 'no-store' }

async function openStorage(config: Config): Promise<Storage & AsyncDisposable> {
  const storage = await createStorage(config)
  return Object.assign(storage, { [Symbol.asyncDispose]: () => storage.close() })
}

/** Asks as a page of the site would. */
async function checkAddress({ publicUrl, port }: Config, address: string, report: Report): Promise<void> {
  const origin = new URL(publicUrl ?? `http://localhost:${port}`).origin
  const answer = await fetch(address, { headers: { origin }, signal: AbortSignal.timeout(10_000) })
  await answer.arrayBuffer()
  const allowed = answer.headers.get('access-control-allow-origin')
  if (!answer.ok)
    report('bucket', 'bad', `Browsers are sent to the bucket, which answers them ${answer.status}.`)
  else if (allowed === '*' || allowed === origin)
    report('bucket', 'good', `Pages of ${origin} may load media from the bucket`)
  else
    report(
      'bucket',
      'bad',
      `Browsers are sent to the bucket, which does not let pages of ${origin} load from it: allow GET and HEAD from there (CORS), or set MEDIA_DELIVERY=stream.`,
    )
}
