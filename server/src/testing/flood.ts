import { connect } from 'node:net'
import { drawJpegOfScans } from '@kinora/media/testing/hostile-pictures.ts'
import { registrationForm } from './fixtures/test-users.ts'

/**
 * A program that floods a site from several addresses at once, in a separate process so that it does not delay the
 * server: segments that have to be encoded, searches for misspelled words, registrations with slow pictures, and slow
 * bodies. Prints `ready` once everything has started, and runs until it is killed.
 */
const [origin = '', videoId = '', format = '', size = '1'] = process.argv.slice(2)
const scale = Number(size)
const addresses = Array.from({ length: 4 }, (_, at) => `192.0.2.${at + 1}`)

/** Repeats a request from each address, `atOnce` at a time. Rejections are expected. */
function repeat(atOnce: number, send: (address: string, count: number) => Promise<Response>): void {
  let count = 0
  for (const address of addresses) {
    for (let lane = 0; lane < atOnce; lane += 1) {
      void (async () => {
        for (;;) {
          const response = await send(address, (count += 1)).catch(() => undefined)
          await response?.arrayBuffer().catch(() => undefined)
          // rejections return immediately: without a pause this process alone would use a core
          if (!response?.ok) await new Promise((resolve) => setTimeout(resolve, 50))
        }
      })()
    }
  }
}

const from = (address: string) => ({ 'x-forwarded-for': address })

repeat(10 * scale, (address, count) =>
  fetch(`${origin}/media/videos/${videoId}/${format}/36/${count % 150}.m4s`, {
    headers: { ...from(address), range: 'bytes=0-0' },
    signal: AbortSignal.timeout(5000),
  }),
)

const misspelled = 'aple bananna chery grapez lemmon mangoe oragne papaia peech plumz quinze rasberry'
repeat(2 * scale, (address, count) =>
  fetch(`${origin}/api/v1/video/search/${encodeURIComponent(`${misspelled} ${count}`)}`, {
    headers: from(address),
  }),
)

const slowPicture = new Blob([new Uint8Array(await drawJpegOfScans(4000, 100))], { type: 'image/jpeg' })
repeat(scale, async (address, count) => {
  const username = `flood${process.pid}x${count}`
  const form = await registrationForm({
    username,
    email: `${username}@example.org`,
    avatar: slowPicture,
  })
  return fetch(`${origin}/api/v1/users/register`, { method: 'POST', headers: from(address), body: form })
})

const { hostname, port } = new URL(origin)
function trickle(localAddress: string): void {
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  const writing = setInterval(() => socket.writable && socket.write(' '), 500)
  socket.on('error', () => undefined).on('data', () => undefined)
  socket.on('close', () => {
    clearInterval(writing)
    setTimeout(() => trickle(localAddress), 500)
  })
  socket.write('POST /api/v1/users/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n')
  socket.write('Content-Length: 30000\r\n\r\n{')
}
for (let at = 0; at < 100 * scale; at += 1) trickle(`127.0.0.${10 + (at % 4)}`)

console.log('ready')
