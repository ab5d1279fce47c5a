import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { listFormats } from '@kinora/contract/videos/format-details.ts'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { pageLanguage } from '../../../lib/i18n/language.ts'
import { settings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert, Status } from '../../../ui/feedback/alert.tsx'
import { FileField } from '../../../ui/forms/file-field.tsx'
import { accept } from './accepted-types.ts'
import { uploadQuotaQuery } from './api.ts'
import { findRefusal } from './file-refusal.ts'
import { OtherFormatHelp } from './other-format-help.tsx'
import { QuotaNote } from './quota-note.tsx'
import styles from './replace-file-form.module.css'
import { sendReplacement } from './transfer/send-resumably.ts'
import { UploadProgressBar } from './upload-progress-bar.tsx'
import { useUpload } from './use-upload.ts'

/** Replaces the file of an own video. Leaving it aborts a running upload. */
export function ReplaceFileForm({
  videoId,
  channel,
  onReplaced,
}: {
  videoId: string
  /** Username of the channel, where it is not the own one. */
  channel?: string | undefined
  onReplaced: () => void
}) {
  /** Counts replacements; each begins with an empty form. */
  const [replaced, setReplaced] = useState(0)
  function finish() {
    setReplaced(replaced + 1)
    onReplaced()
  }
  return (
    <div className={styles['form']}>
      <Form key={replaced} videoId={videoId} channel={channel} onDone={finish} />
      {replaced > 0 && <Status>{t`The file is replaced. More qualities are being prepared.`}</Status>}
    </div>
  )
}

function Form({
  videoId,
  channel,
  onDone,
}: {
  videoId: string
  channel: string | undefined
  onDone: () => void
}) {
  const [file, setFile] = useState<File>()
  const [error, setError] = useState<string>()
  const [isOtherFormat, setOtherFormat] = useState(false)
  /** The latest file: reading an earlier one may finish later. */
  const picked = useRef<File>(undefined)
  const cancelButton = useRef<HTMLButtonElement>(null)
  const { state, start, reset, forgetFailure } = useUpload(onDone)
  const isUploading = state.phase === 'uploading'
  const { data: { quotaVideoMinutes } = settings } = useQuery(uploadQuotaQuery(channel))

  // The button that was pressed is gone while the file is sent.
  useEffect(() => {
    if (isUploading) cancelButton.current?.focus()
  }, [isUploading])

  async function pick(chosen: File | undefined) {
    forgetFailure()
    setFile(chosen)
    setError(undefined)
    picked.current = chosen
    const refusal = chosen && (await findRefusal(chosen, { maxMinutes: quotaVideoMinutes }))
    if (picked.current !== chosen) return
    setError(refusal?.message)
    setOtherFormat(refusal?.isOtherFormat ?? false)
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isUploading || error) return
    if (!file) return setError(t`Choose a video`)
    const keepsMetadata = new FormData(event.currentTarget).has('keepMetadata')
    void start((options) => sendReplacement(videoId, { file, keepsMetadata, channel }, options), file.size)
  }

  return (
    <form onSubmit={submit} noValidate aria-label={t`Replace the file`}>
      <FileField
        label={t`New file`}
        name="file"
        shape="file"
        prompt={t`Choose a video`}
        promptToDrop={t`, or drop it here`}
        hint={t`${listFormats(settings.acceptedContainers, 'disjunction', pageLanguage)}. Address, views and comments stay. The old file is played until the new one can be.`}
        accept={accept.video}
        disabled={isUploading}
        error={error}
        onPick={(chosen) => void pick(chosen)}
      />
      {isOtherFormat && <OtherFormatHelp />}
      <label className={styles['keep']}>
        <input type="checkbox" name="keepMetadata" disabled={isUploading} />
        <span>{t`Keep location and device details`}</span>
      </label>
      <QuotaNote channel={channel} />
      {isUploading ? (
        <div className={styles['end']}>
          <UploadProgressBar progress={state.progress} isInterrupted={state.isInterrupted} />
          <Button ref={cancelButton} onClick={reset}>{t`Cancel`}</Button>
        </div>
      ) : (
        <div className={styles['end']}>
          <Button type="submit">{t`Replace the file`}</Button>
        </div>
      )}
      {state.phase === 'failed' && <Alert>{state.message}</Alert>}
    </form>
  )
}
