import { t } from '@lingui/core/macro'
import { Camera, MonitorUp } from 'lucide-react'
import { canShareScreen } from '../../../../lib/capture/devices.ts'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import styles from './record-studio.module.css'
import type { OpenSource } from './use-sources.ts'

/** The first choice of a picture, where it will be. */
export function SourceChoices({ text, open }: { text: string; open: OpenSource }) {
  return (
    <>
      <p>{text}</p>
      <div className={styles['choices']}>
        {canShareScreen() && (
          <Button onClick={() => open('screen', '')}>
            <Icon of={MonitorUp} />
            {t`Screen, window or tab`}
          </Button>
        )}
        <Button onClick={() => open('camera', '')}>
          <Icon of={Camera} />
          {t`Camera`}
        </Button>
      </div>
    </>
  )
}
