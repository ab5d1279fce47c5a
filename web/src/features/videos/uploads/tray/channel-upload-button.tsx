import { t } from '@lingui/core/macro'
import { Plus } from 'lucide-react'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { chooseVideos, showFiles } from './tray-files.ts'

/** Lets people who work on a channel choose video files for it. */
export function ChannelUploadButton({ channel }: { channel: string }) {
  return (
    <Button variant="solid" onClick={() => chooseVideos((files) => showFiles(files, { channel }))}>
      <Icon of={Plus} />
      {t`Upload to this channel`}
    </Button>
  )
}
