import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { VideoCut } from '@kinora/contract/videos/cuts.ts'
import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { useUnsavedChanges } from '../../../lib/forms/use-unsaved-changes.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { FormActions } from '../../../ui/forms/form-actions.tsx'
import { UnsavedChangesDialog } from '../../../ui/forms/unsaved-changes-dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { usePublishCut, useWaveformAgain, waveformQuery } from './api.ts'
import { saveCutDraft } from './cut-draft.ts'
import styles from './cut-editor.module.css'
import { type CutPlayer, usePosition, usePreview } from './cut-player.ts'
import { cutProblem } from './cut-problem.ts'
import { Command, CutTools } from './cut-tools.tsx'
import { formatTenths } from '../../../lib/format/frame-time.ts'
import { PublishedCut } from './published-cut.tsx'
import { complement, lengthOf } from './ranges.ts'
import { RemovedParts } from './removed-parts.tsx'
import { Timeline } from './timeline/timeline.tsx'
import { type CutCommand, useCutKeys } from './use-cut-keys.ts'
import { useEdit } from './use-edit.ts'

/** Seconds before a removed part at which hearing it begins. */
const LEAD_SECONDS = 2

/** Removes parts of a video: marks on a timeline, a preview, and what is published. */
export function CutEditor({
  videoId,
  cut,
  mayDelete,
  player,
  children,
}: {
  videoId: string
  cut: VideoCut
  /** Whether the signed-in user may delete what was cut. */
  mayDelete: boolean
  player: CutPlayer
  /** The player, with the whole file. */
  children: ReactNode
}) {
  const { sourceDurationSeconds: durationSeconds, framesPerSecond } = cut
  const rate = { durationSeconds, framesPerSecond }
  const control = useEdit(videoId, cut)
  const { edit, selection, isChanged } = control
  const { position, seekTo, step } = usePosition(player, rate)
  const preview = usePreview(player, edit.removed, seekTo)
  const waveform = useQuery(waveformQuery(videoId, durationSeconds))
  const drawAgain = useWaveformAgain(videoId)
  const publishing = usePublishCut(videoId)
  const blocker = useUnsavedChanges(isChanged)

  const wide = useRef<HTMLDivElement>(null)
  /** Focuses what the keys of the editor work on. */
  const focusTimeline = () => wide.current?.querySelector<HTMLElement>('[role="slider"]')?.focus()

  const keep = complement(edit.removed, durationSeconds)
  const problem = cutProblem(keep)
  const left = lengthOf(keep)

  function togglePreview() {
    if (preview.isOn) return preview.end()
    preview.begin(position >= durationSeconds ? 0 : position)
  }
  const commands: Record<CutCommand, () => void> = {
    'mark-start': () => control.mark('start', position),
    'mark-end': () => control.mark('end', position),
    remove: control.removeSelection,
    keep: control.keepSelection,
    restore: () => control.restoreAt(position),
    clear: control.clearMarks,
    undo: control.undo,
    redo: control.redo,
    'frame-back': () => step(-1),
    'frame-forward': () => step(1),
    preview: togglePreview,
  }
  useCutKeys((command) => commands[command]())

  const isStale = control.isStale && !publishing.isPending
  const isSaved = publishing.data?.changedAt === cut.changedAt && !isChanged
  const saved = publishing.data?.publishedAt ? t`Published` : t`Undone: nothing is cut any more`

  function publish(ranges: typeof keep | null, changedAt: string | null) {
    publishing.mutate({ keep: ranges, changedAt }, { onSuccess: control.accept })
  }
  function loadCurrent() {
    control.accept(cut)
    publishing.reset()
  }

  return (
    <>
      <UnsavedChangesDialog blocker={blocker} onDiscard={() => saveCutDraft(videoId, undefined)} />
      <div className={styles['editor']}>
        <div className={styles['stage']}>
          {children}
          {preview.isOn && <p className={styles['previewing']}>{t`Preview: removed parts are skipped`}</p>}
        </div>
        <div className={styles['side']}>
          <RemovedParts
            control={control}
            rate={rate}
            position={position}
            onDone={focusTimeline}
            onPlay={({ startSeconds }) => preview.begin(Math.max(0, startSeconds - LEAD_SECONDS))}
          />
          <div className={styles['bar']}>
            <p className={styles['result']}>
              <b>{formatTenths(left)}</b>{' '}
              {edit.removed.length === 0
                ? t`of the whole video`
                : t`of ${formatTenths(durationSeconds)}, without ${plural(edit.removed.length, { one: '# part', other: '# parts' })}`}
            </p>
            {problem && <Alert>{problem}</Alert>}
            {isStale ? (
              <Alert>
                {t`The cut was changed in another tab, or by somebody else. Load it before you publish yours; “Undo” then brings your marks back.`}{' '}
                <Button variant="bare" onClick={loadCurrent}>{t`Load the current cut`}</Button>
              </Alert>
            ) : (
              publishing.isError && (
                <Alert>
                  {failureMessage(
                    publishing.error,
                    t`Could not reach the server. Your marks are kept; try again.`,
                  )}
                </Alert>
              )
            )}
            <FormActions saved={isSaved && saved}>
              <Command
                label={preview.isOn ? t`End the preview` : t`Preview`}
                shortcut="P"
                icon={<Icon of={preview.isOn ? EyeOff : Eye} />}
                disabled={Boolean(problem)}
                onClick={togglePreview}
              />
              <Button
                variant="solid"
                disabled={!isChanged || isStale || Boolean(problem) || publishing.isPending}
                onClick={() => publish(edit.removed.length === 0 ? null : keep, control.changedAt)}
              >
                {publishing.isPending ? t`Publishing…` : t`Publish the cut`}
              </Button>
            </FormActions>
          </div>
        </div>
        <div ref={wide} className={styles['wide']}>
          <CutTools
            control={control}
            position={position}
            rate={rate}
            seekTo={seekTo}
            step={step}
            onDone={focusTimeline}
          />
          <Timeline
            control={control}
            rate={rate}
            position={position}
            seekTo={seekTo}
            step={step}
            storyboardUrl={cut.uncutStoryboardUrl}
            waveform={waveform.data}
          >
            <p role="status">
              {selection
                ? t`Selected: ${formatTenths(selection.startSeconds)} to ${formatTenths(selection.endSeconds)}, ${formatTenths(lengthOf([selection]))} long`
                : t`Nothing is selected.`}
            </p>
            {(waveform.data?.state === 'failed' || waveform.isError) && (
              <Button variant="bare" disabled={drawAgain.isPending} onClick={() => drawAgain.mutate()}>
                {t`Draw the waveform again`}
              </Button>
            )}
          </Timeline>
        </div>
      </div>
      {cut.publishedAt !== null && (
        <PublishedCut
          videoId={videoId}
          cut={cut}
          mayDelete={mayDelete}
          isBusy={publishing.isPending}
          onUndo={() => publish(null, cut.changedAt)}
        />
      )}
    </>
  )
}
