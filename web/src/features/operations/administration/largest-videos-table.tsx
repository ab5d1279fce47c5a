import { t } from '@lingui/core/macro'
import type { LargeVideo } from '@kinora/contract/operations/storage.ts'
import { Link } from 'react-router'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { paths } from '../../../paths.ts'
import styles from './table.module.css'

/** Videos by the size of their files, with links to where they are moderated. */
export function LargestVideosTable({ videos }: { videos: readonly LargeVideo[] }) {
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">{t`Video`}</th>
          <th scope="col">{t`Owner`}</th>
          <th scope="col">{t`Size`}</th>
        </tr>
      </thead>
      <tbody>
        {videos.map(({ _id, title, owner, bytes }) => (
          <tr key={_id}>
            <th scope="row">
              <Link className={styles['name']} to={paths.administrationOf('videos', title)} dir="auto">
                {title}
              </Link>
            </th>
            <td>
              <Link to={paths.administrationOf('people', owner)} dir="auto">
                @{owner}
              </Link>
            </td>
            <td data-label={t`Size`}>{formatBytes(bytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
