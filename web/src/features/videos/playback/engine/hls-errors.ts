import type Hls from 'hls.js'
import type { ErrorData } from 'hls.js'
import type { EngineEvent } from '../state/engine-state.ts'

/** Events of the engine for an error of hls.js, which retries those that are not fatal. */
export function eventsOfError(
  { type, details, response, fatal }: ErrorData,
  { ErrorTypes, ErrorDetails }: typeof Hls,
  decodingFailed: Extract<EngineEvent, { type: 'decoding-failed' }>,
): EngineEvent[] {
  const events: EngineEvent[] = []
  if (type === ErrorTypes.NETWORK_ERROR && response)
    events.push({ type: 'request-rejected', isEncoding: response.code === 503 })
  if (details === ErrorDetails.MEDIA_SOURCE_REQUIRES_RESET && !fatal)
    events.push({ type: 'source-replaced', seconds: decodingFailed.seconds })
  if (!fatal) return events
  const hasNoCodec =
    details === ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR ||
    details === ErrorDetails.BUFFER_INCOMPATIBLE_CODECS_ERROR
  if (type === ErrorTypes.MEDIA_ERROR && !hasNoCodec) events.push(decodingFailed)
  else if (type === ErrorTypes.NETWORK_ERROR && !isNotFound(response?.code))
    events.push({ type: 'connection-lost' })
  else events.push({ type: 'stream-unplayable' })
  return events
}

/** Whether a status means that the resource does not exist, as opposed to a temporary failure. */
export const isNotFound = (status: number | undefined) => status === 404 || status === 410

/** Whether a segment of a live stream has to be encoded: neither the original, nor the sound. */
export const isLiveRendition = (segmentUrl: string) => /\/live\/[^/]+\/\d+\//.test(segmentUrl)

/** The folder of all renditions of a file: `/media/videos/id/folder/720/3.m4s`. */
export const folderOf = (segmentUrl: string) => segmentUrl.split('/').slice(0, -2).join('/')
