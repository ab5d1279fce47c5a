import { t } from '@lingui/core/macro'
import type { CaptureFailure } from '../../../../lib/capture/devices.ts'
import type { RecorderSource } from '../../../../lib/capture/recorder.ts'
import { failureMessage } from '../../../../lib/forms/failure-message.ts'
import type { RecordingNotice, RecordingPhase } from './recording-session.ts'
import type { RecordingLimit } from './time-left.ts'

/** Sentences on why a source cannot be used, and what to do. */
export function describeFailure(source: RecorderSource, failure: CaptureFailure): string {
  if (source === 'screen')
    return failure === 'denied'
      ? t`Nothing was shared. Choose a screen, window or tab, and allow the browser to record it.`
      : t`The screen could not be shared. Try another screen, window or tab.`
  if (source === 'camera')
    return {
      denied: t`The camera is blocked. Allow it for this site in the browser, then choose it again.`,
      missing: t`No camera was found. Connect one, then choose it.`,
      busy: t`Another program uses the camera. Close that program, then choose the camera again.`,
      failed: t`The camera could not be started. Choose it again.`,
    }[failure]
  return {
    denied: t`The microphone is blocked. Allow it for this site in the browser, then choose it again.`,
    missing: t`No microphone was found. Connect one, then choose it.`,
    busy: t`Another program uses the microphone. Close that program, then choose the microphone again.`,
    failed: t`The microphone could not be started. Choose it again.`,
  }[failure]
}

/** Sentences on what happened to a recording, and what to do. */
export function describeNotice(notice: RecordingNotice, phase: RecordingPhase): string {
  if (notice.type === 'ended') return describeEnd(notice.source, phase)
  if (notice.type === 'limit') return describeLimit(notice.limit)
  if (notice.type === 'refused')
    return phase === 'setup'
      ? failureMessage(notice.error)
      : t`The recording has ended: ${failureMessage(notice.error)} What was sent is kept.`
  return {
    slept: t`The computer was asleep. The recording is paused, and nothing of it is lost.`,
    encoder: t`The browser stopped encoding. What was recorded until then is kept.`,
    memory: t`The connection was lost for too long, so the recording has ended. The rest is sent when the connection is back.`,
    unsupported: t`This browser records in no format that this site accepts. Try a current Chrome, Edge, Firefox or Safari.`,
    not_begun: t`The recording could not begin: the connection is lost. Try again.`,
    not_sent: t`Connection lost. What is not sent yet is still in this tab. Try again.`,
  }[notice.type]
}

function describeEnd(source: RecorderSource, phase: RecordingPhase): string {
  if (source === 'screen') return t`Sharing has ended.`
  if (source === 'microphone')
    return phase === 'setup'
      ? t`The microphone was disconnected.`
      : t`The microphone was disconnected. The recording goes on without it until you choose another one.`
  if (phase === 'setup') return t`The camera was disconnected.`
  return phase === 'paused'
    ? t`The camera was disconnected, and the recording is paused. Choose another one, then continue.`
    : t`The camera was disconnected. The recording goes on without it.`
}

function describeLimit(limit: RecordingLimit): string {
  return {
    storage: t`The recording has ended: your storage is used up. Delete a video to make room.`,
    day: t`The recording has ended: your quota for 24 hours is used up.`,
    hours: t`The recording has ended: your hours of video are used up. Delete a video to make room.`,
    length: t`The recording has ended: it is as long as your videos can be.`,
    size: t`The recording has ended: it is as large as this site accepts.`,
    longest: t`The recording has ended: it is twelve hours long.`,
  }[limit]
}
