/**
 * Why playback waits for data, where it is known: a lost connection, a segment that is still being encoded, or one that
 * arrives slowly.
 */
export type StallReason = 'connection' | 'encoding' | 'bandwidth'

export type EnginePhase = 'loading' | 'playing' | 'stalled' | 'recovering' | 'fallback' | 'failed'

/** State of the engine that streams a video. Whether the viewer has paused it is the element's state, not the engine's. */
export type EngineState = Readonly<{
  phase: EnginePhase
  stallReason: StallReason | null
  /** Failures of loading since the last segment arrived. */
  lostConnections: number
  /** The last position that could not be decoded, and the number of failures around it. */
  undecodable: Readonly<{ seconds: number; failures: number }>
  /** Whether the renditions are in AV1. A failure then opens the ordinary playlist. */
  isAv1: boolean
  /** The segment folder for which the playlists were loaded again; every file of a video has its own. */
  reloadedFolder: string | null
}>

export type EngineEvent =
  | { type: 'segment-buffered' }
  /** A segment takes long to arrive. */
  | { type: 'loading-slowly' }
  /** hls.js repeats the request. */
  | { type: 'request-rejected'; isEncoding: boolean }
  /** hls.js has given up loading. */
  | { type: 'connection-lost' }
  | { type: 'online' }
  | { type: 'segment-missing'; folder: string }
  /** The AV1 playlist is played in place of the ordinary one. */
  | { type: 'av1-chosen' }
  /** hls.js has attached a new Media Source, and continues from a position that may be wrong. */
  | { type: 'source-replaced'; seconds: number }
  /** `isPassthrough`: the uploaded frames are played, and the stream has encoded renditions too. */
  | { type: 'decoding-failed'; seconds: number; endSeconds: number; isPassthrough: boolean }
  /** The stream can never be played: it does not exist, or the browser has no codec for it. */
  | { type: 'stream-unplayable' }
  | { type: 'media-source-missing'; playsHls: boolean }
  /** The element cannot play the file of the fallback. */
  | { type: 'fallback-failed' }

/** Action of the engine after an event. */
export type EngineAction =
  /** Continues loading, from where it stopped unless `seconds` is given. */
  | { type: 'load'; seconds?: number; afterMs: number }
  | { type: 'reload-playlists' }
  /** Opens the ordinary playlist at the same position. */
  | { type: 'leave-av1' }
  | { type: 'reset-decoder'; seconds: number }
  /** Continues with an encoded rendition, and plays the uploaded frames no more. */
  | { type: 'leave-passthrough'; seconds: number }
  | { type: 'play-natively'; source: 'stream' | 'file' }

export const initialEngine: EngineState = {
  phase: 'loading',
  stallReason: null,
  lostConnections: 0,
  undecodable: { seconds: 0, failures: 0 },
  isAv1: false,
  reloadedFolder: null,
}

/** Undecodable ranges are skipped, doubling the distance each time: half a minute in total. */
const MAX_DECODING_FAILURES = 6
/** Decoding failures farther apart than this are counted separately. */
const FAR_SECONDS = 20
const RETRY_STEP_MS = 500
const MAX_RETRY_MS = 4000

/**
 * The state after an event, and what to do about it.
 *
 * ```
 *            segment-buffered            request-rejected
 *  loading ──────────────────▶ playing ──────────────────▶ stalled
 *     │                         │  ▲                        │  │
 *     │ request-rejected        │  └────────────────────────┘  │
 *     ├─────────────────────────┼─────▶ stalled                │
 *     │                         │  ▲    segment-buffered       │
 *     │ connection-lost         │  │                           │
 *     │ segment-missing         ▼  │                           │
 *     └───────────────────▶ recovering ◀───────────────────────┘
 *       source-replaced         │
 *       decoding-failed         │  decoding-failed too often
 *                               ▼
 *  any of these ───────────▶ fallback ─────────────────────▶ failed
 *       stream-unplayable                fallback-failed
 *       media-source-missing
 * ```
 *
 * A lost connection is retried forever, so that playback continues when the server or the network is back. `failed` is
 * final; the viewer opens the stream again.
 */
export function engineAfter(
  state: EngineState,
  event: EngineEvent,
): { state: EngineState; action?: EngineAction } {
  if (event.type === 'fallback-failed') return { state: { ...state, phase: 'failed', stallReason: null } }
  // Whatever the discarded stream still reports.
  if (state.phase === 'fallback' || state.phase === 'failed') return { state }
  if (state.isAv1 && failsInAv1(state, event))
    return recover({ ...state, isAv1: false }, { type: 'leave-av1' })
  switch (event.type) {
    case 'av1-chosen':
      return { state: { ...state, isAv1: true } }
    case 'segment-buffered':
      return { state: { ...state, phase: 'playing', stallReason: null, lostConnections: 0 } }
    case 'loading-slowly':
      return { state: { ...state, stallReason: 'bandwidth' } }
    case 'request-rejected': {
      const stallReason = event.isEncoding ? 'encoding' : 'connection'
      const phase = state.phase === 'recovering' ? 'recovering' : 'stalled'
      return { state: { ...state, phase, stallReason } }
    }
    case 'connection-lost': {
      const lostConnections = state.lostConnections + 1
      const afterMs = Math.min(MAX_RETRY_MS, RETRY_STEP_MS * lostConnections)
      return recover({ ...state, lostConnections }, { type: 'load', afterMs })
    }
    case 'online':
      // Without the delays of hls.js, and ours.
      return state.phase === 'playing' ? { state } : recover(state, { type: 'load', afterMs: 0 })
    case 'segment-missing':
      // A truncated video is shorter than first announced, or the file was replaced. If the new playlist has the
      // segment too, hls.js handles it.
      return canReload(state, event.folder)
        ? recover({ ...state, reloadedFolder: event.folder }, { type: 'reload-playlists' })
        : { state }
    case 'source-replaced':
      return recover(state, { type: 'load', seconds: event.seconds, afterMs: 0 })
    case 'decoding-failed':
      return skipUndecodable(state, event)
    case 'stream-unplayable':
      return fallBack(state, 'file')
    case 'media-source-missing':
      return fallBack(state, event.playsHls ? 'stream' : 'file')
  }
}

/** Failures of AV1 that the ordinary renditions may not have. */
const failuresOfAv1 = new Set<EngineEvent['type']>([
  'decoding-failed',
  'stream-unplayable',
  'segment-missing',
])

/** Also segments whose encoding does not end in time: the worker may have no encoder of AV1. */
const failsInAv1 = ({ stallReason }: EngineState, { type }: EngineEvent) =>
  failuresOfAv1.has(type) || (type === 'connection-lost' && stallReason === 'encoding')

/** Whether a missing segment of this folder leads to new playlists. */
export const canReload = (state: EngineState, folder: string) => state.reloadedFolder !== folder

/**
 * Tries the same position again, then positions ahead. Encoders repair damaged frames of the uploaded file, so an encoded
 * rendition usually plays where the passthrough rendition fails.
 */
function skipUndecodable(
  state: EngineState,
  { seconds, endSeconds, isPassthrough }: Extract<EngineEvent, { type: 'decoding-failed' }>,
) {
  const isElsewhere = Math.abs(seconds - state.undecodable.seconds) > FAR_SECONDS
  const failures = isElsewhere ? 1 : state.undecodable.failures + 1
  if (isPassthrough)
    return recover({ ...state, undecodable: { seconds, failures } }, { type: 'leave-passthrough', seconds })
  if (failures > MAX_DECODING_FAILURES) return fallBack(state, 'file')
  const aheadSeconds = failures > 1 ? 2 ** (failures - 2) : 0
  return recover(
    { ...state, undecodable: { seconds, failures } },
    { type: 'reset-decoder', seconds: Math.min(seconds + aheadSeconds, endSeconds) },
  )
}

function recover(state: EngineState, action: EngineAction) {
  return { state: { ...state, phase: 'recovering' }, action } as const
}

function fallBack(state: EngineState, source: 'stream' | 'file') {
  return {
    state: { ...state, phase: 'fallback', stallReason: null },
    action: { type: 'play-natively', source },
  } as const
}
