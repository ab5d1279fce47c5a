import { Trans } from '@lingui/react/macro'
import { listFormats } from '@kinora/contract/videos/format-details.ts'
import { useEffect, useState } from 'react'
import { pageLanguage } from '../../../../lib/i18n/language.ts'
import { settings } from '../../../../lib/settings.ts'
import styles from './drop-zone.module.css'
import { showFiles } from './tray-files.ts'

/** Starts the files that are dropped anywhere but on a form or a dialog. */
export function DropZone() {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const over = (event: DragEvent) => {
      const isOurs = carriesVideos(event)
      if (isOurs) event.preventDefault()
      setIsOver(isOurs)
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setIsOver(false)
    }
    const drop = (event: DragEvent) => {
      setIsOver(false)
      if (!carriesVideos(event)) return
      event.preventDefault()
      showFiles([...(event.dataTransfer?.files ?? [])])
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  if (!isOver) return null
  return (
    <div className={styles['drop']} role="status">
      <p>
        <Trans>
          Drop your files here
          <small>
            {listFormats(settings.acceptedContainers, 'disjunction', pageLanguage)}. They stay private until
            you publish them.
          </small>
        </Trans>
      </p>
    </div>
  )
}

/** Forms and dialogs have file fields of their own. */
function carriesVideos({ dataTransfer, target, defaultPrevented }: DragEvent): boolean {
  return (
    !defaultPrevented &&
    dataTransfer !== null &&
    dataTransfer.types.includes('Files') &&
    !document.querySelector('dialog[open]') &&
    !(target instanceof Element && target.closest('form'))
  )
}
