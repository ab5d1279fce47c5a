import { t } from '@lingui/core/macro'
import { freeSpace, type StorageUse } from '@kinora/contract/operations/storage.ts'
import { call } from '@kinora/contract/client.ts'
import { useQuery } from '@tanstack/react-query'
import { storageQuery } from '../../features/operations/administration/api.ts'
import { LargestVideosTable } from '../../features/operations/administration/largest-videos-table.tsx'
import { NoticeBar } from '../../features/operations/administration/notice-bar.tsx'
import { Tile, Tiles } from '../../features/operations/administration/overview/tiles.tsx'
import { useActions } from '../../features/operations/administration/use-actions.ts'
import { formatAgeInSentence } from '../../lib/format/age.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { Button } from '../../ui/button.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Part } from '../../ui/part.tsx'
import styles from './sections.module.css'

/** Sizes of what the site stores. */
export function StoragePage() {
  return (
    <>
      <PageTitle title={t`Storage · Administration`} />
      <Storage />
    </>
  )
}

function Storage() {
  const { data, dataUpdatedAt, isError, refetch } = useQuery(storageQuery)
  const { act, notice, isPending } = useActions()
  if (isError && !data)
    return <LoadFailure title={t`Could not load the storage`} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className={styles['skeleton']} height={320} />
  return (
    <>
      <Part className={styles['texts']} title={t`Storage`}>
        <Sizes use={data} nowMs={dataUpdatedAt} />
        <NoticeBar notice={notice}>
          <Button
            disabled={isPending || data.isMeasuring}
            onClick={() =>
              act({ run: () => call(freeSpace, {}), done: t`Started. The sizes change when it is done.` })
            }
          >
            {data.isMeasuring ? t`Measuring…` : t`Free space now`}
          </Button>
        </NoticeBar>
        <p>{limitOf(data)}</p>
      </Part>
      <Part className={styles['texts']} title={t`Largest videos`} id="largest">
        {data.largest.length === 0 ? (
          <p>{t`Videos that people upload appear here.`}</p>
        ) : (
          <LargestVideosTable videos={data.largest} />
        )}
      </Part>
    </>
  )
}

function Sizes({ use, nowMs }: { use: StorageUse; nowMs: number }) {
  const { measurement, disk } = use
  const age = measurement && formatAgeInSentence(measurement.measuredAt, nowMs)
  const measured = age && t`measured ${age}`
  const aboutIfEstimated = (value: string) => (use.isEstimated ? t`about ${value}` : value)
  return (
    <Tiles>
      <Tile
        label={t`Uploaded files`}
        value={aboutIfEstimated(formatBytes(use.sourceBytes))}
        note={use.isInBucket ? t`in the bucket` : t`on the disk`}
      />
      <Tile
        label={t`Cache`}
        value={measurement ? formatBytes(measurement.segmentBytes) : '–'}
        note={
          measurement && measurement.freedBytes > 0
            ? t`${formatBytes(measurement.freedBytes)} freed, ${measured ?? ''}`
            : (measured ?? t`not measured yet`)
        }
      />
      <Tile
        label={t`Pictures`}
        value={measurement ? formatBytes(measurement.pictureBytes) : '–'}
        note={measured ?? t`not measured yet`}
      />
      <Tile
        label={t`Database`}
        value={formatBytes(use.databaseBytes)}
        note={t`${aboutIfEstimated(formatBytes(use.captionsBytes))} of captions`}
      />
      <Tile
        label={t`Free disk space`}
        value={formatBytes(disk.freeBytes)}
        note={t`of ${{ total: formatBytes(disk.totalBytes) }}`}
      />
    </Tiles>
  )
}

/** When the cache is evicted. */
function limitOf({ isInBucket, cacheMaxBytes, cacheMaxDiskPercent }: StorageUse): string {
  const limits = [
    ...(isInBucket ? [] : [t`the disk is more than ${cacheMaxDiskPercent} % full`]),
    ...(cacheMaxBytes === null ? [] : [t`the cache exceeds ${formatBytes(cacheMaxBytes)}`]),
  ]
  return limits.length === 0
    ? t`The cache has no limit. CACHE_MAX_BYTES sets one.`
    : t`The cache holds encoded qualities. The least used are deleted when ${limits.join(' or ')}, and encoded again when somebody watches them. Uploaded files are never deleted.`
}
