import { lazy, Suspense, useEffect, useState } from 'react'
import { receiveSharedFiles } from '../../../lib/browser/share-target.ts'
import { withMessages } from '../../../lib/i18n/messages.ts'
import { DropZone } from './drop-zone.tsx'
import { hasFiles, onFiles, showFiles } from './tray-files.ts'
import { hasUnfinishedUploads } from './unfinished-flag.ts'

const UploadTray = lazy(async () => ({
  default: (await withMessages('pages', () => import('./upload-tray.tsx'))).UploadTray,
}))

/** The drop zone of every page, and the tray from the first file on, of a signed-in user. */
export function Uploads({ userId }: { userId: string }) {
  const [isUsed, setIsUsed] = useState(() => hasFiles() || hasUnfinishedUploads(userId))
  useEffect(() => {
    const stopListening = onFiles(() => setIsUsed(true))
    void receiveSharedFiles().then((files) => showFiles(files, { isShared: true }))
    return stopListening
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
