import { t } from '@lingui/core/macro'
import type { PlaylistEntry } from '@kinora/contract/watching/playlists.ts'
import {
  Accessibility,
  DragDropManager,
  type DragEndEvent,
  type DragOverEvent,
  type DragStartEvent,
  StyleInjector,
} from '@dnd-kit/dom'
import { DragDropProvider } from '@dnd-kit/react'
import { isSortable, useSortable } from '@dnd-kit/react/sortable'
import { ArrowDownToLine, ArrowUpToLine, GripVertical, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { paths, type PlaylistPlace } from '../../../paths.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { MoreActions } from '../../../ui/more-actions.tsx'
import { EntryRow } from './entry-row.tsx'
import { ErrorBoundary } from '../../../ui/feedback/error-boundary.tsx'
import styles from './entries.module.css'

/** Data of an entry for screen reader announcements. */
interface EntryData {
  [key: string]: unknown
  title: string
}

type Source = DragStartEvent['operation']['source']

const nameOf = (source: Source): string => (source?.data as EntryData | undefined)?.title ?? t`The video`
const placeOf = (source: Source): string =>
  isSortable(source) ? t`at position ${source.index + 1}` : t`elsewhere`

const announcing = () =>
  Accessibility.configure({
    screenReaderInstructions: {
      draggable: t`Press Space or Enter to pick up the video, the arrow keys to move it, Space or Enter again to drop it, Escape to cancel.`,
    },
    announcements: {
      dragstart: ({ operation: { source } }: DragStartEvent) => t`Picked up ${nameOf(source)}.`,
      dragover: ({ operation: { source } }: DragOverEvent) => t`${nameOf(source)} is ${placeOf(source)}.`,
      dragend: ({ operation: { source }, canceled }: DragEndEvent) =>
        canceled
          ? t`${nameOf(source)} is back in its place.`
          : t`Dropped ${nameOf(source)} ${placeOf(source)}.`,
    },
  })

/**
 * The rules that the library writes into a style element, which the content security policy forbids, are in the
 * stylesheet instead.
 */
function createManager(): DragDropManager {
  const manager = new DragDropManager({
    plugins: (defaults) => [...defaults.filter((plugin) => plugin !== Accessibility), announcing()],
  })
  manager.registry.plugins.get(StyleInjector)?.destroy()
  return manager
}

const titleOf = ({ video }: PlaylistEntry) => video?.title ?? t`unavailable video`

/**
 * Entries that their owner may reorder and remove. A handle is dragged, or picked up with Space or Enter, moved with the
 * arrow keys, and put down with Space or Enter; Escape puts it back.
 */
export function SortableEntries({
  entries,
  place,
  onMove,
  onMoveToEnd,
  onRemove,
}: {
  entries: readonly PlaylistEntry[]
  place: PlaylistPlace
  onMove: (from: number, to: number) => void
  /** The end may be further down than the last entry that is shown. */
  onMoveToEnd: (from: number) => void
  onRemove: (entry: PlaylistEntry) => void
}) {
  const [manager] = useState(createManager)
  return (
    <DragDropProvider
      manager={manager}
      onDragEnd={({ canceled, operation: { source } }) => {
        if (canceled || !isSortable(source)) return
        if (source.initialIndex !== source.index) onMove(source.initialIndex, source.index)
      }}
    >
      <ol className={styles['entries']}>
        {entries.map((entry, index) => (
          <SortableEntry
            key={entry._id}
            entry={entry}
            index={index}
            place={place}
            onMoveToTop={() => onMove(index, 0)}
            onMoveToEnd={() => onMoveToEnd(index)}
            onRemove={() => onRemove(entry)}
          />
        ))}
      </ol>
    </DragDropProvider>
  )
}

function SortableEntry({
  entry,
  index,
  place,
  onMoveToTop,
  onMoveToEnd,
  onRemove,
}: {
  entry: PlaylistEntry
  index: number
  place: PlaylistPlace
  onMoveToTop: () => void
  onMoveToEnd: () => void
  onRemove: () => void
}) {
  const moreButton = useRef<HTMLButtonElement>(null)
  const { ref, handleRef, isDragging } = useSortable({
    id: entry._id,
    index,
    data: { title: titleOf(entry) } satisfies EntryData,
  })
  return (
    <li ref={ref} className={styles['entry']} data-dragging={isDragging || undefined}>
      <button
        ref={handleRef}
        type="button"
        className={styles['handle']}
        aria-label={t`Reorder ${titleOf(entry)}`}
      >
        <Icon of={GripVertical} />
      </button>
      <ErrorBoundary fallback={t`This video cannot be displayed.`}>
        <EntryRow entry={entry} linkTo={(id) => paths.watchInPlaylist(id, place)}>
          <IconButton label={t`Remove ${titleOf(entry)}`} onClick={onRemove}>
            <Icon of={Trash2} />
          </IconButton>
          <MoreActions ref={moreButton}>
            <button type="button" onClick={onMoveToTop}>
              <Icon of={ArrowUpToLine} size={18} /> {t`Move to the top`}
            </button>
            <button type="button" onClick={onMoveToEnd}>
              <Icon of={ArrowDownToLine} size={18} /> {t`Move to the bottom`}
            </button>
          </MoreActions>
        </EntryRow>
      </ErrorBoundary>
    </li>
  )
}

/** Entries for everybody else. */
export function PlainEntries({
  entries,
  place,
}: {
  entries: readonly PlaylistEntry[]
  place: PlaylistPlace
}) {
  return (
    <ol className={styles['entries']}>
      {entries.map((entry) => (
        <li key={entry._id} className={styles['entry']}>
          <ErrorBoundary fallback={t`This video cannot be displayed.`}>
            <EntryRow entry={entry} linkTo={(id) => paths.watchInPlaylist(id, place)} />
          </ErrorBoundary>
        </li>
      ))}
    </ol>
  )
}
