/** Whether this browser can record: over HTTPS, with `MediaRecorder`, which browsers with WebCodecs have, too. */
export const canRecord = (): boolean => 'mediaDevices' in navigator && 'MediaRecorder' in globalThis
