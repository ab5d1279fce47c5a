import { canRecord } from './can-record.ts'
import type { Size } from './picture-layout.ts'

/** Why a device or a screen cannot be recorded. */
export type CaptureFailure = 'denied' | 'missing' | 'busy' | 'failed'

/** Browsers of phones capture no screens. */
export const canShareScreen = (): boolean => canRecord() && 'getDisplayMedia' in navigator.mediaDevices

const failures: Record<string, CaptureFailure> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
}

export const captureFailureOf = (error: unknown): CaptureFailure =>
  (error instanceof DOMException ? failures[error.name] : undefined) ?? 'failed'

/** Options of `getDisplayMedia` that the types of TypeScript lack; other browsers ignore them. */
interface ScreenOptions extends DisplayMediaStreamOptions {
  systemAudio?: 'include' | 'exclude'
  surfaceSwitching?: 'include' | 'exclude'
  selfBrowserSurface?: 'include' | 'exclude'
}

/** Asks for a screen, a window or a tab, with its sound where there is one. */
export function openScreen(): Promise<MediaStream> {
  const options: ScreenOptions = {
    video: { frameRate: { ideal: 30 } },
    audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
    systemAudio: 'include',
    surfaceSwitching: 'include',
    selfBrowserSurface: 'exclude',
  }
  return navigator.mediaDevices.getDisplayMedia(options)
}

/** Opens a camera, by default the one that the browser prefers. */
export const openCamera = (deviceId?: string): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({
    video: {
      width: { ideal: 1280 },
      height: { ideal: 720 },
      frameRate: { ideal: 30 },
      ...(deviceId ? { deviceId: { exact: deviceId } } : {}),
    },
  })

/** Opens a microphone, by default the one that the browser prefers. */
export const openMicrophone = (deviceId?: string): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({ audio: deviceId ? { deviceId: { exact: deviceId } } : true })

export type Device = { id: string; label: string }

/** The cameras or microphones. Browsers name them only after one was allowed. */
export async function listDevices(kind: 'videoinput' | 'audioinput'): Promise<Device[]> {
  const devices = await navigator.mediaDevices.enumerateDevices()
  return devices
    .filter((device) => device.kind === kind && device.deviceId !== '')
    .map(({ deviceId, label }) => ({ id: deviceId, label }))
}

/** Size of what a stream shows; undefined before its first frame. */
export function sizeOf({ videoWidth: width, videoHeight: height }: HTMLVideoElement): Size | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined
}

export function stopStream(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
