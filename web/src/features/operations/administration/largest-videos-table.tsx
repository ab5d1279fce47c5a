import { t } from '@lingui/core/macro'
import type { LargeVideo } from '@kinora/contract/operations/storage.ts'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { PersonLink, VideoLink } from './cells.tsx'

/** Videos by the size of their files, with links to where they are moderated. */
export function LargestVideosTable({ videos }: { videos: readonly LargeVideo[] }) {
  return (
    <DataTable
      labelledBy="largest"
      rows={videos}
      idOf={({ _id }) => _id}
      columns={[
        {
          heading: t`Video`,
          kind: 'name',
          render: ({ title }) => <VideoLink title={title} />,
        },
        { heading: t`Owner`, render: ({ owner }) => <PersonLink username={owner} /> },
        { heading: t`Size`, kind: 'number', render: ({ bytes }) => formatBytes(bytes) },
      ]}
    />
  )
}
