import { t } from '@lingui/core/macro'
import { MonitorUp } from 'lucide-react'
import { useEffect, useState } from 'react'
import { canShareScreen, type Device, listDevices } from '../../../../lib/capture/devices.ts'
import type { Recorder } from '../../../../lib/capture/recorder.ts'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Select } from '../../../../ui/forms/select.tsx'
import { LevelMeter } from './level-meter.tsx'
import styles from './source-panel.module.css'
import type { OpenSource } from './use-sources.ts'
import { useRecorderState } from './use-recording-session.ts'

const off = 'off'
/** The device that the browser prefers, while it names none. */
const preferred = 'preferred'

/** Screen, camera and microphone, before and during a recording. */
export function SourcePanel({ recorder, open }: { recorder: Recorder; open: OpenSource }) {
  const { screen, screenSound, camera, cameraId, microphone, microphoneId } = useRecorderState(recorder)
  return (
    <section className={styles['panel']} aria-label={t`Sources`}>
      {canShareScreen() && (
        <div className={styles['source']}>
          <span className={styles['label']}>{t`Screen, window or tab`}</span>
          <div className={styles['buttons']}>
            <Button onClick={() => open('screen', '')}>
              <Icon of={MonitorUp} />
              {screen ? t`Choose another` : t`Choose`}
            </Button>
            {screen && <Button variant="bare" onClick={() => recorder.remove('screen')}>{t`Remove`}</Button>}
          </div>
          {screen && screenSound && (
            <LevelMeter recorder={recorder} source="screen" label={t`Level of the shared sound`} />
          )}
          {screen && !screenSound && (
            <p
              className={styles['note']}
            >{t`It is shared without sound. Browsers share the sound of tabs.`}</p>
          )}
        </div>
      )}
      <div className={styles['source']}>
        <DeviceSelect
          recorder={recorder}
          kind="videoinput"
          label={t`Camera`}
          none={t`No camera`}
          name={(number) => t`Camera ${number}`}
          current={camera ? (cameraId ?? preferred) : off}
          onChoose={(id) => (id === off ? recorder.remove('camera') : open('camera', id))}
        />
      </div>
      <div className={styles['source']}>
        <DeviceSelect
          recorder={recorder}
          kind="audioinput"
          label={t`Microphone`}
          none={t`No microphone`}
          name={(number) => t`Microphone ${number}`}
          current={microphone ? (microphoneId ?? preferred) : off}
          onChoose={(id) => (id === off ? recorder.remove('microphone') : open('microphone', id))}
        />
        {microphone && (
          <LevelMeter recorder={recorder} source="microphone" label={t`Level of the microphone`} />
        )}
      </div>
    </section>
  )
}

function DeviceSelect({
  recorder,
  kind,
  label,
  none,
  name,
  current,
  onChoose,
}: {
  recorder: Recorder
  kind: 'videoinput' | 'audioinput'
  label: string
  none: string
  /** Name of a device that the browser does not tell before it is allowed. */
  name: (number: number) => string
  current: string
  onChoose: (id: string) => void
}) {
  const devices = useDevices(recorder, kind)
  const isListed = current === off || devices.some(({ id }) => id === current)
  const choices = devices.length > 0 ? devices : [{ id: preferred, label: '' }]
  return (
    <Select label={label} value={current} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      <option value={off}>{none}</option>
      {!isListed && current !== preferred && <option value={current}>{label}</option>}
      {choices.map(({ id, label: own }, index) => (
        <option key={id} value={id}>
          {own || (choices.length === 1 ? label : name(index + 1))}
        </option>
      ))}
    </Select>
  )
}

/** The devices of a kind, as they are plugged in; read again once one is used, which names them. */
function useDevices(recorder: Recorder, kind: 'videoinput' | 'audioinput'): Device[] {
  const [devices, setDevices] = useState<Device[]>([])
  useEffect(() => {
    let isCurrent = true
    const read = () =>
      void listDevices(kind).then(
        (found) => isCurrent && setDevices(found),
        () => undefined,
      )
    read()
    navigator.mediaDevices.addEventListener('devicechange', read)
    const stop = recorder.subscribe(read)
    return () => {
      isCurrent = false
      stop()
      navigator.mediaDevices.removeEventListener('devicechange', read)
    }
  }, [recorder, kind])
  return devices
}
