import { expect, test } from 'vitest'
import { processesOf, siteDirectory, startSite } from '../testing/servers/start-site.ts'

const polling = { timeout: 60_000, interval: 50 }

test('starts, replaces a killed web process and worker, and stops all processes', async () => {
  const dataDir = siteDirectory()
  const site = startSite({ dataDir })
  const address = await site.ready
  const pidOf = (role: string) =>
    processesOf(dataDir).find(({ command }) => command.includes(`dist/${role}.js`))?.pid
  for (const role of ['web', 'worker']) {
    const killed = pidOf(role)
    // kill(undefined) would signal the whole process group of this test
    if (killed === undefined) throw new Error(`there is no ${role}`)
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => [undefined, killed].includes(pidOf(role)), polling).toBe(false)
  }
  const status = () =>
    fetch(`${address}/readyz`).then(
      (response) => response.status,
      () => undefined,
    )
  await expect.poll(status, polling).toBe(200)
  site.process.kill('SIGTERM')
  expect(await site.ended).toBe(0)
  await expect.poll(() => processesOf(dataDir), polling).toEqual([])
})
