import { statfs } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '../../../testing/fixtures/test-app.ts'
import { bytesOverBudget } from './actions/cache-budget.ts'
import { playbackJobs } from './jobs.ts'

test('segments are evicted while the disk is fuller than CACHE_MAX_DISK_PERCENT, sources never', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const { signal } = new AbortController()
  const evictAt = async (cacheMaxDiskPercent: number) => {
    const context = { ...site.context, config: { ...site.context.config, cacheMaxDiskPercent } }
    const job = playbackJobs.find(({ name }) => name === 'playback.evict_segments')
    await job?.handle({}, context, signal)
    return bytesOverBudget(context)
  }
  const isStored = (key: string) => site.storage.head(key).then(Boolean)
  await site.storage.put('segments/gone/1/240/0.m4s', Buffer.alloc(1000))
  await site.storage.put('sources/kept', Buffer.alloc(1000))

  expect(await evictAt(100)).toBe(0)
  expect(await isStored('segments/gone/1/240/0.m4s')).toBe(true)

  // No setting is that low: a disk with anything on it is above the limit.
  const over = await evictAt(0)
  const { blocks, bfree, bsize } = await statfs(site.context.config.dataDir)
  expect(over).toBeGreaterThan(0)
  expect(over).toBeLessThanOrEqual(2 * (blocks - bfree) * bsize)
  expect(await isStored('segments/gone/1/240/0.m4s')).toBe(false)
  expect(await isStored('sources/kept')).toBe(true)
})
