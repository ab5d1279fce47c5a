import { t } from '@lingui/core/macro'
import { clsx } from 'clsx'
import { Film, ImagePlus } from 'lucide-react'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { formatBytes } from '../../lib/format/bytes.ts'
import { FieldNotes, useFieldIds } from './field.tsx'
import styles from './file-field.module.css'
import { Icon } from '../icon.tsx'
import { VisuallyHidden } from '../text/visually-hidden.tsx'

/** How the chosen file is shown: as the image it becomes, or as name and size. */
export type FileShape = 'avatar' | 'logo' | 'cover' | 'thumbnail' | 'file'

/**
 * A labelled file picker that also accepts dropped files. The native input covers the whole area, so that pointer,
 * keyboard and screen reader have native behaviour.
 */
export function FileField({
  label,
  isLabelHidden = false,
  shape,
  error,
  hint,
  id,
  prompt,
  promptToDrop,
  currentSrc,
  onPick,
  className,
  ...input
}: Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'value'> & {
  label: string
  /** Hides the label visually if a heading already shows it. */
  isLabelHidden?: boolean
  shape: FileShape
  /** Text of the empty area, for example "Choose a picture". */
  prompt: string
  /** Said after it where there is a mouse, for example ", or drop it here". */
  promptToDrop?: string
  error?: string | undefined
  hint?: string | undefined
  /** URL of the current picture, shown until a file is chosen. */
  currentSrc?: string | undefined
  /** `isByHand` is false where a program set the file, and nobody pressed or dropped. */
  onPick?: (file: File | undefined, isByHand: boolean) => void
}) {
  const [file, setFile] = useState<File>()
  const [isDraggedOver, setIsDraggedOver] = useState(false)
  const [preview, setPreview] = useState<string>()
  const isByHand = useRef(false)
  useEffect(() => () => release(preview), [preview])
  const ids = useFieldIds(id, error, hint)
  // These have no room for a file name, so it keeps the current picture if the file is not an image.
  const named =
    (shape === 'avatar' || shape === 'logo') && !file?.type.startsWith('image/') ? undefined : file
  const picture = preview ?? (named ? undefined : currentSrc)
  const invitation = !input.disabled && <span className={styles['replace']}>{t`Replace`}</span>
  return (
    <div className={clsx(styles['field'], className)}>
      <label htmlFor={ids.id}>{isLabelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : label}</label>
      <div
        className={clsx(
          styles['area'],
          styles[shape],
          shape === 'logo' && styles['avatar'],
          (picture ?? named) && styles['filled'],
          isDraggedOver && styles['dragged-over'],
        )}
      >
        {picture && (
          <img
            className={styles['picture']}
            src={picture}
            alt=""
            // Files that claim to be images but cannot be decoded show name and size.
            onError={() => setPreview(undefined)}
          />
        )}
        {picture && invitation}
        {!picture && named && (
          <span className={styles['details']}>
            <Icon of={shape === 'file' ? Film : ImagePlus} />
            <span>
              <b>{named.name}</b>
              <small>{formatBytes(named.size)}</small>
            </span>
            {invitation}
          </span>
        )}
        {!picture && !named && (
          <span className={styles['prompt']}>
            <Icon of={shape === 'file' ? Film : ImagePlus} />
            <span>
              {prompt}
              {promptToDrop && <span className={styles['to-drop']}>{promptToDrop}</span>}
            </span>
          </span>
        )}
        <input
          {...input}
          id={ids.id}
          type="file"
          aria-invalid={error ? true : undefined}
          aria-describedby={ids.describedBy}
          onDragEnter={() => setIsDraggedOver(true)}
          onDragLeave={() => setIsDraggedOver(false)}
          onDrop={() => {
            isByHand.current = true
            setIsDraggedOver(false)
          }}
          onClick={() => {
            isByHand.current = true
          }}
          onKeyDown={(event) => {
            // Enter would submit the form; it should open the file picker, as Space does.
            if (event.key !== 'Enter') return
            event.preventDefault()
            event.currentTarget.click()
          }}
          onChange={(event) => {
            const picked = event.currentTarget.files?.[0]
            setFile(picked)
            setPreview(
              shape !== 'file' && picked?.type.startsWith('image/') ? URL.createObjectURL(picked) : undefined,
            )
            onPick?.(picked, isByHand.current)
          }}
        />
      </div>
      <FieldNotes ids={ids} error={error} hint={hint} />
    </div>
  )
}

/** Revokes the object URL of a preview that is no longer shown. */
function release(previewUrl: string | undefined): void {
  if (previewUrl !== undefined) URL.revokeObjectURL(previewUrl)
}
