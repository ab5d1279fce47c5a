import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { DetailedVideo } from '@kinora/contract/videos/videos.ts'
import { Download } from 'lucide-react'
import { Link } from 'react-router'
import { categoryLabels } from '../../../../lib/category-labels.ts'
import { downloadName } from '../../../../lib/format/download-name.ts'
import { languageName, licences } from '../../../../lib/video-metadata.ts'
import { paths } from '../../../../paths.ts'
import { buttonClass } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import styles from './video-facts.module.css'

/** Tags, category, language, licence and download of a video. Renders nothing without any. */
export function VideoFacts({ video }: { video: Partial<DetailedVideo> }) {
  // A server may omit fields beyond the specification.
  const { tags = [], category = null, language = null, licence = null } = video
  const file = video.downloadFile ?? video.videoFile
  const hasFacts = category !== null || language !== null || licence !== null
  const mayDownload = video.downloadsAllowed === true && file !== undefined
  if (tags.length === 0 && !hasFacts && !mayDownload) return null
  return (
    <div className={styles['facts']}>
      {tags.length > 0 && (
        <ul className={styles['tags']} aria-label={t`Tags`}>
          {tags.map((tag) => (
            <li key={tag}>
              <Link to={paths.tag(tag)}>
                <bdi>#{tag}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {hasFacts && (
        <dl className={styles['list']}>
          {category !== null && (
            <div>
              <dt>{t`Category`}</dt>
              <dd>
                <Link to={paths.category(category)}>{i18n._(categoryLabels[category])}</Link>
              </dd>
            </div>
          )}
          {language !== null && (
            <div>
              <dt>{t`Language`}</dt>
              <dd>{languageName(language)}</dd>
            </div>
          )}
          {licence !== null && (
            <div>
              <dt>{t`Licence`}</dt>
              <dd>
                <a href={licences[licence].href} target="_blank" rel="noopener noreferrer license">
                  {licences[licence].label}
                </a>
              </dd>
            </div>
          )}
        </dl>
      )}
      {mayDownload && (
        <a className={buttonClass('quiet')} href={file} download={downloadName(video.title ?? '', file)}>
          <Icon of={Download} />
          {t`Download`}
        </a>
      )}
    </div>
  )
}
