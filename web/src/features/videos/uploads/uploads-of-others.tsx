import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { listUnfinishedUploads } from '@kinora/contract/videos/uploads.ts'
import { useQuery } from '@tanstack/react-query'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { uploadKeys } from '../../../lib/rare-keys.ts'
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx'
import { Part } from '../../../ui/part.tsx'
import { Row, RowList } from '../../../ui/row-list.tsx'
import styles from './uploads-of-others.module.css'

/** How often the progress is asked for while somebody sends. */
const pollMs = 5_000

/** Uploads of other people who work on a channel. Renders nothing while there are none. */
export function UploadsOfOthers({ channel }: { channel?: string | undefined }) {
  const { data = [] } = useQuery({
    queryKey: [...uploadKeys.others, channel],
    queryFn: ({ signal }) => call(listUnfinishedUploads, { query: { channel, by: 'others' }, signal }),
    refetchInterval: ({ state }) => (state.data?.length ? pollMs : false),
  })
  if (data.length === 0) return null
  return (
    <Part title={t`Uploads of others`} className={styles['part']}>
      <RowList label={t`Uploads of others`}>
        {data.map(({ _id, title: given, fileName, sizeBytes, receivedBytes, isGrowing, uploader }) => {
          const title = given || fileName
          const size = isGrowing
            ? formatBytes(receivedBytes)
            : t`${formatBytes(receivedBytes)} of ${formatBytes(sizeBytes)}`
          return (
            <Row
              key={_id}
              title={title}
              note={
                <>
                  <bdi>{uploader?.fullname}</bdi> · {size}
                </>
              }
              controls={
                !isGrowing && (
                  <div className={styles['progress']}>
                    <ProgressBar
                      label={t`Progress of ${title}`}
                      value={receivedBytes / Math.max(1, sizeBytes)}
                      leaves={24}
                    />
                  </div>
                )
              }
            />
          )
        })}
      </RowList>
    </Part>
  )
}
