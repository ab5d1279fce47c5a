import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { initOfTrack, VIDEO_TRACK } from '@kinora/live/recording/tracks.ts'
import { encodeGroup, encodeGroupInit } from '@kinora/media/encode/encode-group.ts'
import type { Rendition } from '@kinora/media/plan/renditions.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { ownName } from '@kinora/platform/process-identity.ts'
import type { Context } from '../../../../context/context.ts'
import { isStored, notifyWaiters } from '../../../videos/playback/actions/encode-segments.ts'
import { LIVE_FOLDER, segmentKey, segmentsOf } from '../../../videos/playback/rules.ts'
import {
  findLastPart,
  findPart,
  findPlayableStream,
  isStreamThere,
  type LivePart,
  type PlayableStream,
} from '../queries/parts.ts'
import { addRendition } from '../queries/streams.ts'
import { liveSegment, planLive, segmentsOfTrack } from '../rules/tracks.ts'
import { readSegment } from './read-part.ts'

interface EncodedPart {
  videoId: string
  track: string
  part: 'init' | number
  niceness: number
}

/** Encodes a part of a stream for a rendition, or the init segment of that, and publishes that it is stored. */
export async function encodeLivePart(
  context: Context,
  { videoId, track, part: number, niceness }: EncodedPart,
  signal: AbortSignal,
): Promise<void> {
  const name = liveSegment(videoId, track, number)
  const stream = await findPlayableStream(context.db, videoId)
  const part = number === 'init' ? undefined : await findPart(context.db, videoId, number)
  const rendition = stream && planLive(stream.source).renditions.find((each) => each.name === track)
  if (!rendition || (number !== 'init' && !part)) return notifyWaiters(context, name, 'failed')
  if (!(await isStored(context, name))) {
    const bytes = await encode(context, stream, { part, rendition, niceness, signal })
    await store(context, name, bytes)
  }
  await notifyWaiters(context, name, 'made')
}

/**
 * Measures how fast this machine encodes a stream, with its newest part. Viewers get the smallest renditions, as many as it
 * encodes at the same time and faster than they play. Returns whether these are all.
 */
export async function measureRenditions(
  context: Context,
  videoId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { config, db, log } = context
  const stream = await findPlayableStream(db, videoId)
  const part = await findLastPart(db, videoId)
  if (!stream || !part || stream.endedAt !== null) return true
  const { renditions } = planLive(stream.source)
  const length = (part.endMicros - part.startMicros) / 1000
  const offered: string[] = []
  let spent = 0
  for (const rendition of renditions) {
    const startedAt = performance.now()
    const bytes = await encode(context, stream, { part, rendition, niceness: 0, signal })
    spent += performance.now() - startedAt
    if (spent * config.liveEncodingSpeed > length) break
    const init = await encode(context, stream, { part: undefined, rendition, niceness: 0, signal })
    await store(context, liveSegment(videoId, rendition.name, 'init'), init)
    await store(context, liveSegment(videoId, rendition.name, part.part), bytes)
    offered.push(rendition.name)
    // those that were offered before stay: somebody may be watching them
    await addRendition(db, videoId, rendition.name)
  }
  log.info({ videoId, offered, spent: Math.round(spent), length }, 'renditions of a live stream measured')
  return offered.length === renditions.length
}

async function encode(
  context: Context,
  stream: PlayableStream,
  task: { part: LivePart | undefined; rendition: Rendition; niceness: number; signal: AbortSignal },
): Promise<Buffer> {
  const { config } = context
  const { source, init } = stream
  const { part, rendition, niceness, signal } = task
  const job = { tools: toolsOf(config), source, signal, niceness }
  if (!part) return encodeGroupInit(job, rendition)
  const [segment] = segmentsOfTrack([part], 'source')
  const found = segment && (await readSegment(context, stream, segment))
  if (!found) throw new Error(`part ${part.part} of ${stream.videoId} is gone`)
  const file = path.join(config.dataDir, 'incoming', ownName())
  await mkdir(path.dirname(file), { recursive: true })
  try {
    await writeFile(file, Buffer.concat([initOfTrack(init, VIDEO_TRACK), await buffer(found)]))
    const group = { fromSeconds: part.startMicros / 1e6, toSeconds: part.endMicros / 1e6 }
    return await encodeGroup({ ...job, path: file }, rendition, group)
  } finally {
    await rm(file, { force: true })
  }
}

async function store(
  { db, storage }: Context,
  name: ReturnType<typeof liveSegment>,
  bytes: Buffer,
): Promise<void> {
  await storage.putOnce(segmentKey(name), bytes)
  // a deletion in between did not see it
  if (!(await isStreamThere(db, name.videoId))) await storage.delete(segmentsOf(name.videoId, LIVE_FOLDER))
}
