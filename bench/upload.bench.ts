import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeClip, startProduct } from './product.ts'
import { round } from './reads.ts'
import { report } from './report.ts'

/** How fast does a large upload go, and in how much memory, beside `dd` that writes the same bytes to the same disk? */
const bytes = 1e9

const directory = mkdtempSync(join(tmpdir(), 'kinora-upload-'))
const product = await startProduct({ PREPARE_POLICY: 'none' })
try {
  const short = join(directory, 'short.mp4')
  const picture = 'testsrc2=s=1280x720:r=24:d=20,noise=alls=40:allf=t'
  makeClip(short, `-f lavfi -i ${picture} -c:v libx264 -preset ultrafast -b:v 20M -pix_fmt yuv420p -g 48`)
  const film = join(directory, 'film.mp4')
  makeClip(film, `-stream_loop ${Math.ceil(bytes / statSync(short).size) - 1} -i ${short} -c copy`)
  const { size } = statSync(film)
  const restMb = product.peakMemoryMb('web')
  const copy = () =>
    seconds(() =>
      execFileSync('dd', [
        `if=${film}`,
        `of=${join(directory, 'copy')}`,
        'bs=1M',
        'conv=fsync',
        'status=none',
      ]),
    )
  const copies = [await copy(), await copy()]
  const uploadSeconds = await seconds(() => product.upload(film, 'Large'))
  copies.push(await copy())
  const ddSeconds = copies.toSorted((a, b) => a - b)[1] ?? Number.NaN
  report('upload', { MB: Math.round(size / 1e6) }, [
    {
      'upload, MB/s': Math.round(size / 1e6 / uploadSeconds),
      'dd, MB/s': Math.round(size / 1e6 / ddSeconds),
      'of dd': round(ddSeconds / uploadSeconds, 2),
      'memory of web before, MB': restMb,
      'at its peak, MB': product.peakMemoryMb('web'),
      'its reader, MB': product.peakMemoryMb('reader'),
    },
  ])
} finally {
  await product.stop()
  rmSync(directory, { recursive: true, force: true })
}

async function seconds(work: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}
