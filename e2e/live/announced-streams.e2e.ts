import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { encode } from '../fixtures/encoder.ts'
import { startLiveSite } from '../fixtures/live-site.ts'
import { untilPlaying } from '../fixtures/player.ts'
import { expect, test } from '../fixtures/test.ts'

/** A time as an input has it, some minutes from now. */
const inMinutes = (minutes: number) => {
  const time = new Date(Date.now() + minutes * 60_000)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

test('a stream is announced, viewers wait on its page, and the page becomes the stream and its recording', async ({
  newVisitor,
}) => {
  const { site, rtmpPort, owner } = await startLiveSite(newVisitor)
  let encoder: ChildProcess | undefined
  try {
    await owner.goto(`${site.url}/studio/live`)
    await owner.getByRole('button', { name: 'Announce a stream' }).click()
    const dialog = owner.getByRole('dialog')
    await dialog.getByLabel('Title').fill('Salt flats at dawn')
    await dialog.getByLabel('Begins').fill(inMinutes(10))
    await dialog.getByRole('button', { name: 'Announce' }).click()
    await expect(dialog).toHaveCount(0)
    await owner.getByRole('button', { name: 'Create a key' }).click()
    const shownKey = owner.locator('dd code').last()
    await expect(shownKey).toHaveText(/^[\w-]{43}$/)
    const key = (await shownKey.textContent()) ?? ''

    const visitor = await newVisitor()
    await visitor.goto(`${site.url}/live`)
    await visitor.getByRole('link', { name: 'Salt flats at dawn' }).click()
    await expect(visitor.getByRole('timer')).toBeVisible()
    const address = visitor.url()
    await expect(visitor.getByRole('button', { name: 'Remind me' })).toBeVisible()
    await expect(visitor.getByRole('region', { name: 'Chat' })).toBeVisible()

    encoder = encode(rtmpPort, key)
    await untilPlaying(visitor)
    expect(visitor.url()).toBe(address)
    await expect(visitor.getByText('Live', { exact: true })).toBeVisible()

    await owner.getByRole('button', { name: 'End the stream' }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await expect(owner.getByText('You ended it.')).toBeVisible()
    if (encoder.exitCode === null) await once(encoder, 'close')
    await expect(visitor.getByText('Live', { exact: true })).toHaveCount(0)
    await visitor.goto(address)
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Salt flats at dawn')
    await untilPlaying(visitor)
  } finally {
    encoder?.kill('SIGKILL')
    await site.stop()
  }
})
