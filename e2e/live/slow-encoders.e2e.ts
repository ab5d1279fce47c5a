import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startLiveSite } from '../fixtures/live-site.ts'
import { untilPlaying } from '../fixtures/player.ts'
import { expect, test } from '../fixtures/test.ts'

/** An ffmpeg that waits before it begins, as long as the file beside it says. */
function createSlowFfmpeg() {
  const directory = mkdtempSync(join(tmpdir(), 'kinora-slow-'))
  chmodSync(directory, 0o755)
  const real = execFileSync('sh', ['-c', 'command -v ffmpeg'], { encoding: 'utf8' }).trim()
  const program = join(directory, 'ffmpeg')
  const seconds = join(directory, 'seconds')
  writeFileSync(program, `#!/bin/sh\nsleep "$(cat ${seconds})"\nexec ${real} "$@"\n`, { mode: 0o755 })
  const delay = (value: number) => writeFileSync(seconds, String(value))
  delay(0)
  return { program, delay, remove: () => rmSync(directory, { recursive: true }) }
}

/** Notes the longest time without progress in this page. */
const watchStalls = (page: Page) =>
  page.evaluate(() => {
    const video = document.querySelector('video')
    let at = performance.now()
    let position = video?.currentTime ?? 0
    const state = { longestMs: 0, lines: [] as number[] }
    Object.assign(window, { stalls: state })
    setInterval(() => {
      if (!video) return
      if (state.lines.at(-1) !== video.videoHeight) state.lines.push(video.videoHeight)
      if (video.currentTime !== position) {
        at = performance.now()
        position = video.currentTime
      }
      state.longestMs = Math.max(state.longestMs, performance.now() - at)
    }, 100)
  })
const stallsOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { stalls: { longestMs: number; lines: number[] } }).stalls)
const linesOf = (page: Page) => page.locator('video').evaluate((video: HTMLVideoElement) => video.videoHeight)

const metricsToken = 'a token for the metrics'

test('players change to the original where encoders become too slow @nightly', async ({ newVisitor }) => {
  test.setTimeout(300_000)
  const ffmpeg = createSlowFfmpeg()
  const { site, rtmpPort, owner } = await startLiveSite(newVisitor, {
    FFMPEG_PATH: ffmpeg.program,
    METRICS_TOKEN: metricsToken,
  })
  const headers = { origin: site.url }
  await owner.request.put(`${site.url}/api/v1/studio/live`, {
    headers,
    data: { title: 'Slow', description: '', visibility: 'public', keepsRecording: true },
  })
  const created = await owner.request.post(`${site.url}/api/v1/studio/live/key`, { headers })
  const { data } = (await created.json()) as { data: { key: string } }
  const inputs = '-re -f lavfi -i testsrc2=size=640x360:rate=25 -re -f lavfi -i sine=r=48000 -t 600'
  const codecs = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 50 -c:a aac -ac 2 -f flv'
  const address = `rtmp://127.0.0.1:${rtmpPort}/live/${data.key}`
  const encoder = spawn('ffmpeg', ['-v', 'error', ...`${inputs} ${codecs}`.split(' '), address], {
    stdio: 'ignore',
  })
  try {
    const id = async () => {
      const response = await owner.request.get(`${site.url}/api/v1/studio/live`)
      const { data: channel } = (await response.json()) as { data: { stream: { videoId: string } | null } }
      return channel.stream?.videoId
    }
    await expect.poll(id, { timeout: 60_000 }).toBeTruthy()
    const videoId = await id()
    const master = async () =>
      (await owner.request.get(`${site.url}/media/live/${videoId}/master.m3u8`)).text()
    await expect.poll(master, { timeout: 60_000 }).toContain('\n144/index.m3u8')

    /** Parts that wait to be encoded, or are. */
    const countWaiting = async () => {
      const authorization = `Bearer ${metricsToken}`
      const metrics = await owner.request.get(`${site.url}/metrics`, { headers: { authorization } })
      expect(metrics.status()).toBe(200)
      const line =
        /^kinora_queue_jobs\{queue="live_streams.encode_part",state="(?:waiting|running)"\} (\d+)$/gm
      const counts = [...(await metrics.text()).matchAll(line)].map(([, count]) => Number(count))
      expect(counts).toHaveLength(2)
      return counts.reduce((sum, count) => sum + count, 0)
    }

    const chosen = await newVisitor()
    await chosen.addInitScript(() => sessionStorage.setItem('kinora.quality', '144'))
    const small = await newVisitor()
    await small.setViewportSize({ width: 320, height: 600 })
    for (const page of [chosen, small]) {
      await page.goto(`${site.url}/video/${videoId}`)
      await untilPlaying(page)
      await expect.poll(() => linesOf(page), { timeout: 30_000 }).toBeLessThan(360)
      await watchStalls(page)
    }
    ffmpeg.delay(6)
    for (const page of [chosen, small]) await expect.poll(() => linesOf(page), { timeout: 60_000 }).toBe(360)
    // those who come now do not wait for encoders either, and may change to a rendition later
    expect(await master()).toContain('\n144/index.m3u8')
    const late = await newVisitor()
    await late.addInitScript(() => sessionStorage.setItem('kinora.quality', '144'))
    await late.goto(`${site.url}/video/${videoId}`)
    await untilPlaying(late)
    await expect.poll(() => linesOf(late), { timeout: 30_000 }).toBe(360)
    // they play on, and no parts wait that nobody will watch
    const goesOnFrom = await chosen.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime)
    await untilPlaying(chosen, goesOnFrom + 20)
    await untilPlaying(small, goesOnFrom + 20)
    expect(await countWaiting()).toBeLessThan(6)
    for (const page of [chosen, small]) {
      const { longestMs, lines } = await stallsOf(page)
      expect(longestMs).toBeLessThan(6000)
      expect(lines.at(-1)).toBe(360)
    }
    ffmpeg.delay(0)
    const newestPart = async () => {
      const playlist = await owner.request.get(`${site.url}/media/live/${videoId}/144/index.m3u8`)
      const name = (await playlist.text()).match(/^\d+\.m4s$/gm)?.at(-1)
      return (await owner.request.get(`${site.url}/media/live/${videoId}/144/${name}`)).status()
    }
    await expect.poll(newestPart, { timeout: 120_000 }).toBe(200)
  } finally {
    encoder.kill('SIGKILL')
    await site.stop()
    ffmpeg.remove()
  }
})
