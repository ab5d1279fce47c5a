import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ClipboardCopy, X } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { copyText } from '../../../../lib/browser/copy-text.ts'
import { IconButton } from '../../../../ui/button.tsx'
import { LoadFailure } from '../../../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../../../ui/feedback/skeleton.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { VisuallyHidden } from '../../../../ui/text/visually-hidden.tsx'
import type { PlayerHandle } from '../state/player.ts'
import { formatClock } from '../state/player-time.ts'
import { loadPreferences } from '../state/preferences.ts'
import { useCurrentIndex } from '../state/use-current-index.ts'
import { type TranscriptLine, transcriptQuery, transcriptText } from './api.ts'
import { type IndexedLine, TranscriptLines } from './transcript-lines.tsx'
import styles from './transcript-panel.module.css'

type Track = { url: string; language: string | null; label: string }

const noLines: readonly TranscriptLine[] = []

/** The sentences of the captions beside the video: they follow it, seek in it, can be searched and copied. */
export function TranscriptPanel({
  tracks,
  player,
  onSeek,
  onClose,
}: {
  tracks: readonly Track[]
  player: RefObject<PlayerHandle | null>
  onSeek: (seconds: number) => void
  onClose: () => void
}) {
  const [chosenUrl, setChosenUrl] = useState(() => preferredTrack(tracks)?.url)
  const track = tracks.find(({ url }) => url === chosenUrl) ?? tracks[0]
  const { data, isError, refetch } = useQuery(transcriptQuery(track?.url ?? ''))
  const [wanted, setWanted] = useState('')
  const [notice, setNotice] = useState('')
  const root = useRef<HTMLElement>(null)
  useEffect(() => {
    root.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const lines = data ?? noLines
  const current = useCurrentIndex(player, lines)
  const shown = useMemo(() => linesWith(lines, wanted), [lines, wanted])

  async function copy() {
    if (!root.current) return
    const isCopied = await copyText(transcriptText(lines, formatClock), root.current)
    setNotice(isCopied ? t`The transcript is on the clipboard` : t`The transcript could not be copied`)
  }

  return (
    <section ref={root} className={styles['panel']} aria-label={t`Transcript`}>
      <div className={styles['head']}>
        <h2>{t`Transcript`}</h2>
        {tracks.length > 1 && (
          <select
            aria-label={t`Language of the transcript`}
            value={track?.url}
            onChange={({ currentTarget }) => setChosenUrl(currentTarget.value)}
          >
            {tracks.map(({ url, label }) => (
              <option key={url} value={url}>
                {label}
              </option>
            ))}
          </select>
        )}
        <IconButton
          label={t`Transcript to the clipboard`}
          title={t`To the clipboard`}
          disabled={lines.length === 0}
          onClick={() => void copy()}
        >
          <Icon of={ClipboardCopy} />
        </IconButton>
        <IconButton label={t`Hide the transcript`} title={t`Hide`} onClick={onClose}>
          <Icon of={X} />
        </IconButton>
      </div>
      <div className={styles['find']}>
        <input
          type="text"
          aria-label={t`Find in the transcript`}
          placeholder={t`Find in the transcript`}
          value={wanted}
          onChange={({ currentTarget }) => setWanted(currentTarget.value)}
        />
        <p role="status">{wanted ? t`${shown.length} of ${lines.length}` : notice}</p>
      </div>
      {isError && <LoadFailure title={t`Could not load the transcript`} onRetry={() => void refetch()} />}
      {!data && !isError && <LoadingLines />}
      {data && (
        <TranscriptLines
          key={track?.url}
          shown={shown}
          current={current}
          wanted={wanted.trim()}
          onSeek={onSeek}
        />
      )}
    </section>
  )
}

function LoadingLines() {
  return (
    <div className={styles['loading']} role="status">
      <VisuallyHidden>{t`Loading the transcript`}</VisuallyHidden>
      {[82, 64, 90, 48, 76].map((percent) => (
        <Skeleton key={percent} width={`${percent}%`} height={16} />
      ))}
    </div>
  )
}

function linesWith(lines: readonly TranscriptLine[], wanted: string): IndexedLine[] {
  const indexed = lines.map((line, index) => ({ ...line, index }))
  const text = wanted.trim().toLowerCase()
  return text ? indexed.filter((line) => line.text.toLowerCase().includes(text)) : indexed
}

function preferredTrack(tracks: readonly Track[]): Track | undefined {
  const { captionsLanguage } = loadPreferences()
  return tracks.find(({ language }) => language !== null && language === captionsLanguage) ?? tracks[0]
}
