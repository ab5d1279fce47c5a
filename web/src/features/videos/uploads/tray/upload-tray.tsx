import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { call } from '@kinora/contract/client.ts'
import { getOwnVideo } from '@kinora/contract/videos/studio.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ChevronDown, ChevronUp, Pause, Pencil, Play, RotateCcw, X } from 'lucide-react'
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'react-router'
import { copyText } from '../../../../lib/browser/copy-text.ts'
import { failureMessage } from '../../../../lib/forms/failure-message.ts'
import { formatProgress } from '../../../../lib/format/percent.ts'
import { videoKeys } from '../../../../lib/query-keys.ts'
import { uploadKeys } from '../../../../lib/rare-keys.ts'
import { dashboardKeys, studioKeys } from '../../../../lib/studio-keys.ts'
import { visibilityChoices } from '../../../../lib/visibility-labels.ts'
import { paths } from '../../../../paths.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../../ui/dialog.tsx'
import { ProgressBar } from '../../../../ui/feedback/progress-bar.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { OtherFormatHelp } from '../other-format-help.tsx'
import { describePace, percentOf } from '../upload-progress.ts'
import { QuotaNote } from '../quota-note.tsx'
import { FrameImage } from './frame-image.tsx'
import { chooseVideos, onFiles, takeFiles } from './tray-files.ts'
import { UploadDetails } from './upload-details.tsx'
import { isRefused, type UploadEntry, uploadEntries } from './upload-entries.ts'
import {
  addFiles,
  isFileOf,
  openQueue,
  pauseUpload,
  removeUpload,
  resumeUpload,
  saveTexts,
} from './upload-queue.ts'
import styles from './upload-tray.module.css'

const POLL_MS = 2000

/** All uploads of this tab, in a corner of every page. */
export function UploadTray({ userId }: { userId: string }) {
  const entries = useSyncExternalStore(uploadEntries.subscribe, uploadEntries.list)
  const isStudio = useLocation().pathname.startsWith(paths.studio())
  // In the studio it would cover the right half of forms and lists.
  const [isOpenAt, setOpenAt] = useState({ studio: false, site: true })
  const isOpen = isStudio ? isOpenAt.studio : isOpenAt.site
  const [editedKey, setEditedKey] = useState<string>()
  const [removedKey, setRemovedKey] = useState<string>()
  const heading = useId()
  const tray = useRef<HTMLElement>(null)
  const client = useQueryClient()

  useEffect(() => {
    const take = () => {
      setOpenAt({ studio: true, site: true })
      const taken = takeFiles()
      for (const isShared of [false, true])
        void addFiles(
          taken.filter((each) => each.isShared === isShared),
          isShared ? 'paused' : 'waiting',
        )
    }
    openQueue(userId)
    take()
    return onFiles(take)
  }, [userId])

  const isActive = entries.some(({ phase }) => ['waiting', 'sending', 'publishing'].includes(phase))
  useEffect(() => {
    if (!isActive) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isActive])

  const begun = entries.filter(({ uploadId }) => uploadId !== undefined).length
  useEffect(() => {
    if (begun > 0) void client.invalidateQueries({ queryKey: uploadKeys.quota })
  }, [begun, client])

  const sent = entries.filter(({ phase }) => phase === 'published')
  const sentTo = sent.map(({ visibility }) => visibility).join(' ')
  useEffect(() => {
    if (sentTo === '') return
    for (const queryKey of [videoKeys.lists, dashboardKeys.dashboard, studioKeys.lists])
      void client.invalidateQueries({ queryKey })
  }, [sentTo, client])

  function remove(key: string) {
    removeUpload(key)
    // The button that had the focus is gone.
    tray.current?.focus()
  }

  const edited = entries.find(({ key }) => key === editedKey)
  const removed = entries.find(({ key }) => key === removedKey)
  if (entries.length === 0) return null
  const wanted = entries.filter((entry) => !isRefused(entry))
  const isAllSent = sent.length === wanted.length
  const summary = wanted.length > 0 && (isAllSent ? t`All sent` : t`${sent.length} of ${wanted.length} sent`)
  return (
    <section ref={tray} className={styles['tray']} aria-labelledby={heading} tabIndex={-1}>
      <div className={styles['head']}>
        <h2 id={heading}>{t`Transfers`}</h2>
        <span role="status">{summary}</span>
        <IconButton
          label={isOpen ? t`Collapse transfers` : t`Expand transfers`}
          aria-expanded={isOpen}
          onClick={() => setOpenAt({ ...isOpenAt, [isStudio ? 'studio' : 'site']: !isOpen })}
        >
          <Icon of={isOpen ? ChevronDown : ChevronUp} />
        </IconButton>
      </div>
      {isOpen && <QuotaNote className={styles['quota']} />}
      {isOpen && (
        <ul className={styles['list']}>
          {entries.map((entry) => (
            <Entry
              key={entry.key}
              entry={entry}
              onEdit={() => setEditedKey(entry.key)}
              onRemove={() => (needsQuestion(entry) ? setRemovedKey(entry.key) : remove(entry.key))}
            />
          ))}
        </ul>
      )}
      {edited && <UploadDetails entry={edited} onClose={() => setEditedKey(undefined)} />}
      {removed && (
        <Dialog title={t`Discard this transfer?`} onClose={() => setRemovedKey(undefined)}>
          <p>
            <Trans>
              The part of <bdi>{removed.title}</bdi> that was sent will be deleted.
            </Trans>
          </p>
          <DialogActions>
            <Button onClick={() => setRemovedKey(undefined)}>{t`Keep it`}</Button>
            <Button
              variant="danger"
              onClick={() => {
                setRemovedKey(undefined)
                remove(removed.key)
              }}
            >{t`Discard`}</Button>
          </DialogActions>
        </Dialog>
      )}
    </section>
  )
}

/** Nothing is lost with a published video or a refused file. */
const needsQuestion = ({ phase, uploadId }: UploadEntry) =>
  phase !== 'published' && !(phase === 'failed' && !uploadId)

function Entry({
  entry,
  onEdit,
  onRemove,
}: {
  entry: UploadEntry
  onEdit: () => void
  onRemove: () => void
}) {
  const { key, title, phase, progress, thumbnail, video } = entry
  const isSent = phase === 'publishing' || phase === 'published'
  return (
    <li className={styles['entry']}>
      <div className={styles['row']}>
        <span className={styles['still']}>{thumbnail && <FrameImage frame={thumbnail} />}</span>
        <div className={styles['texts']}>
          <bdi className={styles['title']}>{title}</bdi>
          <span className={clsx(styles['state'], phase === 'failed' && styles['failed'])}>
            {describe(entry)}
            {entry.channel !== undefined && <> · {t`to @${entry.channel}`}</>}
          </span>
        </div>
        <div className={styles['controls']}>
          {phase !== 'publishing' && !isRefused(entry) && (
            <IconButton label={t`Customize: ${title}`} onClick={onEdit}>
              <Icon of={Pencil} />
            </IconButton>
          )}
          {(phase === 'sending' || phase === 'waiting') && (
            <IconButton label={t`Pause: ${title}`} onClick={() => pauseUpload(key)}>
              <Icon of={Pause} />
            </IconButton>
          )}
          {phase === 'paused' && (
            <IconButton label={t`Continue: ${title}`} onClick={() => resumeUpload(key)}>
              <Icon of={Play} />
            </IconButton>
          )}
          {phase === 'failed' && (entry.file || entry.uploadId) && (
            <IconButton label={t`Try again: ${title}`} onClick={() => resumeUpload(key)}>
              <Icon of={RotateCcw} />
            </IconButton>
          )}
          {phase !== 'publishing' && (
            <IconButton
              label={phase === 'published' ? t`Hide: ${title}` : t`Discard: ${title}`}
              onClick={onRemove}
            >
              <Icon of={X} />
            </IconButton>
          )}
        </div>
      </div>
      {!isSent && phase !== 'failed' && (
        <ProgressBar
          label={t`Sent: ${title}`}
          value={progress.totalBytes > 0 ? progress.sentBytes / progress.totalBytes : 0}
          leaves={32}
          height={12}
        />
      )}
      {entry.isOtherFormat && <OtherFormatHelp />}
      {phase === 'missing' && <ChooseAgain entry={entry} />}
      {phase !== 'failed' && <WhoCanWatch entry={entry} />}
      {video && <Links id={video._id} isPrivate={entry.visibility === 'private'} />}
    </li>
  )
}

/** Nobody but the owner can watch a video before its owner decides so: a dropped file may be an accident. */
function WhoCanWatch({ entry: { key, title, phase, visibility, video } }: { entry: UploadEntry }) {
  const [failure, setFailure] = useState('')
  const isPrivate = visibility === 'private'
  const change = (to: UploadEntry['visibility']) => {
    setFailure('')
    saveTexts(key, { visibility: to }).catch((reason: unknown) => setFailure(failureMessage(reason)))
  }
  return (
    <div className={styles['who']}>
      <span role="status">{failure || i18n._(visibilityChoices[visibility])}</span>
      {isPrivate && (
        <Button
          variant="solid"
          aria-label={t`Publish for everybody: ${title}`}
          disabled={phase === 'publishing'}
          onClick={() => change('public')}
        >{t`Publish for everybody`}</Button>
      )}
      {!isPrivate && !video && phase !== 'publishing' && (
        <Button
          aria-label={t`Keep private: ${title}`}
          onClick={() => change('private')}
        >{t`Keep private`}</Button>
      )}
    </div>
  )
}

/** A reloaded page cannot open a file without its user. */
function ChooseAgain({ entry }: { entry: UploadEntry }) {
  const [isOther, setIsOther] = useState(false)
  const choose = () =>
    chooseVideos((files) => {
      setIsOther(!files.some((file) => isFileOf(entry, file)))
      void addFiles(files.map((file) => ({ file, channel: entry.channel })))
    })
  return (
    <div className={styles['who']}>
      <span>
        {isOther && `${t`This is another file.`} `}
        <Trans>
          Choose <bdi>{entry.fileName}</bdi> again to continue.
        </Trans>
      </span>
      <Button aria-label={t`Choose file: ${entry.fileName}`} onClick={choose}>{t`Choose file`}</Button>
    </div>
  )
}

/** Links of a video that was sent, and the progress of its renditions. */
function Links({ id, isPrivate }: { id: string; isPrivate: boolean }) {
  const { data } = useQuery({
    queryKey: uploadKeys.sent(id),
    queryFn: ({ signal }) => call(getOwnVideo, { params: { id }, signal }),
    refetchInterval: ({ state }) => state.data?.processing.state === 'processing' && POLL_MS,
  })
  const root = useRef<HTMLDivElement>(null)
  const [copied, setCopied] = useState('')
  const copy = async (text: string, what: string) =>
    root.current && setCopied((await copyText(text, root.current)) ? t`${what} copied` : t`Could not copy`)
  const embed = `<iframe src="${location.origin}${paths.embed(id)}" width="640" height="360" allowfullscreen></iframe>`
  return (
    <div ref={root} className={styles['links']}>
      {data?.processing.state === 'processing' && (
        <p>{t`Preparing more qualities: ${formatProgress(data.processing.progress)}`}</p>
      )}
      <Link to={paths.watch(id)}>{t`Watch`}</Link>
      {!isPrivate && (
        <>
          <button
            type="button"
            onClick={() => void copy(location.origin + paths.watch(id), 'Link')}
          >{t`Get link`}</button>
          <button type="button" onClick={() => void copy(embed, t`Embed code`)}>{t`Embed code`}</button>
        </>
      )}
      <Link to={paths.studioVideo(id)}>{t`Studio`}</Link>
      <span role="status">{copied}</span>
    </div>
  )
}

function describe(entry: UploadEntry): string {
  const { phase, progress, isInterrupted, message, visibility, readyAfterMs } = entry
  const percent = formatProgress(percentOf(progress) / 100)
  if (phase === 'waiting') return t`Waiting`
  if (phase === 'paused') return t`Paused at ${percent}`
  if (phase === 'missing') return t`Interrupted at ${percent}`
  if (phase === 'publishing') return t`Everything is sent. Checking the file…`
  if (phase === 'failed') return message ?? t`Failed`
  if (phase === 'published') {
    const seconds = ((readyAfterMs ?? 0) / 1000).toFixed(1)
    return visibility === 'private'
      ? t`Ready ${seconds} s after the last byte`
      : t`Live ${seconds} s after the last byte`
  }
  if (isInterrupted) return t`Connection lost, trying again…`
  return [percent, describePace(progress)].filter(Boolean).join(' · ')
}
