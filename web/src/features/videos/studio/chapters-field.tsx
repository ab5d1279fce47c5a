import { t } from '@lingui/core/macro'
import { type ChapterStart, formatChapterTime } from '@kinora/contract/videos/chapters.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './chapters-field.module.css'

/** The chapters that viewers see, and a button to edit them. */
export function ChaptersField({
  chapters,
  isOfFile,
  onEdit,
}: {
  chapters: readonly ChapterStart[]
  isOfFile: boolean
  onEdit: () => void
}) {
  return (
    <section className={styles['chapters']} aria-labelledby="chapters">
      <h2 id="chapters">{t`Chapters`}</h2>
      {chapters.length > 0 ? (
        <ol>
          {chapters.map(({ title, startSeconds }) => (
            <li key={startSeconds}>
              <span>{formatChapterTime(startSeconds)}</span> <bdi>{title}</bdi>
            </li>
          ))}
        </ol>
      ) : (
        <p>{t`This video has no chapters yet.`}</p>
      )}
      <p>
        {isOfFile
          ? t`Found in the file. Edited chapters become lines of the description.`
          : t`Chapters are lines of the description that begin with a time, the first with 0:00.`}
      </p>
      <Button onClick={onEdit}>{t`Edit chapters…`}</Button>
    </section>
  )
}
