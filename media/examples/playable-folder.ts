import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { encodeAudio, encodeInit, encodeSegments } from '@kinora/media/encode/encode.ts'
import { audioName, masterPlaylist, mediaPlaylist, planPresentation } from '@kinora/media/plan/hls.ts'
import { probe } from '@kinora/media/probe/probe.ts'

/** Turns a video file into a folder that any static server can serve and any HLS player plays: `master.m3u8`. */
export async function makePlayableFolder(file: string, folder: string): Promise<void> {
  const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
  const source = await probe(tools, file)
  const presentation = { ...planPresentation(source), passthrough: null }
  const { renditions, audio, timeline } = presentation
  const job = { tools, source, timeline, path: file }
  const write = (name: string, bytes: string | Buffer) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
  for (const name of [...renditions.map((rendition) => rendition.name), ...audio.map(audioName)])
    write(`${name}/index.m3u8`, mediaPlaylist(presentation, name) ?? '')
  for (const rendition of renditions) write(`${rendition.name}/init.mp4`, await encodeInit(job, rendition))
  await encodeSegments(job, renditions, { from: 0, to: timeline.segmentCount }, ({ name }, index, bytes) =>
    write(`${name}/${index}.m4s`, bytes),
  )
  for (const plan of audio)
    await encodeAudio(job, plan, { from: 0, to: plan.segmentCount }, (part, bytes) =>
      write(`${audioName(plan)}/${part === 'init' ? 'init.mp4' : `${part}.m4s`}`, bytes),
    )
  write(
    'master.m3u8',
    masterPlaylist(presentation, (name) => `${name}/index.m3u8`),
  )
}
