import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createLog } from '@kinora/platform/log.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { expect, onTestFinished, test } from 'vitest'
import { listenForEncoders, type MediaMessage } from './server.ts'

const run = promisify(execFile)

/** A key and a certificate for 127.0.0.1 that signs itself. */
async function createCertificate(name: string): Promise<{ file: string; cert: Buffer; key: Buffer }> {
  const directory = temporaryDirectory()
  const [file, keyFile] = [join(directory, `${name}.pem`), join(directory, `${name}.key`)]
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '2']
  await run('openssl', ['req', '-x509', ...curve, ...names, '-keyout', keyFile, '-out', file])
  return { file, cert: await readFile(file), key: await readFile(keyFile) }
}

/** Streams with ffmpeg, which trusts one certificate alone. Returns its exit code. */
async function encode(port: number, trusted: string): Promise<number | null> {
  const inputs = '-f lavfi -i testsrc2=size=320x240:rate=25 -f lavfi -i sine=r=48000 -t 2'
  const codecs = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25 -c:a aac -f flv'
  const args = ['-v', 'error', ...`${inputs} ${codecs} -tls_verify 1 -ca_file`.split(' '), trusted]
  const encoder = spawn('ffmpeg', [...args, `rtmps://127.0.0.1:${port}/live/right`], { stdio: 'ignore' })
  const [code] = (await once(encoder, 'close')) as [number | null]
  return code
}

test('receives RTMPS from an encoder that verifies the certificate, and from no other', async () => {
  const { file, cert, key } = await createCertificate('site')
  const received: MediaMessage[] = []
  const server = await listenForEncoders(
    { host: '127.0.0.1', port: 0, tls: { cert, key } },
    async () => ({
      signal: new AbortController().signal,
      receive: async (message) => void received.push(message),
      close: async () => undefined,
    }),
    createLog('silent', 'test'),
  )
  onTestFinished(() => server.close())
  expect(await encode(server.port, file)).toBe(0)
  const kinds = received.map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'video').length).toBeGreaterThanOrEqual(50)
  expect(kinds).toContain('audio')

  received.length = 0
  const other = await createCertificate('other')
  expect(await encode(server.port, other.file)).not.toBe(0)
  expect(received).toEqual([])
})
