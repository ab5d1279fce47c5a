import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstFrameOfFile, firstFrameOfStream, launchBrowser, openPlayerPage } from './browser.ts'
import { makeClip, startProduct, writeResults } from './product.ts'

/**
 * How long after the last byte of an upload is the first frame on the screen? Against the same file, sent raw by a
 * static server and played by the browser alone. The index of every file is at its end.
 */
const directory = mkdtempSync(join(tmpdir(), 'kinora-first-frame-'))
const sizes = [
  { name: '10 MB', bytes: 10e6 },
  { name: '1 GB', bytes: 1e9 },
]

const product = await startProduct({ PREPARE_POLICY: 'none' })
const browser = await launchBrowser()
const raw = await serveRaw(directory)
try {
  const film = makeFilm()
  const results = []
  for (const { name, bytes } of sizes) {
    const file = join(directory, `${bytes}.mp4`)
    const rounds = Math.ceil(bytes / statSync(film).size)
    makeClip(file, `-stream_loop ${rounds - 1} -i ${film} -c copy`)
    const page = await openPlayerPage(browser, product.url)
    const rawPage = await openPlayerPage(browser, raw.url)
    const rawMs = await firstFrameOfFile(rawPage, `${raw.url}/${bytes}.mp4`)
    const { video, lastByteAt, answeredAt } = await product.upload(file, name)
    const playMs = await firstFrameOfStream(page, video.streamUrl)
    results.push({
      source: name,
      'raw, ms': Math.round(rawMs),
      'answered after the last byte, ms': Math.round(answeredAt - lastByteAt),
      'then first frame, ms': Math.round(playMs),
      'in all, ms': Math.round(answeredAt - lastByteAt + playMs),
      'peak memory of web, MB': product.peakMemoryMb('web'),
    })
    await rawPage.close()
  }
  console.table(results)
  writeResults('first-frame', results)
} finally {
  await browser.close()
  raw.server.close()
  await product.stop()
  rmSync(directory, { recursive: true, force: true })
}

/** Thirty seconds at 1.4 Mbit/s, to be repeated. */
function makeFilm(): string {
  const film = join(directory, 'film.mp4')
  const inputs = '-f lavfi -i testsrc2=s=854x480:r=24:d=30,noise=alls=12:allf=t -f lavfi -i sine=d=30:r=48000'
  const picture =
    '-c:v libx264 -preset veryfast -b:v 1400k -maxrate 1600k -bufsize 3000k -pix_fmt yuv420p -g 48'
  makeClip(film, `${inputs} ${picture} -c:a aac`)
  return film
}

async function serveRaw(root: string): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    if (!request.url?.endsWith('.mp4') || !existsSync(join(root, request.url))) {
      response.end()
      return
    }
    const file = join(root, request.url)
    const { size } = statSync(file)
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const [start, end] = [Number(from), to === '' ? size - 1 : Number(to)]
    response.writeHead(request.headers.range ? 206 : 200, {
      'accept-ranges': 'bytes',
      'content-type': 'video/mp4',
      'content-length': end - start + 1,
      'content-range': `bytes ${start}-${end}/${size}`,
    })
    createReadStream(file, { start, end }).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
