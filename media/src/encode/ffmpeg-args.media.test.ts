import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { toneMap } from './ffmpeg-args.ts'

const run = promisify(execFile)

const primaries =
  // cspell:disable-next-line -- names of ffmpeg
  'bt709 bt470m bt470bg smpte170m smpte240m film bt2020 smpte428 smpte431 smpte432 ebu3213 unknown'.split(' ')
const matrices =
  'gbr bt709 fcc bt470bg smpte170m smpte240m ycgco bt2020nc bt2020c smpte2085 chroma-derived-nc chroma-derived-c ictcp unknown'.split(
    ' ',
  )
const known = (name: string) => (name === 'unknown' ? null : name)

const few = ['bt2020', 'unknown']

test.each([
  { transfer: 'smpte2084', format: 'yuv420p10le', primaries },
  { transfer: 'arib-std-b67', format: 'yuv420p10le', primaries },
  { transfer: 'unknown', format: 'yuv420p10le', primaries: few },
  { transfer: 'smpte2084', format: 'gbrp10le', primaries: few },
  { transfer: 'smpte2084', format: 'gray10le', primaries: few },
])('tone-maps $transfer in $format with $primaries.length primaries and any matrix', async (description) => {
  const { transfer, format } = description
  const each = description.primaries.flatMap((name) => matrices.map((matrix) => [name, matrix] as const))
  // one process for all of them
  const chains = each.map(([name, matrix]) => {
    const tags = `setparams=color_primaries=${name}:color_trc=${transfer}:colorspace=${matrix}`
    const video = { colorPrimaries: known(name), colorTransfer: known(transfer), colorSpace: known(matrix) }
    const filters = toneMap(video, { width: 32, height: 18 }).join(',')
    return `color=gray:s=64x36:r=25:d=0.08,format=${format},${tags},${filters}`
  })
  const graph = chains.map((chain, index) => `${chain}[${index}]`).join(';')
  const all = chains.map((_, index) => `[${index}]`).join('')
  const everything = `${graph};${all}concat=n=${chains.length}[all]`
  const output = ['-map', '[all]', '-f', 'framecrc', '-']
  const { stdout } = await run('ffmpeg', [
    '-v',
    'error',
    '-nostdin',
    '-filter_complex',
    everything,
    ...output,
  ])
  expect(stdout.match(/^0,/gm)).toHaveLength(2 * chains.length)
})
