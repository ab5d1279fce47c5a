import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  listUnfinishedUploads,
  publishUpload,
  type UnfinishedUpload,
} from '@kinora/contract/videos/uploads.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { formatBytes } from '../../../../lib/format/bytes.ts'
import { failureMessage } from '../../../../lib/forms/failure-message.ts'
import { uploadKeys } from '../../../../lib/rare-keys.ts'
import { paths } from '../../../../paths.ts'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { Alert } from '../../../../ui/feedback/alert.tsx'
import { withoutClaimed } from '../tray/other-tabs.ts'
import { discardUpload } from '../transfer/transfer-file.ts'
import { publicationFormOf } from '../transfer/upload-draft.ts'
import { endUpload } from './growing-upload.ts'
import styles from './unfinished-recordings.module.css'

/** Recordings whose tab was closed or crashed: what the server has of them can be kept. Renders nothing without one. */
export function UnfinishedRecordings({ channel }: { channel?: string | undefined }) {
  const { data } = useQuery({
    queryKey: [...uploadKeys.recordings, channel],
    queryFn: async ({ signal }) => {
      const uploads = await call(listUnfinishedUploads, {
        query: channel === undefined ? {} : { channel },
        signal,
      })
      return withoutClaimed(uploads.filter(({ isGrowing }) => isGrowing))
    },
  })
  if (!data || data.length === 0) return null
  return (
    <section className={styles['list']} aria-label={t`Unfinished recordings`}>
      {data.map((recording) => (
        <Unfinished key={recording._id} recording={recording} />
      ))}
    </section>
  )
}

function Unfinished({ recording }: { recording: UnfinishedUpload }) {
  const { _id: id, title, description, receivedBytes } = recording
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const [failure, setFailure] = useState('')
  const refresh = () => client.invalidateQueries({ queryKey: uploadKeys.recordings })

  async function run(action: () => Promise<unknown>) {
    setBusy(true)
    setFailure('')
    try {
      await action()
    } catch (error) {
      setFailure(failureMessage(error, t`Connection lost. Try again.`))
    }
    setBusy(false)
  }

  async function keep() {
    await endUpload(id)
    const body = publicationFormOf({
      title,
      description,
      keepsMetadata: false,
      visibility: 'private',
      thumbnail: undefined,
    })
    const video = await call(publishUpload, { params: { id }, body })
    void refresh()
    await navigate(paths.studioCut(video._id))
  }

  return (
    <div className={styles['recording']}>
      <div className={styles['texts']}>
        <h2>{t`Unfinished recording`}</h2>
        <p>
          <bdi>{title}</bdi> · {formatBytes(receivedBytes)}
        </p>
        <p className={styles['note']}>{t`It was interrupted. What was sent is kept for a week.`}</p>
      </div>
      <div className={styles['actions']}>
        <Button variant="solid" disabled={isBusy || receivedBytes === 0} onClick={() => void run(keep)}>
          {isBusy ? t`Keeping…` : t`Keep as a private video`}
        </Button>
        <Button disabled={isBusy} onClick={() => setAsked(true)}>{t`Discard`}</Button>
      </div>
      <Alert>{failure}</Alert>
      {isAsked && (
        <ConfirmDialog
          title={t`Discard this recording?`}
          confirmLabel={t`Discard`}
          onClose={() => setAsked(false)}
          onConfirm={() =>
            void run(async () => {
              await discardUpload(undefined, id)
              await refresh()
            })
          }
        >
          <p>{t`It cannot be made again.`}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
