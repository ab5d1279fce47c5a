import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { chromiumPath } from '../scripts/chromium-path.ts'

const root = join(import.meta.dirname, '..')

/** The Chromium that the set-up found. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
  })
}

/** An empty page of an origin, with hls.js in it. */
export async function openPlayerPage(browser: Browser, origin: string): Promise<Page> {
  const context = await browser.newContext({ bypassCSP: true })
  const page = await context.newPage()
  await page.goto(`${origin}/healthz`)
  await page.addScriptTag({ path: join(root, 'node_modules/hls.js/dist/hls.js') })
  return page
}

/** Milliseconds until the first frame of a rendition of a stream is shown. */
export function firstFrameOfStream(page: Page, url: string, rendition: string): Promise<number> {
  return page.evaluate(
    async ({ source, playlist }) => {
      interface Player {
        levels: { url: string[] }[]
        startLevel: number
        loadSource(url: string): void
        attachMedia(media: HTMLVideoElement): void
        on(event: string, listener: (name: string, data: { fatal?: boolean; details?: string }) => void): void
        destroy(): void
      }
      const { Hls } = globalThis as unknown as { Hls: new (config: object) => Player }
      const video = document.createElement('video')
      video.muted = true
      document.body.replaceChildren(video)
      const startedAt = performance.now()
      const player = new Hls({})
      const shown = new Promise<number>((resolve, reject) => {
        video.requestVideoFrameCallback(() => resolve(performance.now() - startedAt))
        player.on('hlsError', (_, { fatal, details }) => fatal && reject(new Error(details)))
        player.on('hlsManifestParsed', () => {
          player.startLevel = player.levels.findIndex((level) => level.url[0]?.endsWith(playlist))
          if (player.startLevel < 0) reject(new Error(`There is no ${playlist}`))
        })
      })
      player.loadSource(source)
      player.attachMedia(video)
      await video.play()
      const milliseconds = await shown
      player.destroy()
      return milliseconds
    },
    { source: url, playlist: `/${rendition}/index.m3u8` },
  )
}
