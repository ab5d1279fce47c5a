import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createTestApp } from '../../testing/fixtures/test-app.ts'

test('an unused connection does not delay the shutdown', { timeout: 50_000 }, async () => {
  const site = await createTestApp()
  const accepted = once(site.app.server, 'connection')
  const socket = connect(Number(new URL(site.origin).port), '127.0.0.1')
  const ended = once(socket, 'close')
  await accepted
  await site.close()
  await expect(ended).resolves.toBeDefined()
})
