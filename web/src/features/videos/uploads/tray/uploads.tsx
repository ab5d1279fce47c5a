import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { receiveSharedFiles } from '../../../../lib/browser/share-target.ts'
import { withMessages } from '../../../../lib/i18n/messages.ts'
import { DropZone } from './drop-zone.tsx'
import { hasFiles, onFiles, showFiles } from './tray-files.ts'
import { hasUnfinishedUploads } from './unfinished-flag.ts'

const UploadTray = lazy(async () => ({
  default: (await withMessages('pages', () => import('./upload-tray.tsx'))).UploadTray,
}))

/** The drop zone of every page, and the tray from the first file on, of a signed-in user. */
export function Uploads({ userId }: { userId: string }) {
  const areFilesChosen = useSyncExternalStore(onFiles, hasFiles)
  const [isUsed, setIsUsed] = useState(() => hasUnfinishedUploads(userId))
  if (areFilesChosen && !isUsed) setIsUsed(true)
  useEffect(() => {
    void receiveSharedFiles().then((files) => showFiles(files, { isShared: true }))
  }, [])
  return (
    <>
      <DropZone />
      {isUsed && (
        <Suspense>
          <UploadTray userId={userId} />
        </Suspense>
      )}
    </>
  )
}
