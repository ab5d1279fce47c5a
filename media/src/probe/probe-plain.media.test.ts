import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drawFile } from '../testing/draw-file.ts'
import { probe, probePlain } from './probe.ts'

const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
const video = '-f lavfi -i testsrc2=s=322x182:r=25:d=3'
const broadcast = '-f lavfi -i testsrc2=s=320x180:r=30000/1001:d=3'
const tone = '-f lavfi -i sine=f=440:d=3:r=48000'
const h264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25'
const high = '-c:v libx264 -preset veryfast -pix_fmt yuv420p -bf 3 -g 50'

async function inspect(recipe: string) {
  const file = join(tmpdir(), `kinora-plain-${randomUUID()}.mp4`)
  try {
    await writeFile(file, await drawFile(recipe.split(' '), 'mp4'))
    return { plain: await probePlain(file), full: await probe(tools, file) }
  } finally {
    await rm(file, { force: true })
  }
}

test.for([
  `${video} ${tone} ${h264} -c:a aac`,
  `${broadcast} ${tone} ${high} -c:a aac -ac 1 -ar 44100 -movflags +faststart`,
  `${broadcast} ${high}`,
  `${video} ${tone} ${h264} -profile:v baseline -c:a aac -metadata:s:a:0 language=deu`,
  `${broadcast} ${tone} ${high} -c:a aac -colorspace bt709 -color_primaries bt709 -color_trc bt709`,
  `${broadcast} ${tone} ${high} -c:a aac -colorspace smpte170m -color_primaries smpte170m -color_trc bt709`,
  `${video} -itsoffset 0.7 ${tone} ${high} -c:a aac`,
])('describes a plain MP4 as ffprobe does: %s', async (recipe) => {
  const { plain, full } = await inspect(recipe)
  expect(plain).toEqual(full)
})

test.for([
  `${video} ${h264} -vf setsar=4/3`,
  `${video} -f lavfi -i sine=f=440:d=3:r=22050 ${h264} -c:a aac`,
  `${video} ${tone} ${h264} -c:a libmp3lame`,
  `${video} -c:v libx264 -preset ultrafast -pix_fmt yuv444p`,
  `${broadcast} -c:v libx264 -preset ultrafast -pix_fmt yuv420p -flags +ilme+ildct`,
  `${video} ${h264} -color_range pc`,
  `${video} -c:v mpeg4`,
  `${video} ${h264} -movflags +frag_keyframe+empty_moov`,
  `${video} ${tone} ${tone} -map 0 -map 1 -map 2 ${h264} -c:a aac`,
])('leaves other files to ffprobe: %s', async (recipe) => {
  expect((await inspect(recipe)).plain).toBeUndefined()
})
