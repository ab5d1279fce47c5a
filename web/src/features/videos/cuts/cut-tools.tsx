import { t } from '@lingui/core/macro'
import { ChevronLeft, ChevronRight, Redo2, Scissors, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from './cut-editor.module.css'
import type { FrameRate } from './cut-player.ts'
import { indexAt, snapToFrame } from './ranges.ts'
import { checkOrder, TimeField } from '../../../ui/forms/time-field.tsx'
import type { EditControl } from './use-edit.ts'

/** The commands of the editor as buttons with their keys, and the times that they work on as text. */
export function CutTools({
  control,
  position,
  rate,
  seekTo,
  step,
  onDone,
}: {
  control: EditControl
  rate: FrameRate
  position: number
  seekTo: (seconds: number) => void
  step: (frames: number) => void
  /** Called when a time was entered. */
  onDone: () => void
}) {
  const { edit, selection, mark } = control
  const snap = (seconds: number) => snapToFrame(seconds, rate)
  const canRestore = selection !== undefined || indexAt(edit.removed, position) >= 0
  return (
    <div className={styles['tools']}>
      <div className={styles['group']} role="group" aria-label={t`Position in the video`}>
        <IconButton
          label={t`One frame back`}
          aria-keyshortcuts=","
          title={`${t`One frame back`} (,)`}
          onClick={() => step(-1)}
        >
          <Icon of={ChevronLeft} />
        </IconButton>
        <TimeField
          label={t`Go to`}
          seconds={position}
          onChange={(seconds) => seekTo(snap(seconds))}
          onDone={onDone}
        />
        <IconButton
          label={t`One frame forward`}
          aria-keyshortcuts="."
          title={`${t`One frame forward`} (.)`}
          onClick={() => step(1)}
        >
          <Icon of={ChevronRight} />
        </IconButton>
      </div>
      <div className={styles['marks']} role="group" aria-label={t`Selection`}>
        <Command label={t`Start here`} shortcut="I" onClick={() => mark('start', position)} />
        <TimeField
          label={t`Start of the selection`}
          placeholder={t({ message: 'Start', context: 'of a part' })}
          seconds={edit.startMark}
          check={(seconds) => checkOrder(seconds, edit.endMark)}
          onChange={(seconds) => mark('start', snap(seconds))}
          onDone={onDone}
        />
        <Command label={t`End here`} shortcut="O" onClick={() => mark('end', position)} />
        <TimeField
          label={t`End of the selection`}
          placeholder={t({ message: 'End', context: 'of a part' })}
          seconds={edit.endMark}
          check={(seconds) => checkOrder(edit.startMark, seconds)}
          onChange={(seconds) => mark('end', snap(seconds))}
          onDone={onDone}
        />
      </div>
      <div className={styles['group']}>
        <Command
          label={t`Remove`}
          shortcut="X"
          icon={<Icon of={Scissors} size={18} />}
          disabled={!selection}
          onClick={control.removeSelection}
        />
        <Command
          label={t`Keep only this`}
          shortcut="E"
          disabled={!selection}
          onClick={control.keepSelection}
        />
        <Command
          label={t`Restore`}
          shortcut="R"
          disabled={!canRestore}
          onClick={() => control.restoreAt(position)}
        />
      </div>
      <div className={styles['group']}>
        <IconButton
          label={t`Undo`}
          aria-keyshortcuts="Control+Z"
          title={`${t`Undo`} (Ctrl+Z)`}
          disabled={!control.canUndo}
          onClick={control.undo}
        >
          <Icon of={Undo2} />
        </IconButton>
        <IconButton
          label={t`Redo`}
          aria-keyshortcuts="Control+Shift+Z"
          title={`${t`Redo`} (Ctrl+Shift+Z)`}
          disabled={!control.canRedo}
          onClick={control.redo}
        >
          <Icon of={Redo2} />
        </IconButton>
      </div>
    </div>
  )
}

/** A button that shows its key where there is a keyboard. */
export function Command({
  label,
  shortcut,
  disabled,
  icon,
  onClick,
}: {
  label: string
  shortcut: string
  disabled?: boolean
  icon?: ReactNode
  onClick: () => void
}) {
  return (
    <Button aria-keyshortcuts={shortcut} disabled={disabled} onClick={onClick}>
      {icon}
      {label}
      <kbd className={styles['key']} aria-hidden="true">
        {shortcut}
      </kbd>
    </Button>
  )
}
