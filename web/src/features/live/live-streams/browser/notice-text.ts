import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { RecorderSource } from '../../../../lib/capture/recorder.ts'
import { failureMessage } from '../../../../lib/forms/failure-message.ts'
import { endReasons } from '../end-reasons.ts'
import type { BroadcastNotice, BroadcastPhase } from './broadcast-session.ts'
import type { SenderEnd, SenderState } from './piece-sender.ts'

/** Sentences on what happened to a broadcast, and what to do. */
export function describeNotice(notice: BroadcastNotice, phase: BroadcastPhase, hasPicture: boolean): string {
  if (notice.type === 'source_ended') return describeSource(notice.source, phase === 'live', hasPicture)
  if (notice.type === 'refused') return failureMessage(notice.error)
  if (notice.type === 'ended') return describeEnd(notice.end)
  return {
    encoder: t`The browser stopped encoding, so the stream has ended.`,
    unsupported: t`This browser cannot stream. Try a current Chrome, Edge, Firefox or Safari, or use an encoder.`,
    not_begun: t`The stream could not begin: the connection is lost. Try again.`,
  }[notice.type]
}

function describeSource(source: RecorderSource, isLive: boolean, hasPicture: boolean): string {
  if (source === 'microphone')
    return isLive
      ? t`The microphone was disconnected. The stream goes on without it until you choose another one.`
      : t`The microphone was disconnected.`
  if (isLive && !hasPicture)
    return t`The picture has ended. Viewers see a black one until you choose a screen or a camera.`
  return source === 'screen' ? t`Sharing has ended.` : t`The camera was disconnected.`
}

const describeEnd = (end: SenderEnd): string =>
  'error' in end
    ? t`The stream has ended: ${failureMessage(end.error)}`
    : t`The stream has ended. ${i18n._(endReasons[end.reason])}`

/** Pieces of two seconds wait this long only on a line that carries less than the encoder makes. */
const SLOW_SECONDS = 6

/** Text on the connection; undefined while it keeps up. */
export function describeConnection({ interruption, waitingSeconds }: SenderState): string | undefined {
  if (interruption === 'sign_in')
    return t`You are signed out. Sign in in another tab within a minute: the stream goes on then.`
  const seconds = Math.round(waitingSeconds)
  if (interruption === 'connection')
    return t`Connection lost. ${seconds} s wait to be sent; after a minute the stream ends.`
  if (seconds >= SLOW_SECONDS)
    return t`Your connection is slow: ${seconds} s wait to be sent. Choose a smaller picture next time.`
  return undefined
}
