import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { folderImportsQuery } from '../../features/operations/administration/api.ts'
import { FolderImportForm } from '../../features/operations/administration/folder-import-form.tsx'
import { FolderImportResult } from '../../features/operations/administration/folder-import-result.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Part } from '../../ui/part.tsx'
import { QuerySection } from '../../ui/query-section.tsx'
import styles from './sections.module.css'

/** Folders of the server whose videos can be imported. */
export function FoldersPage() {
  const query = useQuery(folderImportsQuery)
  return (
    <Part
      className={styles['texts']}
      title={t`Folders`}
      note={t`Collections of video files that are on the server.`}
    >
      <PageTitle title={t`Folders · Administration`} />
      <QuerySection
        query={query}
        failure={t`Could not load the folders`}
        skeleton={<Skeleton className={styles['skeleton']} height={320} />}
      >
        {({ folders, isRunning, run }) => (
          <>
            {folders.length === 0 ? (
              <p>
                <Trans>
                  No folder is named. The operator of the server names some in the setting{' '}
                  <code>IMPORT_FOLDERS</code>.
                </Trans>
              </p>
            ) : isRunning ? (
              (run === null || run.endedAt !== null) && <p role="status">{t`Waiting for a worker`}</p>
            ) : (
              <FolderImportForm folders={folders} />
            )}
            {run && <FolderImportResult run={run} isRunning={isRunning} nowMs={query.dataUpdatedAt} />}
          </>
        )}
      </QuerySection>
    </Part>
  )
}
